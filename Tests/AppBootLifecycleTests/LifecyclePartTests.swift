import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootLifecycle

/// Push notifications in one class: it listens and answers.
private final class Push {
  let log = Log()
}

extension Push: LifecycleListener, LifecycleResponder {
  func receive(_ event: LifecycleEvent) {
    switch event {
    case .didBecomeActive: log.add("active")
    case .didRegisterForRemoteNotifications(let token): log.add("token \(token)")
    default: break
    }
  }

  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .openURL(let request) = event else { return reply.decline() }
    log.add("asked \(request.url)")
    reply.answer(.bool(true))
  }
}

@MainActor
private final class BadgeView: MainActorListener {
  var events: [String] = []
  func handle(_ event: LifecycleEvent) { events.append(event.name) }
}

@MainActor
private final class Router: MainActorResponder {
  func answer(to event: LifecycleEvent) throws -> LifecycleAnswer? {
    guard let url = event.url else { return nil }
    if url == "broken:" { throw Mishap() }
    return .bool(url.hasPrefix("notes:"))
  }
}

@Suite("A part of the lifecycle")
struct LifecyclePartTests {
  @Test("A class that is listener and responder receives each event once")
  func both() async {
    let push = Push()
    var configuration = LifecycleHost.Configuration()
    configuration.add(push)
    let host = LifecycleHost(LaunchPlan(sequence: []), configuration: configuration)
    await host.receive(.didFinishLaunching(LaunchOptions()))
    for event in [.didBecomeActive, .didRegisterForRemoteNotifications(token: [7])] as [LifecycleEvent] {
      await host.receive(event)
    }
    let outcome = await host.receive(.openURL("notes://7"))
    #expect(push.log.all == ["active", "token [7]", "asked notes://7"])
    #expect(outcome.response.answer == .bool(true))
    #expect(outcome.listeners.listenerCount == 1)
  }

  @MainActor
  @Test("A listener of the main actor receives the events of all threads in their order")
  func order() {
    let (mediator, badge, isSent) = (LifecycleMediator(), BadgeView(), Gate())
    mediator.subscribe(badge, holding: .weak)
    Thread.detach(name: "sender") {
      mediator.send(.didBecomeActive)
      isSent.open()
    }
    isSent.wait()
    mediator.send(.willResignActive)
    #expect(badge.events == ["didBecomeActive", "willResignActive"])
  }

  @MainActor
  @Test("A listener of the main actor receives an event of another thread later")
  func mainActorListener() async {
    let (mediator, badge) = (LifecycleMediator(), BadgeView())
    mediator.subscribe(badge, holding: .weak)
    await Task.detached { _ = mediator.send(.didBecomeActive) }.value
    await Task { @MainActor in }.value
    #expect(badge.events == ["didBecomeActive"])
  }

  @Test("A responder of the main actor answers, fails or leaves the answer to others")
  func mainActorResponder() async {
    let app = CompositeResponder(parts: [Router()])
    // Other tests may keep the main actor busy for long.
    let ask = { (event: LifecycleEvent) in await app.ask(event, timeout: .seconds(600)) }
    #expect(await ask(.openURL("notes://7")).answer == .bool(true))
    #expect(await ask(.openURL("other:")).answer == .bool(false))
    #expect(await ask(.didFinishLaunching(LaunchOptions())).answer == .bool(true))
    #expect(await ask(.didReceiveRemoteNotification(payload: "{}")).answer == .fetch(.noData))
    let broken = await ask(.openURL("broken:"))
    #expect(broken.problems.map(\.part) == ["app/Router"])
  }

  @MainActor
  @Test("An awaited event on the main actor returns its outcome")
  func awaiting() async {
    let host = LifecycleHost(LaunchPlan(sequence: []))
    #expect(await host.receive(.didFinishLaunching(LaunchOptions())).succeeded)
    #expect(host.state.phase == .inactive)
  }
}
