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

final class BadgeListener: LifecycleListener {
  func didBecomeActive() { Icon.setBadge(0) }
}

final class UploadListener: LifecycleListener {
  func didEnterBackground() { Upload.scheduleLater() }
}

func listen(to source: any LifecycleEventSource) throws -> LifecycleMediator {
  let mediator = try LifecycleMediator(source: source)
  mediator.subscribe(BadgeListener(), holding: .strong)
  mediator.subscribe(UploadListener(), holding: .strong)
  return mediator
}
