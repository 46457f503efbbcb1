import AppBoot
import AppBootLifecycle

struct PaymentURLs: LifecycleResponder {
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .openURL(let request) = event else { return reply.decline() }
    reply.answer(.bool(Payments.open(request.url)))
  }
}

struct FeedFetch: LifecycleResponder {
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .didReceiveRemoteNotification = event else { return reply.decline() }
    Feed.refresh { isNew in reply.answer(.fetch(isNew ? .newData : .noData)) }
  }
}

func answer(_ url: String) async -> Bool {
  let app = CompositeResponder(parts: [PaymentURLs(), FeedFetch()])
  let response = await app.ask(.openURL(OpenURLRequest(url)))
  for problem in response.problems { print(problem) }  // app/FeedFetch answered twice; …
  return response.answer == .bool(true)
}
