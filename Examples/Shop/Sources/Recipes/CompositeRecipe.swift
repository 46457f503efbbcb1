import AppBoot
import AppBootLifecycle

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
