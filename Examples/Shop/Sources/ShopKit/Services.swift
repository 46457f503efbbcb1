import Synchronization

/// A stand-in for the system's frameworks that records every call of the app's parts.
public final class Services: Sendable {
  /// The services of the running app.
  public static let shared = Services()

  private struct State {
    var calls: [String] = []
    var badge = 3
    var consent = false
  }

  private let state = Mutex(State())

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
  /// The icon of the running app.
  public static let shared = AppIcon()

  /// The quick actions that the icon offers.
  public private(set) var actions: [String] = []

  func offer(_ actions: [String]) {
    self.actions = actions
    Services.shared.call("quick actions \(actions.joined(separator: " "))")
  }
}
