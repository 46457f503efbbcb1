import AppBoot
import AppBootSystem
import Testing
import AppBootTestSupport

@testable import AppBootLifecycle

/// A listener that logs each event and runs a closure.
private final class LoggingListener: LifecycleListener {
  let name: String
  private let log: Log
  private let action: @Sendable (LifecycleEvent) throws -> Void

  init(
    _ name: String, _ log: Log, _ action: @escaping @Sendable (LifecycleEvent) throws -> Void = { _ in }
  ) {
    self.name = name
    self.log = log
    self.action = action
  }

  func receive(_ event: LifecycleEvent) throws {
    log.add("\(name): \(event.name)")
    try action(event)
  }
}

/// A listener without a name of its own.
private final class Saver: LifecycleListener {
  let log = Log()
  func receive(_ event: LifecycleEvent) { log.add(event.name) }
}

private final class Holder: Sendable {
  let subscription = Lock<LifecycleSubscription?>(nil)
}

@Suite("A lifecycle mediator")
struct LifecycleMediatorTests {
  @Test("Listeners receive an event in the order of their subscriptions")
  func order() {
    let (mediator, log) = (LifecycleMediator(), Log())
    for name in ["a", "b", "c"] { mediator.subscribe(LoggingListener(name, log), holding: .strong) }
    let report = mediator.send(.didBecomeActive)
    #expect(log.all == ["a: didBecomeActive", "b: didBecomeActive", "c: didBecomeActive"])
    #expect(report.listenerCount == 3)
    #expect(mediator.listenerNames == ["a", "b", "c"])
  }

  @Test("A listener receives every event, and has the name of its type")
  func allEvents() {
    let (mediator, saver) = (LifecycleMediator(), Saver())
    mediator.subscribe(saver, holding: .weak)
    for event in LifecycleEventTests.samples { mediator.send(event) }
    #expect(saver.log.all == LifecycleEventTests.samples.map(\.name))
    #expect(saver.name == "Saver")
  }

  @Test("A listener that throws is reported and the others receive the event")
  func failure() {
    let (mediator, log) = (LifecycleMediator(), Log())
    mediator.subscribe(LoggingListener("a", log) { _ in throw Mishap() }, holding: .strong)
    mediator.subscribe(LoggingListener("b", log), holding: .strong)
    let report = mediator.send(.willTerminate)
    #expect(log.all == ["a: willTerminate", "b: willTerminate"])
    #expect(report.failures == [LaunchState.Failure(source: "a", message: "out of paper")])
    #expect(report.listenerCount == 2)
  }

  @Test("A strongly held listener is retained until it unsubscribes")
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

  @Test("A weakly held listener is removed when it is deallocated")
  func weakly() {
    let (mediator, log) = (LifecycleMediator(), Log())
    do {
      let gone = LoggingListener("gone", log)
      mediator.subscribe(gone, holding: .weak)
      #expect(mediator.send(.didBecomeActive).listenerCount == 1)
    }
    #expect(mediator.send(.didBecomeActive).listenerCount == 0)
    #expect(mediator.listenerNames == [])
    #expect(log.all == ["gone: didBecomeActive"])
  }

  @Test("A listener that subscribes during an event receives the next one")
  func addedMeanwhile() {
    let (mediator, log) = (LifecycleMediator(), Log())
    let adding = LoggingListener("a", log) { [weak mediator] event in
      guard event == .willEnterForeground else { return }
      mediator?.subscribe(LoggingListener("late", log), holding: .strong)
    }
    mediator.subscribe(adding, holding: .strong)
    mediator.send(.willEnterForeground)
    #expect(log.all == ["a: willEnterForeground"])
    mediator.send(.didBecomeActive)
    #expect(log.all.suffix(2) == ["a: didBecomeActive", "late: didBecomeActive"])
  }

  @Test("A listener that is unsubscribed during an event does not receive it")
  func removedMeanwhile() {
    let (mediator, log, holder) = (LifecycleMediator(), Log(), Holder())
    mediator.subscribe(
      LoggingListener("a", log) { _ in holder.subscription.withLock { $0 }?.cancel() }, holding: .strong)
    let subscription = mediator.subscribe(LoggingListener("b", log), holding: .strong)
    holder.subscription.withLock { $0 = subscription }
    mediator.subscribe(LoggingListener("c", log), holding: .strong)
    mediator.send(.didBecomeActive)
    #expect(log.all == ["a: didBecomeActive", "c: didBecomeActive"])
  }

