import AppBoot
import AppBootLifecycle

func listen(_ mediator: LifecycleMediator) {
  mediator.on(.didEnterBackground) { _ in Upload.pause() }
  mediator.on(.willEnterForeground) { _ in Upload.resume() }
}

struct PaymentURLs: LifecycleResponder {
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .openURL(let request) = event else { return reply.decline() }
    reply.answer(.bool(Payments.open(request.url)))
  }
}

func makeHost(_ registry: CommandRegistry) throws -> LifecycleHost {
  var configuration = LifecycleHost.Configuration()
  listen(configuration.mediator)
  configuration.responders = [PaymentURLs()]
  let plan = try StartupCommandsBuilder(reading: "commands.json", registry: registry).build()
  return LifecycleHost(plan, configuration: configuration)
}

func receiveEvents(_ host: LifecycleHost) async throws {
  let launch = try await host.launch()
  print(launch.record.outcome)
  let outcome = await host.receive(.openURL("notes://note/7"))
  print(outcome.succeeded)
  for await event in host.events(.didBecomeActive) { print(event.name) }
}
