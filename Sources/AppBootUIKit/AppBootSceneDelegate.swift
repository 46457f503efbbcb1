#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
public import AppBootLifecycle
public import UIKit

/// A scene delegate whose every method is an event of its scene: the app says only how a screen looks.
///
/// ```swift
/// final class SceneDelegate: AppBootSceneDelegate {
///   override func makeViewController(for screen: Screen) -> UIViewController { … }
/// }
/// ```
@MainActor
open class AppBootSceneDelegate: UIResponder, UIWindowSceneDelegate {
  /// The key under which the screens are kept in the restoration activity.
  public static let restorationKey = "appboot.screens"

  /// The scene's window.
  public var window: UIWindow?
  private let actions = PendingCompletions<Bool>()

  /// The view controller of a screen; to be overridden. By default an empty one.
  open func makeViewController(for screen: AppScreen) -> UIViewController { UIViewController() }

  /// The app's host.
  public var host: LifecycleHost? { delegate?.host }
  private var delegate: AppBootAppDelegate? { UIApplication.shared.delegate as? AppBootAppDelegate }

  /// `sceneWillConnect`: makes the window, and restores the screens where there were some.
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
    let signs = LaunchSource(connectionOptions)
    let options = signs.options
    delegate.expectEchoes(of: signs)
    host?.receive(.sceneWillConnect(id, options))
    for context in connectionOptions.urlContexts.dropFirst() {
      host?.receive(.openURL(context.url.absoluteString, scene: id))
    }
    // What the user asked for by connecting counts more than what the scene showed last.
    if options.reason == .normal,
      let kept = session.stateRestorationActivity?.userInfo?[Self.restorationKey] as? String
    {
      try? host?[id]?.coordinator?.restore(kept)
    }
  }

  /// `sceneDidDisconnect`
  open func sceneDidDisconnect(_ scene: UIScene) {
    host?.receive(.sceneDidDisconnect(scene.id))
    delegate?.windows[scene.id] = nil
  }

  /// `sceneWillEnterForeground`
  open func sceneWillEnterForeground(_ scene: UIScene) { host?.receive(.sceneWillEnterForeground(scene.id)) }
  /// `sceneDidBecomeActive`
  open func sceneDidBecomeActive(_ scene: UIScene) { host?.receive(.sceneDidBecomeActive(scene.id)) }
  /// `sceneWillResignActive`
  open func sceneWillResignActive(_ scene: UIScene) { host?.receive(.sceneWillResignActive(scene.id)) }
  /// `sceneDidEnterBackground`
  open func sceneDidEnterBackground(_ scene: UIScene) { host?.receive(.sceneDidEnterBackground(scene.id)) }

  /// `openURL` for each URL, on top of what the scene shows.
  open func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    for context in URLContexts { host?.receive(.openURL(context.url.absoluteString, scene: scene.id)) }
  }

  /// `continueActivity`, on top of what the scene shows.
  open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    host?.receive(.continueActivity(UserActivity(userActivity), scene: scene.id))
  }

  /// `performQuickAction`, on top of what the scene shows; the handler is called once.
  open func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    guard let host else { return completionHandler(false) }
    let complete = actions.keep(completionHandler)
    host.receive(.performQuickAction(shortcutItem.type, scene: windowScene.id)) {
      complete($0.response.answer.bool)
    }
  }

  /// The scene's screens, for the next time that it connects.
  open func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    guard let coordinator = host?[scene.id]?.coordinator else { return nil }
    let activity = NSUserActivity(activityType: Self.restorationKey)
    activity.addUserInfoEntries(from: [Self.restorationKey: coordinator.restorationData])
    return activity
  }
}

extension UIScene {
  /// The scene's name.
  fileprivate var id: SceneID { SceneID(session.persistentIdentifier) }
}
#endif