  @Test("An event that a listener sends is delivered immediately")
  func nested() {
    let (mediator, log) = (LifecycleMediator(), Log())
    let telling = LoggingListener("a", log) { [weak mediator] event in
      if event == .didEnterBackground { mediator?.send(.custom("saved")) }
    }
    mediator.subscribe(telling, holding: .strong)
    mediator.subscribe(LoggingListener("b", log), holding: .strong)
    mediator.send(.didEnterBackground)
    #expect(log.all == ["a: didEnterBackground", "a: saved", "b: saved", "b: didEnterBackground"])
  }

  @Test("A listener can subscribe twice, and unsubscribing cancels both")
  func unsubscribing() {
    let (mediator, log) = (LifecycleMediator(), Log())
    let listener = LoggingListener("a", log)
    mediator.subscribe(listener, holding: .weak)
    mediator.subscribe(listener, holding: .strong)
    #expect(mediator.send(.didBecomeActive).listenerCount == 2)
    mediator.unsubscribe(listener)
    #expect(mediator.send(.didBecomeActive).listenerCount == 0)
  }

  @Test("A listener that subscribes after the launch receives it if it asks for that")
  func replay() throws {
    let (source, log, reports) = (ManualEventSource(), Log(), Log())
    let mediator = try LifecycleMediator(source: source) { reports.add("\($0.failures.count)") }
    mediator.subscribe(LoggingListener("early", log), holding: .strong, replaysLaunch: true)
    source.send(.didFinishLaunching(LaunchOptions(url: "notes://7")))
    mediator.subscribe(LoggingListener("late", log), holding: .strong)
    mediator.subscribe(
      LoggingListener("replayed", log) { event in
        log.add(event.url ?? "no URL")
        throw Mishap()
      }, holding: .strong, replaysLaunch: true)
    #expect(
      log.all == ["early: didFinishLaunching", "replayed: didFinishLaunching", "notes://7"])
    #expect(reports.all == ["0", "1"])
  }

  @Test("The error of a replayed launch reaches the report of a mediator without a source")
  func replayedFailure() {
    let (reports, log) = (Log(), Log())
    let mediator = LifecycleMediator { reports.add($0.failureText) }
    mediator.send(.didFinishLaunching(LaunchOptions()))
    mediator.subscribe(
      LoggingListener("late", log) { _ in throw Mishap() }, holding: .strong, replaysLaunch: true)
    #expect(reports.all == ["AppBoot: late failed at didFinishLaunching: out of paper\n"])
  }

  @Test("The error of a replayed launch is the last failure of the host that uses the mediator")
  func replayedFailureInHost() async {
    let (configuration, log) = (LifecycleHost.Configuration(), Log())
    let host = LifecycleHost(LaunchPlan(sequence: []), configuration: configuration)
    await host.receive(.didFinishLaunching(LaunchOptions()))
    configuration.mediator.subscribe(
      LoggingListener("late", log) { _ in throw Mishap() }, holding: .strong, replaysLaunch: true)
    #expect(host.state.lastFailure == LaunchState.Failure(source: "late", message: "out of paper"))
  }

  @Test("The default mediator reports the errors of its listeners")
  func defaultReport() throws {
    let (source, reports, log) = (ManualEventSource(), Log(), Log())
    let listener = LoggingListener("a", log) { _ in throw Mishap() }
    let mediator = try LifecycleMediator.makeDefaultMediator(source: source, listeners: [listener]) {
      reports.add($0.failureText)
    }
    source.send(.didBecomeActive)
    #expect(reports.all == ["AppBoot: a failed at didBecomeActive: out of paper\n"])
    withExtendedLifetime(mediator) {}
  }

  @Test("A closure receives the events that it names, until its subscription is cancelled")
  func closure() {
    let (mediator, log) = (LifecycleMediator(), Log())
    let subscription = mediator.on(.didFinishLaunching, .openURL) { log.add($0.url ?? $0.name) }
    for event in [.didFinishLaunching(LaunchOptions()), .didBecomeActive, .openURL("notes:")]
      as [LifecycleEvent]
    {
      mediator.send(event)
    }
    subscription.cancel()
    mediator.send(.openURL("late:"))
    #expect(log.all == ["didFinishLaunching", "notes:"])
  }

  @MainActor
  @Test("A closure that is added after the launch receives it if it asks for that")
  func replayedClosure() {
    let (mediator, log) = (LifecycleMediator(), Log())
    mediator.send(.didFinishLaunching(LaunchOptions()))
    mediator.on(.didFinishLaunching) { _ in log.add("not replayed") }
    mediator.on(.didFinishLaunching, replaysLaunch: true) { log.add($0.name) }
    mediator.onMainActor(.didFinishLaunching, replaysLaunch: true) { log.add("main \($0.name)") }
    mediator.on(.openURL, replaysLaunch: true) { log.add($0.name) }
    #expect(log.all == ["didFinishLaunching", "main didFinishLaunching"])
  }

  @Test("The error of a replayed launch reaches the report and the host")
  func replayedFailureInBoth() async {
    let (reports, log) = (Log(), Log())
    var configuration = LifecycleHost.Configuration()
    configuration.mediator = LifecycleMediator { reports.add($0.failureText) }
    let host = LifecycleHost(LaunchPlan(sequence: []), configuration: configuration)
    await host.receive(.didFinishLaunching(LaunchOptions()))
    configuration.mediator.subscribe(
      LoggingListener("late", log) { _ in throw Mishap() }, holding: .strong, replaysLaunch: true)
    #expect(reports.all == ["AppBoot: late failed at didFinishLaunching: out of paper\n"])
    #expect(host.state.lastFailure == LaunchState.Failure(source: "late", message: "out of paper"))
  }

  @Test("A closure that throws is reported with its line")
  func closureFailure() {
    let mediator = LifecycleMediator()
    mediator.on(.didBecomeActive) { _ in throw Mishap() }
    let place = "\(#fileID):\(#line - 1)"
    #expect(
      mediator.send(.didBecomeActive).failures == [
        LaunchState.Failure(source: place, message: "out of paper")
      ])
  }

  @Test("A closure receives an event of the app by the name that the app declares")
  func closureForOwnEvent() {
    let (mediator, log) = (LifecycleMediator(), Log())
    mediator.on(EventName("cartOpened", of: .scene)) { log.add($0.name) }
    mediator.send(.custom(CustomEvent("cartOpened", scene: "left")))
    mediator.send(.custom(CustomEvent("cartClosed", scene: "left")))
    #expect(log.all == ["cartOpened"])
  }

  @MainActor
  @Test("A closure of the main actor receives an event of the main thread at once")
  func mainActorClosure() {
    let (mediator, log) = (LifecycleMediator(), Log())
    mediator.onMainActor(.didBecomeActive) { log.add($0.name) }
    mediator.send(.willResignActive)
    mediator.send(.didBecomeActive)
    #expect(log.all == ["didBecomeActive"])
  }

  @Test("The default mediator sends its source's events to its listeners")
  func defaultMediator() throws {
    let (source, saver) = (ManualEventSource(), Saver())
    let mediator = try LifecycleMediator.makeDefaultMediator(source: source, listeners: [saver])
    source.send(.didEnterBackground)
    #expect(saver.log.all == ["didEnterBackground"])
    #expect(mediator.listenerNames == ["Saver"])
  }

  @Test("A mediator starts its source once and stops it when deallocated")
  func source() throws {
    let (source, log, reports) = (ManualEventSource(), Log(), Log())
    do {
      let mediator = try LifecycleMediator(source: source) {
        reports.add("\($0.event.name) \($0.failures.count)")
      }
      mediator.subscribe(LoggingListener("a", log) { _ in throw Mishap() }, holding: .strong)
      #expect(source.isStarted)
      source.send(.didReceiveReload)
    }
    #expect(!source.isStarted)
    source.send(.didReceiveReload)
    #expect(log.all == ["a: didReceiveReload"])
    #expect(reports.all == ["didReceiveReload 1"])
  }
}
