import Synchronization

/// A stand-in for the system's frameworks that records every call of the app's parts.
public final class Services: Sendable {
  private struct State {
    var calls: [String] = []
    var badge = 3
    var consent = false
  }

  private let state = Mutex(State())
  /// The orientations that the screens may have.
  let orientations = OrientationLock()

  /// Creates services that were asked nothing yet.
  public init() {}

  /// The calls so far, in order.
  public var calls: [String] { state.withLock { $0.calls } }

  /// The number on the app's icon.
  public var badge: Int { state.withLock { $0.badge } }

  func call(_ what: String) { state.withLock { $0.calls.append(what) } }

  func setBadge(_ number: Int) { state.withLock { $0.badge = number } }
}

/// A stand-in for the app's icon, which only the main actor changes, as in UIKit.
@MainActor public final class AppIcon {
  private let services: Services

  /// Creates the icon, which offers no actions yet.
  public nonisolated init(_ services: Services) { self.services = services }

  /// The quick actions that the icon offers.
  public private(set) var actions: [String] = []

  /// Offers quick actions instead of the current ones.
  public func offer(_ actions: [String]) {
    self.actions = actions
    services.call("quick actions \(actions.joined(separator: " "))")
  }
}
