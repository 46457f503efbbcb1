import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing

private struct Mishap: Error, CustomStringConvertible {
  let description = "out of paper"
}

/// Lines in the order in which they were added.
final class EventLog: Sendable {
  private let lines = Lock<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

/// Notes what it hears, and does something at each event.
private final class Noting: LifecycleListener {
  let name: String
  private let log: EventLog
  private let action: @Sendable (LifecycleEvent) throws -> Void

  init(
    _ name: String, _ log: EventLog, _ action: @escaping @Sendable (LifecycleEvent) throws -> Void = { _ in }
  ) {
    self.name = name
    self.log = log
    self.action = action
  }

  func hear(_ event: LifecycleEvent) throws {
    log.add("\(name): \(event.name)")
    try action(event)
  }
}

/// Implements only what it needs.
private final class Saver: LifecycleListener {
  let log = EventLog()
  func didEnterBackground() { log.add("saved") }
}

private final class Holder: Sendable {
  let subscription = Lock<LifecycleSubscription?>(nil)
}

@Suite("A lifecycle mediator")
struct LifecycleMediatorTests {
  @Test("tells every listener, in the order in which they subscribed")
  func order() {
    let (mediator, log) = (LifecycleMediator(), EventLog())
    for name in ["a", "b", "c"] { mediator.subscribe(Noting(name, log), holding: .strong) }
    let report = mediator.tell(.didBecomeActive)
    #expect(log.all == ["a: didBecomeActive", "b: didBecomeActive", "c: didBecomeActive"])
    #expect(report.listeners == 3)
    #expect(mediator.listenerNames == ["a", "b", "c"])
  }

  @Test("calls the one method that the listener has for the event")
  func method() {
    let (mediator, saver) = (LifecycleMediator(), Saver())
    mediator.subscribe(saver, holding: .weak)
    for event in LifecycleEventTests.samples { mediator.tell(event) }
    mediator.tell(.custom(name: "consentGranted"))
    #expect(saver.log.all == ["saved"])
    #expect(saver.name == "Saver")
  }

  @Test("lets the others hear where one throws, and reports it by name")
  func failure() {
    let (mediator, log) = (LifecycleMediator(), EventLog())
    mediator.subscribe(Noting("a", log) { _ in throw Mishap() }, holding: .strong)
    mediator.subscribe(Noting("b", log), holding: .strong)
    let report = mediator.tell(.willTerminate)
    #expect(log.all == ["a: willTerminate", "b: willTerminate"])
    #expect(report.failures.map(\.description) == ["a failed at willTerminate: out of paper"])
    #expect(report.listeners == 2)
  }

  @Test("keeps a listener alive that it holds strongly, until it unsubscribes")
  func strong() {
    let mediator = LifecycleMediator()
    weak var saver: Saver?
    let subscription = {
      let held = Saver()
      saver = held
      return mediator.subscribe(held, holding: .strong)
    }()
    #expect(saver != nil)
    subscription.cancel()
    #expect(saver == nil)
    subscription.cancel()
  }

  @Test("forgets a listener that it holds weakly, once it has gone")
  func weakly() {
    let (mediator, log) = (LifecycleMediator(), EventLog())
    do {
      let gone = Noting("gone", log)
      mediator.subscribe(gone, holding: .weak)
      #expect(mediator.tell(.didBecomeActive).listeners == 1)
    }
    #expect(mediator.tell(.didBecomeActive).listeners == 0)
    #expect(mediator.listenerNames == [])
    #expect(log.all == ["gone: didBecomeActive"])
  }

  @Test("tells a listener that subscribes during an event from the next one on")
  func addedMeanwhile() {
    let (mediator, log) = (LifecycleMediator(), EventLog())
    let adding = Noting("a", log) { [weak mediator] event in
      guard event == .willEnterForeground else { return }
      mediator?.subscribe(Noting("late", log), holding: .strong)
    }
    mediator.subscribe(adding, holding: .strong)
    mediator.tell(.willEnterForeground)
    #expect(log.all == ["a: willEnterForeground"])
    mediator.tell(.didBecomeActive)
    #expect(log.all.suffix(2) == ["a: didBecomeActive", "late: didBecomeActive"])
  }

  @Test("does not tell a listener any more that was unsubscribed during the event")
  func removedMeanwhile() {
    let (mediator, log, holder) = (LifecycleMediator(), EventLog(), Holder())
    mediator.subscribe(
      Noting("a", log) { _ in holder.subscription.withLock { $0 }?.cancel() }, holding: .strong)
    let subscription = mediator.subscribe(Noting("b", log), holding: .strong)
    holder.subscription.withLock { $0 = subscription }
    mediator.subscribe(Noting("c", log), holding: .strong)
    mediator.tell(.didBecomeActive)
    #expect(log.all == ["a: didBecomeActive", "c: didBecomeActive"])
  }

  @Test("tells an event at once that a listener tells")
  func nested() {
    let (mediator, log) = (LifecycleMediator(), EventLog())
    let telling = Noting("a", log) { [weak mediator] event in
      if event == .didEnterBackground { mediator?.tell(.custom(name: "saved")) }
    }
    mediator.subscribe(telling, holding: .strong)
    mediator.subscribe(Noting("b", log), holding: .strong)
    mediator.tell(.didEnterBackground)
    #expect(log.all == ["a: didEnterBackground", "a: saved", "b: saved", "b: didEnterBackground"])
  }

  @Test("ends every subscription of a listener, and lets it subscribe more than once")
  func unsubscribing() {
    let (mediator, log) = (LifecycleMediator(), EventLog())
    let listener = Noting("a", log)
    mediator.subscribe(listener, holding: .weak)
    mediator.subscribe(listener, holding: .strong)
    #expect(mediator.tell(.didBecomeActive).listeners == 2)
    mediator.unsubscribe(listener)
    #expect(mediator.tell(.didBecomeActive).listeners == 0)
  }

  @Test("subscribes once to its source, and unsubscribes when it goes")
  func source() throws {
    let (source, log, reports) = (ManualEventSource(), EventLog(), EventLog())
    do {
      let mediator = try LifecycleMediator(source: source) {
        reports.add("\($0.event.name) \($0.failures.count)")
      }
      mediator.subscribe(Noting("a", log) { _ in throw Mishap() }, holding: .strong)
      #expect(source.isStarted)
      source.send(.didReceiveReload)
    }
    #expect(!source.isStarted)
    source.send(.didReceiveReload)
    #expect(log.all == ["a: didReceiveReload"])
    #expect(reports.all == ["didReceiveReload 1"])
  }
}
