public import AppBoot
import AppBootSystem

/// A window that displays nothing and records its calls.
public final class RecordingWindow: AppWindow {
  /// A call to the window.
  package enum Call: Sendable, Hashable {
    /// A call of `apply(_:)`.
    case apply(WindowAppearance)
    /// A call of `show(_:)`.
    case show(AppScreen)
  }

  private let log = Lock<[Call]>([])
  private let theme: AppTheme?
  private let refusal: (any Error)?

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - systemTheme: The result of `systemTheme()`.
  ///   - error: The error that `show(_:)` throws; `nil` to throw none.
  public init(systemTheme: AppTheme? = nil, refusing error: (any Error)? = nil) {
    theme = systemTheme
    refusal = error
  }

  /// The calls so far, oldest first.
  package var calls: [Call] { log.withLock(\.self) }

  /// The screens that were shown, oldest first.
  public var screens: [AppScreen] {
    calls.compactMap { if case .show(let screen) = $0 { screen } else { nil } }
  }

  /// Records the appearance.
  public func apply(_ appearance: WindowAppearance) {
    log.withLock { $0.append(.apply(appearance)) }
  }

  /// Records the screen, or throws the error that was passed to `init`.
  public func show(_ screen: AppScreen) throws {
    if let refusal { throw refusal }
    log.withLock { $0.append(.show(screen)) }
  }

  /// Returns the theme that was passed to `init`.
  public func systemTheme() -> AppTheme? { theme }
}
