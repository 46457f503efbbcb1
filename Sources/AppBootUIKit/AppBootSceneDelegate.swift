#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
public import AppBootLifecycle
public import UIKit

/// A scene delegate that sends each call of its methods as an event of its scene. A subclass only makes view
/// controllers.
///
/// ```swift
/// final class SceneDelegate: AppBootSceneDelegate {
///   override func makeViewController(for screen: AppScreen) -> UIViewController { … }
/// }
/// ```
@MainActor
open class AppBootSceneDelegate: UIResponder, UIWindowSceneDelegate {
  /// The key under which the restoration activity stores the scene's screens.
  public static let restorationKey = "appboot.screens"

  /// The scene's window.
  public var window: UIWindow?
  private let actions = PendingCompletions<Bool>()

  /// Makes the view controller of a screen. Override it: the default view controller is empty.
  open func makeViewController(for screen: AppScreen) -> UIViewController { UIViewController() }

  /// The app's host; `nil` if the app delegate has none, or is not an ``AppBootAppDelegate``.
  public var host: LifecycleHost? { delegate?.host }
  private var delegate: AppBootAppDelegate? { UIApplication.shared.delegate as? AppBootAppDelegate }

  /// Makes the window and sends `sceneWillConnect`. If no URL, activity, action or notification opened the scene,
  /// restores the screens that its session has stored.
  open func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene, let delegate else { return }
    let window = UIWindow(windowScene: scene)
    self.window = window
    let id = SceneID(session.persistentIdentifier)
    delegate.windows[id] = UIKitWindow(window) { [weak self] in
      self?.makeViewController(for: $0) ?? UIViewController()
    }
    let source = LaunchSource(connectionOptions)
    let options = source.options
    delegate.expectDuplicates(of: source)
    host?.receive(.sceneWillConnect(id, options))
    for context in connectionOptions.urlContexts.dropFirst() {
      host?.receive(.openURL(context.url.absoluteString, scene: id))
    }
    // A request that opened the scene has priority over its last screens.
    if options.reason == .normal,
      let restorationData = session.stateRestorationActivity?.userInfo?[Self.restorationKey] as? String
    {
      try? host?[id]?.coordinator?.restore(restorationData)
    }
  }

  /// Sends `sceneDidDisconnect`.
  open func sceneDidDisconnect(_ scene: UIScene) {
    host?.receive(.sceneDidDisconnect(scene.id))
    delegate?.windows[scene.id] = nil
  }

  /// Sends `sceneWillEnterForeground`.
  open func sceneWillEnterForeground(_ scene: UIScene) { host?.receive(.sceneWillEnterForeground(scene.id)) }
  /// Sends `sceneDidBecomeActive`.
  open func sceneDidBecomeActive(_ scene: UIScene) { host?.receive(.sceneDidBecomeActive(scene.id)) }
  /// Sends `sceneWillResignActive`.
  open func sceneWillResignActive(_ scene: UIScene) { host?.receive(.sceneWillResignActive(scene.id)) }
  /// Sends `sceneDidEnterBackground`.
  open func sceneDidEnterBackground(_ scene: UIScene) { host?.receive(.sceneDidEnterBackground(scene.id)) }

  /// Sends `openURL` for each URL. The URL's screen opens on top of the scene's current screen.
  open func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    for context in URLContexts { host?.receive(.openURL(context.url.absoluteString, scene: scene.id)) }
  }

  /// Sends `continueActivity`. The activity's screen opens on top of the scene's current screen.
  open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    host?.receive(.continueActivity(UserActivity(userActivity), scene: scene.id))
  }

  /// Sends `performQuickAction`. The action's screen opens on top of the current one. Calls the completion handler
  /// once.
  open func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    guard let host else { return completionHandler(false) }
    let complete = actions.store(completionHandler)
    host.receive(.performQuickAction(shortcutItem.type, scene: windowScene.id)) {
      complete($0.response.answer.bool)
    }
  }

  /// Returns an activity with the scene's screens. UIKit passes it to the scene when it is connected again.
  open func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    guard let coordinator = host?[scene.id]?.coordinator else { return nil }
    let activity = NSUserActivity(activityType: Self.restorationKey)
    activity.addUserInfoEntries(from: [Self.restorationKey: coordinator.restorationData])
    return activity
  }
}

extension UIScene {
  /// The identifier of the scene's session.
  fileprivate var id: SceneID { SceneID(session.persistentIdentifier) }
}
#endif
