import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing
import AppBootTestSupport

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
  private let log = Log()

  @Test("The state changes only through actions and the reducer")
  func reducing() {
    let store = LifecycleStore(Counter(), reducer: counting)
    store.dispatch(.add(2))
    store.dispatch(.name("a"))
    #expect(store.state == Counter(count: 2, label: "a"))
  }

  @Test("Reducers are combined by key path")
  func combining() {
    let reducer = LifecycleStore<CounterPair, CounterPairAction>.Reducer(combining: [
      counting.lifted(to: \.left) { $0.forLeft }, counting.lifted(to: \.right) { $0.forRight },
    ])
    let store = LifecycleStore(CounterPair(), reducer: reducer)
    store.dispatch(.left(.add(1)))
    store.dispatch(.both(.add(10)))
    #expect(store.state == CounterPair(left: Counter(count: 11), right: Counter(count: 10)))
    let same: LifecycleStore<CounterPair, CounterAction>.Reducer = counting.lifted(to: \.right)
    let other = LifecycleStore(CounterPair(), reducer: same)
    other.dispatch(.add(3))
    #expect(other.state.right.count == 3)
  }

  @Test("A subscription that is cancelled before it begins is released")
  func cancelledEarly() {
    final class Resource: Sendable {}
    let store = LifecycleStore(Counter(), reducer: counting)
    let left = Lock<WeakResource>(WeakResource())
    store.subscribe(to: \.count) { [log] count in
      guard count == 1 else { return }
      let resource = Resource()
      left.withLock { $0.object = resource }
      let subscription = store.subscribe(to: \.label) { _ in
        withExtendedLifetime(resource) {}
        log.add("notified")
      }
      subscription.cancel()
    }
    store.dispatch(.add(1))
    #expect(left.withLock { $0.object } == nil)
    #expect(log.all.isEmpty)
    struct WeakResource: Sendable { weak var object: Resource? }
  }

  @Test("A subscriber receives the selected part and then only its changes")
  func selecting() {
    let store = LifecycleStore(Counter(), reducer: counting)
    store.subscribe(to: \.count) { [log] in log.add("count \($0)") }
    store.dispatch(.name("a"))
    store.dispatch(.add(0))
    store.dispatch(.add(2))
    #expect(log.all == ["count 0", "count 2"])
  }

  @Test("A cancelled subscription receives nothing, not even the current action")
  func cancelling() {
    let store = LifecycleStore(Counter(), reducer: counting)
    let second = Lock<LifecycleSubscription?>(nil)
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

  @Test("An action that a subscriber dispatches waits for the other subscribers")
  func reentrance() {
    let store = LifecycleStore(Counter(), reducer: counting)
    store.subscribe(to: \.count) { [log, weak store] in
      log.add("first \($0)")
      if $0 == 1 { store?.dispatch(.add(10)) }
    }
    store.subscribe(to: \.count) { [log] in log.add("second \($0)") }
    store.dispatch(.add(1))
    #expect(log.all == ["first 0", "second 0", "first 1", "second 1", "first 11", "second 11"])
  }

  @Test("A subscription during an action begins after it")
  func subscribingMeanwhile() {
    let store = LifecycleStore(Counter(), reducer: counting)
    store.subscribe(to: \.count) { [log, weak store] in
      if $0 == 1 { store?.subscribe(to: \.count) { log.add("late \($0)") } }
    }
    store.dispatch(.add(1))
    store.dispatch(.add(1))
    #expect(log.all == ["late 1", "late 2"])
  }

  @Test("Middleware observes, replaces, drops and dispatches actions in order")
  func middleware() {
    let watching = LifecycleStore<Counter, CounterAction>.Middleware { [log] action, store, next in
      log.add("before \(store.state.count)")
      next(action)
      log.add("after \(store.state.count)")
    }
    let changing = LifecycleStore<Counter, CounterAction>.Middleware { action, store, next in
      switch action {
      case .add(let number) where number > 100: break
      case .add(let number): next(.add(number * 2))
      case .name: store.dispatch(.add(1))
      }
    }
    let store = LifecycleStore(Counter(), reducer: counting, middleware: [watching, changing])
    store.dispatch(.add(3))
    store.dispatch(.add(101))
    store.dispatch(.name("a"))
    #expect(store.state == Counter(count: 8))
    #expect(
      log.all == ["before 0", "after 6", "before 6", "after 6", "before 6", "before 6", "after 8", "after 8"])
  }

  @Test("An action that middleware dispatches is reduced before the outer action")
  func nestedDispatch() {
    let preparing = LifecycleStore<Counter, CounterAction>.Middleware { [log] action, store, next in
      if case .name(let label) = action {
        store.dispatch(.add(1))
        log.add("\(label): \(store.state.count)")
      }
      next(action)
      if case .name = action { store.dispatch(.add(10)) }
    }
    let store = LifecycleStore(Counter(), reducer: counting, middleware: [preparing])
    store.subscribe(to: \.self) { [log] in log.add("\($0.label)\($0.count)") }
    store.dispatch(.name("a"))
    #expect(log.all == ["0", "1", "a: 1", "a1", "a11"])
  }

  @Test("An action that a subscriber dispatches waits even if middleware caused the notification")
  func dispatchBelowMiddleware() {
    let passing = LifecycleStore<Counter, CounterAction>.Middleware { [log] action, _, next in
      log.add("begin \(action)")
      next(action)
      log.add("end \(action)")
    }
    let store = LifecycleStore(Counter(), reducer: counting, middleware: [passing])
    store.subscribe(to: \.label) { [weak store] in
      if $0 == "a" { store?.dispatch(.add(1)) }
    }
    store.dispatch(.name("a"))
    #expect(
      log.all == [
        #"begin name("a")"#, #"end name("a")"#, "begin add(1)", "end add(1)",
      ])
  }

  @Test("An observer of changes receives the old and the new value, and not the first one")
  func changes() {
    let store = LifecycleStore(Counter(count: 5), reducer: counting)
    let subscription = store.onChange(of: \.count) { [log] old, new in log.add("\(old) → \(new)") }
    store.dispatch(.add(1))
    store.dispatch(.name("a"))
    store.dispatch(.add(2))
    subscription.cancel()
    store.dispatch(.add(3))
    #expect(log.all == ["5 → 6", "6 → 8"])
  }

  @Test("Actions of many threads are reduced one at a time")
  func threads() async {
    let store = LifecycleStore(Counter(), reducer: counting)
    let received = Lock<[Int]>([])
    store.subscribe(to: \.count) { count in received.withLock { $0.append(count) } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<250 { store.dispatch(.add(1)) } } }
    }
    #expect(store.state.count == 2000)
    #expect(received.withLock { $0 } == Array(0...2000))
  }
}
