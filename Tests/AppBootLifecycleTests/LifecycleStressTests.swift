import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing

private final class Counting: LifecycleListener {
  let received = Lock(0)
  func receive(_ event: LifecycleEvent) { received.withLock { $0 += 1 } }
}

private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
  let threads = try (0..<count).map { number in
    try Thread.start(name: "stress \(number)") { body(number) }
  }
  for thread in threads { thread.join() }
}

@Suite("The lifecycle under stress")
struct LifecycleStressTests {
  private let threads = 8
  private let eventsPerThread = 1250

  @Test("8 threads send 10,000 events while listeners subscribe and unsubscribe")
  func mediator() throws {
    let mediator = LifecycleMediator()
    let steady = (0..<4).map { _ in Counting() }
    for (index, listener) in steady.enumerated() {
      mediator.subscribe(listener, holding: index.isMultiple(of: 2) ? .strong : .weak)
    }
    try onThreads(threads) { [eventsPerThread] number in
      for event in 0..<eventsPerThread {
        let passing = Counting()
        let subscription = mediator.subscribe(
          passing, holding: (event + number).isMultiple(of: 2) ? .strong : .weak)
        mediator.send(.custom(CustomEvent("tick", payload: "\(event)")))
        if event.isMultiple(of: 3) { mediator.unsubscribe(passing) } else { subscription.cancel() }
        #expect(passing.received.withLock(\.self) >= 1)
      }
    }
    #expect(steady.map { $0.received.withLock(\.self) } == [Int](repeating: 10_000, count: 4))
    #expect(mediator.listenerNames.count == 4)
  }

  @Test("8 threads send 10,000 events to 4 scenes, and each scene handles its events in order")
  func scenes() throws {
    let received = Lock<[SceneID: [Int]]>([:])
    let configuration = LifecycleHost.Configuration()
    configuration.mediator.subscribe(
      OrderListener(received: { scene, number in
        received.withLock { $0[scene, default: []].append(number) }
      }), holding: .strong)
    let host = LifecycleHost(LaunchPlan(sequence: []), configuration: configuration)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    let names: [SceneID] = ["a", "b", "c", "d"]
    for name in names { host.receive(.sceneWillConnect(SceneConnection(name))) { _ in } }
    let completed = Lock(0)
    try onThreads(threads) { [eventsPerThread] number in
      for event in 0..<eventsPerThread {
        let scene = names[(event + number) % names.count]
        host.receive(.openURL(OpenURLRequest("n://\(number)/\(event)", scene: scene))) { _ in
          completed.withLock { $0 += 1 }
        }
      }
    }
    #expect(completed.withLock(\.self) == 10_000)
    // A scene receives the events of each thread in the order they were sent.
    for (_, numbers) in received.withLock({ $0 }) {
      for thread in 0..<threads {
        let own = numbers.filter { $0 / 10_000 == thread }
        #expect(own == own.sorted())
      }
    }
    #expect(host.state.events == 10_005)
    for name in names { host.receive(.sceneDidDisconnect(name)) { _ in } }
    #expect(host.scenes.isEmpty)
  }

  @Test("An event that 8 threads answer completes once")
  func responders() throws {
    for _ in 0..<100 {
      let parts = (0..<8).map { _ in Deferred() }
      let completions = Lock(0)
      CompositeResponder(parts: parts).ask(.didReceiveRemoteNotification(payload: "{}"), timer: NoTimer()) {
        response in
        completions.withLock { $0 += 1 }
        if response.answer != .fetch(.newData) { completions.withLock { $0 += 100 } }
      }
      try onThreads(8) { parts[$0].answer() }
      #expect(completions.withLock(\.self) == 1)
    }
  }
}

private final class OrderListener: LifecycleListener {
  private let received: @Sendable (SceneID, Int) -> Void
  init(received: @escaping @Sendable (SceneID, Int) -> Void) { self.received = received }

  func receive(_ event: LifecycleEvent) {
    guard case .openURL(let request) = event else { return }
    let numbers = request.url.split(separator: "/").compactMap { Int($0) }
    if let scene = request.scene, numbers.count == 2 { received(scene, numbers[0] * 10_000 + numbers[1]) }
  }
}

private final class Deferred: LifecycleResponder {
  private let kept = Lock<LifecycleReply?>(nil)
  func answer() { kept.withLock(\.self)?.answer(.fetch(.newData)) }
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) { kept.withLock { $0 = reply } }
}

private struct NoTimer: CallTimer {
  func schedule(after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void) -> ScheduledCall {
    ScheduledCall {}
  }
}
