import AppBoot
import AppBootLifecycle

final class TellingDelegate {
  let database: Database
  init(_ database: Database) { self.database = database }

  func didEnterBackground() {
    Sound.pause()
    database.save()
    Upload.scheduleLater()
  }

  func didBecomeActive() { Icon.setBadge(0) }
}

func listen(to source: any LifecycleEventSource) throws -> LifecycleMediator {
  let mediator = try LifecycleMediator.makeDefaultMediator(source: source, listeners: [])
  mediator.on(.didBecomeActive) { _ in Icon.setBadge(0) }
  mediator.on(.didEnterBackground, .willTerminate) { _ in Upload.scheduleLater() }
  return mediator
}

func listen(_ mediator: LifecycleMediator, _ badge: BadgeView) {
  mediator.onMainActor(.didBecomeActive) { [weak badge] _ in badge?.number = 0 }
}

final class SoundListener {}

extension SoundListener: LifecycleListener {
  func didEnterBackground() { Sound.pause() }
}

@MainActor
final class BadgeView: MainActorListener {
  var number = 0

  func handle(_ event: LifecycleEvent) {
    if case .didBecomeActive = event { number = 0 }
  }
}
