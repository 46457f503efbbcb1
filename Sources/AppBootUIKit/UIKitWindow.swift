#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
public import AppBootLifecycle
import Synchronization
public import UIKit

/// A `UIWindow` as the window of a launch: what it shows is a view controller made for the screen.
///
/// Screens are shown on the main thread only, where the main lane is.
public final class UIKitWindow: AppWindow {
  private let window: UIWindow
  private let makeViewController: @MainActor @Sendable (AppScreen) -> UIViewController

  /// Shows screens on a window, each by the view controller that is made for it.
  public init(
    _ window: UIWindow, makeViewController: @escaping @MainActor @Sendable (AppScreen) -> UIViewController
  ) {
    self.window = window
    self.makeViewController = makeViewController
  }

  /// Sets theme and accent of the window, and the accent of navigation bars through `UIAppearance`.
  public func apply(_ appearance: WindowAppearance) {
    let window = window
    MainThread.run {
      window.overrideUserInterfaceStyle = appearance.theme == .dark ? .dark : .light
      let accent = UIColor(appearance.accent)
      window.tintColor = accent
      UINavigationBar.appearance().tintColor = accent
    }
  }

  /// Makes the screen's view controller the root of the window.
  ///
  /// - Throws: ``UIKitWindowError/notOnMainThread`` from any other thread.
  public func show(_ screen: AppScreen) throws {
    guard Thread.isMainThread else { throw UIKitWindowError.notOnMainThread }
    MainActor.assumeIsolated {
      window.rootViewController = makeViewController(screen)
      window.makeKeyAndVisible()
    }
  }

  /// What the window's traits say of light and dark; `nil` from any other thread than the main one.
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

/// Why a window cannot show a screen.
public enum UIKitWindowError: Error, Sendable, Hashable, CustomStringConvertible {
  /// UIKit takes calls on the main thread only.
  case notOnMainThread

  /// What to do.
  public var description: String {
    "a screen can only be shown on the main thread: let the command run on the main lane"
  }
}

/// The windows of the connected scenes, by the scene's name.
public final class UIKitWindows: Sendable {
  private let windows = Mutex<[SceneID: UIKitWindow]>([:])

  /// Creates an empty table.
  public init() {}

  /// The window of a scene.
  public subscript(scene: SceneID) -> UIKitWindow? {
    get { windows.withLock { $0[scene] } }
    set { windows.withLock { $0[scene] = newValue } }
  }
}

extension UIColor {
  convenience init(_ color: AppColor) {
    self.init(
      red: CGFloat(color.red) / 255, green: CGFloat(color.green) / 255, blue: CGFloat(color.blue) / 255,
      alpha: 1)
  }
}
#endif
