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

final class BadgeListener {}

extension BadgeListener: LifecycleListener {
  func didBecomeActive() { Icon.setBadge(0) }
}

final class UploadListener {}

extension UploadListener: LifecycleListener {
  func didEnterBackground() { Upload.scheduleLater() }
}

func listen(to source: any LifecycleEventSource) throws -> LifecycleMediator {
  try .makeDefaultMediator(source: source, listeners: [BadgeListener(), UploadListener()])
}

func listen(_ mediator: LifecycleMediator, _ badge: BadgeView) {
  mediator.on(.didEnterBackground, .willTerminate) { _ in Upload.scheduleLater() }
  mediator.onMainActor(.didBecomeActive) { [weak badge] _ in badge?.number = 0 }
}

@MainActor
final class BadgeView: MainActorListener {
  var number = 0

  func handle(_ event: LifecycleEvent) {
    if case .didBecomeActive = event { number = 0 }
  }
}
