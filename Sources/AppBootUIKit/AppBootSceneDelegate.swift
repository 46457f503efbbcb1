#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootBase
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
  open var window: UIWindow?

  /// The app's host; `nil` if the app delegate has none, or is not an ``AppBootAppDelegate``.
  public var host: LifecycleHost? { delegate?.host }
  private var delegate: AppBootAppDelegate? { .current }

  /// Makes the view controller of a screen. Override it: the default view controller is empty.
  open func makeViewController(for screen: AppScreen) -> UIViewController { UIViewController() }

  /// Makes the window that shows the scene's screens. The default makes a `UIWindow`.
  ///
  /// In a SwiftUI app, override it: SwiftUI makes the `UIWindow`, and the app's own `AppWindow` shows the screens.
  open func makeWindow(for scene: UIWindowScene) -> (any AppWindow)? {
    let window = UIWindow(windowScene: scene)
    self.window = window
    return UIKitWindow(window) { [weak self] in self?.makeViewController(for: $0) ?? UIViewController() }
  }

  /// Makes the window and sends `sceneWillConnect`. Then it sends the URLs, activities and the quick action that opened
  /// the scene, through the methods that UIKit calls for a connected scene.
  ///
  /// If no request opened the scene, the screens that its session has stored are restored after the handlers. If the
  /// launch failed, the window shows the failure instead.
  open func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene, let delegate else { return }
    let id = SceneID(session.persistentIdentifier)
    let window = makeWindow(for: scene)
    delegate.windows.withLock { $0[id] = window }
    if let error = delegate.launchError, showFailure(error, from: delegate) { return }
    let source = LaunchSource(connectionOptions)
    delegate.expectDuplicates(of: source, in: id)
    delegate.receive(.sceneWillConnect(SceneConnection(id, options: source.options)))
    // A request that opened the scene has priority over its last screens.
    let isRestored = source.options.reason == .normal
    let last = session.stateRestorationActivity?.userInfo?[Self.restorationKey] as? String
    host?.afterEvents(of: id) { session in
      // The launch has no window in an app with scenes: each scene's window gets the appearance that it decided.
      if let appearance = session.value(for: .appearance) { session.coordinator?.apply(appearance) }
      if isRestored, let last { try? session.coordinator?.restore(last) }
    }
    self.scene(scene, openURLContexts: connectionOptions.urlContexts)
    for activity in connectionOptions.userActivities { self.scene(scene, continue: activity) }
    #if !os(tvOS)
    if let item = connectionOptions.shortcutItem { windowScene(scene, performActionFor: item) { _ in } }
    #endif
    (self as? any InvitedSceneDelegate)?.acceptInvitation(of: connectionOptions, in: scene)
  }

  /// Shows the failure of the launch. Returns false if the app shows its screens anyway.
  func showFailure(_ error: any Error, from delegate: AppBootAppDelegate) -> Bool {
    guard let window, let controller = delegate.makeFailureViewController(for: error) else { return false }
    window.rootViewController = controller
    window.makeKeyAndVisible()
    return true
  }

  /// Sends `sceneDidDisconnect`.
  open func sceneDidDisconnect(_ scene: UIScene) {
    delegate?.receive(.sceneDidDisconnect(scene.id))
    delegate?.windows.withLock { $0[scene.id] = nil }
  }

  /// Sends `sceneWillEnterForeground`.
  open func sceneWillEnterForeground(_ scene: UIScene) {
    delegate?.receive(.sceneWillEnterForeground(scene.id))
  }
  /// Sends `sceneDidBecomeActive`.
  open func sceneDidBecomeActive(_ scene: UIScene) { delegate?.receive(.sceneDidBecomeActive(scene.id)) }
  /// Sends `sceneWillResignActive`.
  open func sceneWillResignActive(_ scene: UIScene) { delegate?.receive(.sceneWillResignActive(scene.id)) }
  /// Sends `sceneDidEnterBackground`. The app keeps running until the handlers and responders are done.
  open func sceneDidEnterBackground(_ scene: UIScene) {
    delegate?.receive(.sceneDidEnterBackground(scene.id))
  }

  /// Sends `openURL` for each URL, including the URLs that open the scene. The URL's screen opens on top of the scene's
  /// current screen.
  open func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    for context in URLContexts {
      delegate?.receive(
        .openURL(OpenURLRequest(context, scene: scene.id)),
        .url(context.url, UIApplication.OpenURLOptionsKey.options(context.options)))
    }
  }

  /// Sends `continueActivity`. The activity's screen opens on top of the scene's current screen.
  open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    let activity = UserActivity(userActivity, scene: scene.id)
    delegate?.receive(.continueActivity(activity), .activity(userActivity, { @Sendable _ in }))
  }

  #if !os(tvOS)
  /// Sends `performQuickAction`. The action's screen opens on top of the current one. Calls the completion handler
  /// once.
  open func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    let complete = OneShot(completionHandler)
    guard let delegate else { return complete(false) }
    let action = QuickAction(shortcutItem, scene: windowScene.id)
    delegate.receive(.performQuickAction(action), .quickAction(shortcutItem)) {
      complete($0?.response.answer.bool ?? false)
    }
  }
  #endif

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

/// A scene delegate that accepts the CloudKit invitation which opened its scene.
///
/// `AppBootCloudKit` adds the conformance, because this module does not link CloudKit.
@MainActor
package protocol InvitedSceneDelegate {
  /// Sends `userDidAcceptCloudKitShare` if an invitation opened the scene.
  func acceptInvitation(of connectionOptions: UIScene.ConnectionOptions, in scene: UIScene)
}

extension AppBootAppDelegate {
  /// Sends `userDidAcceptCloudKitShare` in an app without scenes.
  package func accept(_ share: CloudKitShare) { receive(.userDidAcceptCloudKitShare(share)) }
}

extension AppBootSceneDelegate {
  /// Sends `userDidAcceptCloudKitShare` for a scene.
  package func accept(_ share: CloudKitShare, in scene: UIScene) {
    var share = share
    share.scene = scene.id
    delegate?.receive(.userDidAcceptCloudKitShare(share))
  }
}
#endif
