import AppBoot
import AppBootLifecycle

final class AnsweringDelegate {
  func open(_ url: String) -> Bool {
    if Payments.open(url) { return true }  // the router never sees it
    return route(url)
  }

  func fetch(_ completion: @escaping @Sendable (FetchResult) -> Void) {
    Feed.refresh { isNew in completion(isNew ? .newData : .noData) }
    // and the uploads, which also fetch? Who calls the handler then?
  }

  private func route(_ url: String) -> Bool { url.hasPrefix("notes:") }
}

struct PaymentURLs {}

extension PaymentURLs: LifecycleResponder {
  func openURL(_ url: String, scene: SceneID?) -> Bool { Payments.open(url) }
}

struct FeedFetch {}

extension FeedFetch: LifecycleResponder {
  func didReceiveRemoteNotification(
    payload: String, completion: @escaping @Sendable (FetchResult) -> Void
  ) {
    Feed.refresh { isNew in completion(isNew ? .newData : .noData) }
  }
}

func answer(_ url: String) async -> Bool {
  let app = CompositeResponder(parts: [PaymentURLs(), FeedFetch()])
  let response = await app.ask(.openURL(url))
  for problem in response.problems { print(problem) }  // app/FeedFetch answered twice; …
  return response.answer == .bool(true)
}

func answerLinks() -> CompositeResponder {
  let links = EventResponder(.openURL) { event in
    guard case .openURL(let url, _, _) = event else { return .bool(false) }
    return .bool(url.hasPrefix("notes:"))
  }
  return CompositeResponder(parts: [PaymentURLs(), links])
}

final class PushPart {
  let token = PushToken()
}

extension PushPart: LifecycleListener, LifecycleResponder {
  func didRegisterForRemoteNotifications(token: [UInt8]) { self.token.save(token) }
  func didBecomeActive() { Icon.setBadge(0) }
  func openURL(_ url: String, scene: SceneID?) -> Bool { url.hasPrefix("push:") }
}

func configuration() -> LifecycleHost.Configuration {
  var configuration = LifecycleHost.Configuration()
  configuration.add(PushPart())
  return configuration
}
