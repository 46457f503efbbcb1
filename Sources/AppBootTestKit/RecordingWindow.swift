public import AppBoot
import AppBootSystem

/// A window that shows nothing, and remembers what it was told.
public final class RecordingWindow: AppWindow {
  /// Something that the window was told.
  public enum Call: Sendable, Hashable {
    /// To look like this.
    case apply(WindowAppearance)
    /// To show this screen.
    case show(AppScreen)
  }

  private let log = Lock<[Call]>([])
  private let theme: AppTheme?
  private let refusal: (any Error)?

  /// Creates a window whose system has this theme, and which refuses to show a screen where it has an error.
  public init(systemTheme: AppTheme? = nil, refusing error: (any Error)? = nil) {
    theme = systemTheme
    refusal = error
  }

  /// What the window was told, oldest first.
  public var calls: [Call] { log.withLock(\.self) }

  /// The screens that were shown, oldest first.
  public var screens: [AppScreen] {
    calls.compactMap { if case .show(let screen) = $0 { screen } else { nil } }
  }

  /// Remembers the appearance.
  public func apply(_ appearance: WindowAppearance) {
    log.withLock { $0.append(.apply(appearance)) }
  }

  /// Remembers the screen.
  ///
  /// - Throws: The error that the window was created with.
  public func show(_ screen: AppScreen) throws {
    if let refusal { throw refusal }
    log.withLock { $0.append(.show(screen)) }
  }

  /// The theme that the window was created with.
  public func systemTheme() -> AppTheme? { theme }
}
