#if canImport(UIKit) && !os(watchOS)
public import AppBoot
public import UIKit

/// A window of a launch that shows each screen's view controller in a `UIWindow`.
///
/// Screens can be shown only on the main thread, on which the main lane runs.
public final class UIKitWindow: AppWindow {
  private let window: UIWindow
  private let makeViewController: @MainActor @Sendable (AppScreen) -> UIViewController

  /// Creates a window. It shows the view controller that `makeViewController` returns for a screen.
  public init(
    _ window: UIWindow, makeViewController: @escaping @MainActor @Sendable (AppScreen) -> UIViewController
  ) {
    self.window = window
    self.makeViewController = makeViewController
  }

  /// Sets the theme and the accent colour of the window, and the accent colour of navigation bars (`UIAppearance`).
  public func apply(_ appearance: WindowAppearance) {
    let window = window
    MainThread.run {
      window.overrideUserInterfaceStyle = UIUserInterfaceStyle(appearance)
      let accent = UIColor(appearance.accent)
      window.tintColor = accent
      UINavigationBar.appearance().tintColor = accent
    }
  }

  /// Makes the screen's view controller the root of the window.
  ///
  /// - Throws: ``UIKitWindowError/notOnMainThread`` if the caller is not on the main thread.
  public func show(_ screen: AppScreen) throws {
    guard Thread.isMainThread else { throw UIKitWindowError.notOnMainThread }
    MainActor.assumeIsolated {
      window.rootViewController = makeViewController(screen)
      window.makeKeyAndVisible()
    }
  }

  /// Returns the theme from the window's traits; `nil` if it is unspecified, or if the caller is not on the main
  /// thread.
  public func systemTheme() -> AppTheme? {
    guard Thread.isMainThread else { return nil }
    return MainActor.assumeIsolated {
      switch window.traitCollection.userInterfaceStyle {
      case .dark: .dark
      case .light: .light
      case .unspecified: nil
      @unknown default: nil
      }
    }
  }
}

/// A failure to show a screen.
enum UIKitWindowError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The caller was not on the main thread, which UIKit requires.
  case notOnMainThread

  /// The error message with the fix.
  var description: String {
    "a screen can be shown only on the main thread: run the command on the main lane"
  }
}
#endif
