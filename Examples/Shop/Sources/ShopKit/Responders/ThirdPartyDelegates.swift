import AppBoot
public import AppBootLifecycle

/// Passes URLs to a third-party library, which opens those of its own scheme.
public final class ThirdPartyDelegates {
  private let sdk: String
  private let services: Services

  /// Passes on to a library.
  public init(sdk: String, _ services: Services) {
    self.sdk = sdk
    self.services = services
  }
}

extension ThirdPartyDelegates: LifecycleResponder {
  /// The library's name.
  public var name: String { sdk }

  /// Answers whether the library opened the URL.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .openURL(let request) = event, request.url.hasPrefix("\(sdk):") else { return reply.decline() }
    services.call("\(sdk) took \(request.url)")
    reply.answer(.bool(true))
  }
}
