import AppBoot
import AppBootLifecycle

func listen(to source: any LifecycleEventSource) throws -> LifecycleMediator {
  let mediator = try LifecycleMediator.makeDefaultMediator(source: source, listeners: [])
  mediator.on(.didBecomeActive) { _ in Icon.setBadge(0) }
  mediator.on(.didEnterBackground, .willTerminate) { _ in Upload.scheduleLater() }
  return mediator
}

final class SoundListener: LifecycleListener {
  func receive(_ event: LifecycleEvent) {
    if case .didEnterBackground = event { Sound.pause() }
  }
}
