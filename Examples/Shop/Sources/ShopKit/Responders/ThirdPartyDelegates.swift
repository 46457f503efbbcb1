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

  /// Returns whether the library opened the URL.
  public func openURL(_ url: String, scene: SceneID?) -> Bool {
    guard url.hasPrefix("\(sdk):") else { return false }
    services.call("\(sdk) took \(url)")
    return true
  }
}
