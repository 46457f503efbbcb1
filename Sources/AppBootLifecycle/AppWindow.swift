import AppBoot
import AppBootBase
import AppBootSystem

/// A window that shows screens: the terminal in the command-line tool, a `UIWindow` on iOS.
///
/// A window receives all of its screens at once, and so knows what to push, pop, present and dismiss. A window whose
/// views are on the main actor is a `MainActorWindow`.
public protocol AppWindow: AnyObject, Sendable, NonisolatedPart {
  /// Sets the theme and the accent colour for all screens that are shown from now on.
  func apply(_ appearance: WindowAppearance)

  /// Shows a navigation in place of the current one.
  ///
  /// Equal items mean the same view: the window keeps the view of an item while the navigation contains it.
  ///
  /// - Throws: An error if the screens cannot be shown.
  func show(_ navigation: Navigation) throws

  /// Shows a screen. The default shows it in place of all others. A coordinator pushes it.
  ///
  /// - Throws: An error if the screen cannot be shown.
  func show(_ screen: AppScreen) throws

  /// Sets the function to call when the user has gone back or has dismissed a stack. The default does nothing.
  ///
  /// The window has already shown the navigation that it reports. It does not report changes by
  /// ``show(_:)-(Navigation)``.
  func reportNavigation(to report: @escaping @Sendable (Navigation) -> Void)

  /// Runs work after the current screen is visible. The default runs it at once.
  func afterNextFrame(_ work: @escaping @Sendable () -> Void)

  /// Returns the system's theme; `nil` if it is unknown.
  func systemTheme() -> AppTheme?
}

extension AppWindow {
  /// Shows a screen in place of all others.
  public func show(_ screen: AppScreen) throws { try show(Navigation(screen)) }

  /// Does nothing: in this window the user cannot go back.
  public func reportNavigation(to report: @escaping @Sendable (Navigation) -> Void) {}

  /// Runs the work at once.
  public func afterNextFrame(_ work: @escaping @Sendable () -> Void) { work() }

  /// Returns `nil`, because the system's theme is unknown by default.
  public func systemTheme() -> AppTheme? { nil }
}

/// A theme: light or dark.
public enum AppTheme: String, Sendable, Hashable, CaseIterable {
  /// Dark text on a light ground.
  case light
  /// Light text on a dark ground.
  case dark
}

/// A colour in sRGB. Its text is `#RRGGBB`.
public struct AppColor: Sendable, Hashable, CustomStringConvertible {
  /// The red component, from 0 to 255.
  public let red: UInt8
  /// The green component, from 0 to 255.
  public let green: UInt8
  /// The blue component, from 0 to 255.
  public let blue: UInt8

  /// Creates a colour from its components, each from 0 to 255.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Parses `#RRGGBB`; returns `nil` for any other text.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 7, digits[0] == UInt8(ascii: "#"),
      digits.dropFirst().allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let number = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }

  /// The colour as `#RRGGBB`.
  public var description: String {
    "#" + Hexadecimal.text(of: [red, green, blue]).uppercased()
  }
}

/// The theme and the accent colour of a window. The command `Appearance` chooses them and provides them to later
/// commands.
public struct WindowAppearance: Sendable, Hashable {
  /// The theme: light or dark.
  public let theme: AppTheme
  /// The colour of headings and of controls.
  public let accent: AppColor
  /// True if the theme is the system's. A window that can do so changes its theme when the system's theme changes.
  public let followsSystem: Bool

  /// Creates an appearance. By default the theme does not change.
  public init(theme: AppTheme, accent: AppColor, followsSystem: Bool = false) {
    self.theme = theme
    self.accent = accent
    self.followsSystem = followsSystem
  }
}

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
    "a screen can be shown only on the main thread: make the command a MainActorCommand, or give it `lane = .main`"
  }
}
