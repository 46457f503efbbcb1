import AppBoot
import AppBootLifecycle
import Dispatch
import AppBootTestSupport

/// The pattern Composite: an app delegate that forwards each call to several delegates.
enum CompositeListing {
  protocol AppDelegate: Sendable {
    func launch(url: String?) -> Bool
    func open(_ url: String) -> Bool
    func fetch(_ completion: @escaping @Sendable (FetchResult) -> Void)
  }

  struct Push: AppDelegate {
    func launch(url: String?) -> Bool { true }
    func open(_ url: String) -> Bool { false }
    func fetch(_ completion: @escaping @Sendable (FetchResult) -> Void) { completion(.noData) }
  }

  struct Feed: AppDelegate {
    func launch(url: String?) -> Bool { true }
    func open(_ url: String) -> Bool { url.hasPrefix("feed:") }
    func fetch(_ completion: @escaping @Sendable (FetchResult) -> Void) { completion(.newData) }
  }

  final class CompositeDelegate: AppDelegate {
    private let delegates: [any AppDelegate]

    init(_ delegates: [any AppDelegate]) { self.delegates = delegates }

    func launch(url: String?) -> Bool {
      delegates.map { $0.launch(url: url) }.allSatisfy { $0 }
    }

    func open(_ url: String) -> Bool {
      delegates.map { $0.open(url) }.contains(true)
    }

    func fetch(_ completion: @escaping @Sendable (FetchResult) -> Void) {
      let (group, results) = (DispatchGroup(), Log())
      for delegate in delegates {
        group.enter()
        delegate.fetch { result in
          results.add(result.rawValue)
          group.leave()
        }
      }
      group.notify(queue: .global()) {
        let order: [FetchResult] = [.newData, .failed]
        completion(order.first { results.all.contains($0.rawValue) } ?? .noData)
      }
    }
  }

  static func makeDelegate() -> CompositeDelegate { CompositeDelegate([Push(), Feed()]) }

  struct PushPart: LifecycleResponder {
    func respond(to event: LifecycleEvent, _ reply: LifecycleReply) { reply.decline() }
  }

  struct FeedPart: LifecycleResponder {
    func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
      switch event {
      case .openURL(let request): reply.answer(.bool(request.url.hasPrefix("feed:")))
      case .didReceiveRemoteNotification: reply.answer(.fetch(.newData))
      default: reply.decline()
      }
    }
  }

  static func makeComposite() -> CompositeResponder { CompositeResponder(parts: [PushPart(), FeedPart()]) }
}
