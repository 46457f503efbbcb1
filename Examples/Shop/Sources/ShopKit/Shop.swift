public import AppBoot
public import AppBootLifecycle
import AppBootCommands

/// Returns the commands, libraries and events of the shop's manifest.
public func shopRegistry(_ services: Services) -> CommandRegistry {
  var registry = CommandRegistry(
    UseTestConfiguration.self, OpenStore.self, SaveStore.self, SetFirstLaunchFlags.self, OpenOrder.self)
  let icon = AppIcon(services)
  registry.register(StartAudio.self) { StartAudio(services) }
  registry.register(LockOrientation.self) { LockOrientation(services.orientations) }
  registry.register(OfferQuickActions.self) { OfferQuickActions(icon) }
  registry.register(StockCommands.all)
  registry.thirdParty("Crashes") { options in services.call("crashes \(options["key"] ?? "")") }
  registry.declare(EventName("consentGranted"))
  return registry
}

/// Returns the shop's listeners and responders.
public func shopLifecycle(_ services: Services) -> LifecycleHost.Configuration {
  var configuration = LifecycleHost.Configuration()
  let listeners: [any LifecycleListener] = [
    DebugLog(services), Analytics(services), Alerts(services),
  ]
  for listener in listeners { configuration.mediator.subscribe(listener, holding: .strong) }
  configuration.mediator.on(.didBecomeActive) { _ in
    services.setBadge(0)
    services.call("audio play")
  }
  configuration.mediator.on(.willResignActive) { _ in services.call("audio pause") }
  configuration.responders = [
    QuickActions(services: services),
    CompositeResponder(
      "third parties",
      parts: [ThirdPartyDelegates(sdk: "pay", services), ThirdPartyDelegates(sdk: "maps", services)]),
    Notifications(services: services), services.orientations,
  ]
  configuration.add(BackgroundTasks(services))
  return configuration
}
