import AppBoot
import AppBootBase

/// A window of the main actor, for example one that shows views.
///
/// Commands of the main lane and coordinators use it as an ``AppWindow``. It can show screens only on the main thread.
/// The protocol puts the whole type on the main actor.
///
/// ```swift
/// final class PhoneWindow: MainActorWindow {
///   func display(_ navigation: Navigation) { … }
/// }
/// ```
@MainActor
public protocol MainActorWindow: AppWindow {
  /// Shows the navigation in place of the current one.
  ///
  /// - Throws: An error if the screens cannot be shown.
  func display(_ navigation: Navigation) throws

  /// Sets the theme and the accent colour for all screens. The default does nothing.
  func display(_ appearance: WindowAppearance)

  /// Sets the function to call when the user has gone back or has dismissed a stack. The default does nothing.
  func reportUserNavigation(to report: @escaping @MainActor @Sendable (Navigation) -> Void)

  /// The system's theme; `nil` if it is unknown, which is the default.
  var displayedTheme: AppTheme? { get }
}

extension MainActorWindow {
  /// Does nothing.
  public func display(_ appearance: WindowAppearance) {}

  /// Does nothing.
  public func reportUserNavigation(to report: @escaping @MainActor @Sendable (Navigation) -> Void) {}

  /// Returns `nil`.
  public var displayedTheme: AppTheme? { nil }

  /// Displays the navigation.
  ///
  /// - Throws: ``NotOnMainThread``; the errors of ``display(_:)-(Navigation)``.
  nonisolated public func show(_ navigation: Navigation) throws {
    guard MainQueue.isOnMainActor else { throw NotOnMainThread() }
    try MainActor.assumeIsolated { try display(navigation) }
  }

  /// Displays the appearance: at once on the main thread, otherwise later.
  nonisolated public func apply(_ appearance: WindowAppearance) {
    MainQueue.run { self.display(appearance) }
  }

  /// Passes the function to ``reportUserNavigation(to:)``: at once on the main thread, otherwise later.
  nonisolated public func reportNavigation(to report: @escaping @Sendable (Navigation) -> Void) {
    MainQueue.run { self.reportUserNavigation(to: report) }
  }

  /// Returns the displayed theme; `nil` if the caller is not on the main thread.
  nonisolated public func systemTheme() -> AppTheme? {
    guard MainQueue.isOnMainActor else { return nil }
    return MainActor.assumeIsolated { displayedTheme }
  }

  /// Runs the work in a later job of the main actor.
  nonisolated public func afterNextFrame(_ work: @escaping @Sendable () -> Void) {
    MainQueue.add(work)
  }
}

/// A window of the main actor was asked to show a screen on another thread.
public struct NotOnMainThread: Error, Sendable, Hashable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// The error message with the fix.
  public var description: String {
    "a screen can be shown only on the main thread: run the command on the main lane"
  }
}
