import AppBootSystem
import Testing

@testable import AppBootLifecycle

/// A screen of the main actor that shows a number.
@MainActor
private final class Screen {
  var shown: [String] = []
  var onShow: () -> Void = {}

  func show(_ text: String) {
    shown.append(text)
    onShow()
  }
}

@MainActor
@Suite("Objects that subscribe to a store")
struct StoreObjectsTests {
  private let store = LifecycleStore(Counter(), reducer: counting)

  /// Waits until the main actor has run the jobs that were added before.
  private func delivery() async {
    await Task { @MainActor in }.value
  }

  @Test("An object receives values on the main actor, in the order of the actions of any thread")
  func mainActor() async {
    let screen = Screen()
    store.subscribe(screen, to: \.count) { screen, count in screen.show("\(count)") }
    await withTaskGroup(of: Void.self) { [store] group in
      for _ in 0..<4 { group.addTask { for _ in 0..<25 { store.dispatch(.add(1)) } } }
    }
    await delivery()
    #expect(screen.shown == (0...100).map { "\($0)" })
  }

  @Test("A store does not retain a subscribed object, and forgets it at the next value")
  func weakness() async {
    var screen: Screen? = Screen()
    weak let released = screen
    if let screen { store.subscribe(screen, to: \.count) { screen, count in screen.show("\(count)") } }
    await delivery()
    screen = nil
    #expect(released == nil)
    #expect(store.subscriberCount == 1)
    store.dispatch(.add(1))
    await delivery()
    #expect(store.subscriberCount == 0)
  }

  @Test("An object has one subscription: a further one replaces it")
  func oneEach() async {
    let screen = Screen()
    store.subscribe(screen, to: \.count) { screen, count in screen.show("old \(count)") }
    await delivery()
    let second = store.subscribe(screen, to: \.count) { screen, count in screen.show("new \(count)") }
    store.dispatch(.add(1))
    await delivery()
    #expect(screen.shown == ["old 0", "new 0", "new 1"])
    #expect(store.subscriberCount == 1)
    second.cancel()
    #expect(store.subscriberCount == 0)
  }

  @Test("An unsubscribed object receives nothing more, and can subscribe again")
  func unsubscribing() async {
    let screen = Screen()
    store.subscribe(screen, to: \.count) { screen, count in screen.show("\(count)") }
    await delivery()
    store.unsubscribe(screen)
    store.dispatch(.add(1))
    await delivery()
    store.subscribe(screen, to: \.count) { screen, count in screen.show("\(count)") }
    await delivery()
    #expect(screen.shown == ["0", "1"])
  }

  @Test("A value that is under way when an object unsubscribes does not arrive")
  func underWay() async {
    let (first, second) = (Screen(), Screen())
    store.subscribe(first, to: \.count) { screen, count in screen.show("\(count)") }
    store.subscribe(second, to: \.count) { screen, count in screen.show("\(count)") }
    await delivery()
    first.onShow = { [store] in store.unsubscribe(second) }
    // From another thread, the value is first on its way to both.
    await Task.detached { [store] in store.dispatch(.add(1)) }.value
    await delivery()
    #expect(first.shown == ["0", "1"])
    #expect(second.shown == ["0"])
  }

  @Test("An action that an object dispatches while it is notified arrives after the current value")
  func reentrance() async {
    let screen = Screen()
    store.subscribe(screen, to: \.count) { [store] screen, count in
      if count == 1 { store.dispatch(.add(1)) }
      screen.show("\(count)")
    }
    store.dispatch(.add(1))
    await delivery()
    await delivery()
    #expect(screen.shown == ["0", "1", "2"])
  }
}

@Suite("The values of a store")
struct StoreValuesTests {
  @Test("The sequence has the current value and then each new one, and ends with the store")
  func values() async {
    var store: LifecycleStore? = LifecycleStore(Counter(count: 1), reducer: counting)
    let values = store?.values(of: \.count)
    for number in [1, 0, 2] { store?.dispatch(.add(number)) }
    store = nil
    var received: [Int] = []
    if let values { for await count in values { received.append(count) } }
    #expect(received == [1, 2, 4])
  }

  @Test("A sequence that buffers one value has the newest")
  func newest() async {
    let store = LifecycleStore(Counter(), reducer: counting)
    let values = store.values(of: { [$0.count] }, bufferingPolicy: .bufferingNewest(1))
    for _ in 0..<5 { store.dispatch(.add(1)) }
    #expect(await values.first { _ in true } == [5])
  }

  @Test("A task that ends its iteration ends the subscription")
  func ending() async {
    let store = LifecycleStore(Counter(), reducer: counting)
    let task = Task {
      for await _ in store.values(of: \.count) {}
    }
    task.cancel()
    await task.value
    #expect(store.subscriberCount == 0)
  }
}
