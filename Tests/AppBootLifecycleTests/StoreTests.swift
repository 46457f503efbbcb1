import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing

private struct Counter: Sendable, Equatable {
  var count = 0
  var label = ""
}

private enum CounterAction: Sendable, Equatable {
  case add(Int)
  case name(String)
}

private let counting = Reducer<Counter, CounterAction> { state, action in
  switch action {
  case .add(let number): state.count += number
  case .name(let label): state.label = label
  }
}

private struct CounterPair: Sendable, Equatable {
  var left = Counter()
  var right = Counter()
}

private enum CounterPairAction: Sendable {
  case left(CounterAction)
  case both(CounterAction)

  var forLeft: CounterAction? {
    switch self {
    case .left(let action), .both(let action): action
    }
  }

  var forRight: CounterAction? {
    switch self {
    case .left: nil
    case .both(let action): action
    }
  }
}

@Suite("A store")
struct StoreTests {
  private let log = EventLog()

  @Test("changes its state only by actions, through its reducer")
  func reducing() {
    let store = Store(Counter(), reducer: counting)
    store.dispatch(.add(2))
    store.dispatch(.name("a"))
    #expect(store.state == Counter(count: 2, label: "a"))
    #expect(counting.state(Counter(count: 1), after: .add(1)).count == 2)
  }

  @Test("combines reducers by key path")
  func combining() {
    let reducer = Reducer<CounterPair, CounterPairAction>(combining: [
      counting.lifted(to: \.left) { $0.forLeft }, counting.lifted(to: \.right) { $0.forRight },
    ])
    let store = Store(CounterPair(), reducer: reducer)
    store.dispatch(.left(.add(1)))
    store.dispatch(.both(.add(10)))
    #expect(store.state == CounterPair(left: Counter(count: 11), right: Counter(count: 10)))
    let same: Reducer<CounterPair, CounterAction> = counting.lifted(to: \.right)
    #expect(same.state(CounterPair(), after: .add(3)).right.count == 3)
  }

  @Test("lets go of a subscription that was cancelled before its turn came")
  func cancelledEarly() {
    final class Resource: Sendable {}
    let store = Store(Counter(), reducer: counting)
    let left = Lock<WeakResource>(WeakResource())
    store.subscribe(to: \.count) { [log] count in
      guard count == 1 else { return }
      let resource = Resource()
      left.withLock { $0.object = resource }
      let subscription = store.subscribe(to: \.label) { _ in
        withExtendedLifetime(resource) {}
        log.add("told")
      }
      subscription.cancel()
    }
    store.dispatch(.add(1))
    #expect(left.withLock { $0.object } == nil)
    #expect(log.all.isEmpty)
    struct WeakResource: Sendable { weak var object: Resource? }
  }

  @Test("tells the selected part as it is, and then only when it has changed")
  func selecting() {
    let store = Store(Counter(), reducer: counting)
    store.subscribe(to: \.count) { [log] in log.add("count \($0)") }
    store.dispatch(.name("a"))
    store.dispatch(.add(0))
    store.dispatch(.add(2))
    #expect(log.all == ["count 0", "count 2"])
  }

  @Test("tells nothing more once a subscription is cancelled, not even the action under way")
  func cancelling() {
    let store = Store(Counter(), reducer: counting)
    let second = Lock<StoreSubscription?>(nil)
    store.subscribe(to: \.count) { [log] in
      log.add("first \($0)")
      if $0 == 1 { second.withLock { $0 }?.cancel() }
    }
    let subscription = store.subscribe(to: \.count) { [log] in log.add("second \($0)") }
    second.withLock { $0 = subscription }
    store.dispatch(.add(1))
    store.dispatch(.add(1))
    #expect(log.all == ["first 0", "second 0", "first 1", "first 2"])
  }

  @Test("lets an action that a subscriber dispatches wait until the one under way was told to all")
  func reentrance() {
    let store = Store(Counter(), reducer: counting)
    store.subscribe(to: \.count) { [log, weak store] in
      log.add("first \($0)")
      if $0 == 1 { store?.dispatch(.add(10)) }
    }
    store.subscribe(to: \.count) { [log] in log.add("second \($0)") }
    store.dispatch(.add(1))
    #expect(log.all == ["first 0", "second 0", "first 1", "second 1", "first 11", "second 11"])
  }

  @Test("subscribes whoever does so during an action after it")
  func subscribingMeanwhile() {
    let store = Store(Counter(), reducer: counting)
    store.subscribe(to: \.count) { [log, weak store] in
      if $0 == 1 { store?.subscribe(to: \.count) { log.add("late \($0)") } }
    }
    store.dispatch(.add(1))
    store.dispatch(.add(1))
    #expect(log.all == ["late 1", "late 2"])
  }

  @Test("lets middleware watch, change, hold back and dispatch actions, in order")
  func middleware() {
    let watching = Middleware<Counter, CounterAction> { [log] action, store, next in
      log.add("before \(store.state.count)")
      next(action)
      log.add("after \(store.state.count)")
    }
    let changing = Middleware<Counter, CounterAction> { action, store, next in
      switch action {
      case .add(let number) where number > 100: break
      case .add(let number): next(.add(number * 2))
      case .name: store.dispatch(.add(1))
      }
    }
    let store = Store(Counter(), reducer: counting, middleware: [watching, changing])
    store.dispatch(.add(3))
    store.dispatch(.add(101))
    store.dispatch(.name("a"))
    #expect(store.state == Counter(count: 8))
    #expect(
      log.all == ["before 0", "after 6", "before 6", "after 6", "before 6", "after 6", "before 6", "after 8"])
  }

  @Test("reduces every action of many threads, one at a time")
  func threads() async {
    let store = Store(Counter(), reducer: counting)
    let told = Lock<[Int]>([])
    store.subscribe(to: \.count) { count in told.withLock { $0.append(count) } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<250 { store.dispatch(.add(1)) } } }
    }
    #expect(store.state.count == 2000)
    #expect(told.withLock { $0 } == Array(0...2000))
  }
}
