import BackgroundTasks
import MetricKit
import UIKit
import os

@testable import AppBootUIKit

/// A stand-in for the part of UIKit that calls an app's delegates: it calls them in the documented order, and posts the
/// documented notifications.
@MainActor
final class Phone {
  let application: UIApplication
  let delegate: TestAppDelegate
  private(set) var scenes: [String: UIWindowScene] = [:]
  private(set) var sessions: [String: UISceneSession] = [:]

  /// Creates a phone with one app. It resets the state of the stubs.
  init(_ delegate: TestAppDelegate) {
    UIApplication.reset()
    UNUserNotificationCenter.reset()
    BGTaskScheduler.shared.reset()
    MXMetricManager.shared.reset()
    Signposts.shared.reset()
    UIWindow.systemStyle = .light
    application = .shared
    self.delegate = delegate
    application.delegate = delegate
  }

  // MARK: - The process

  /// Launches the app. An app with scenes is in the background until a scene is connected.
  @discardableResult
  func launch(_ options: [UIApplication.LaunchOptionsKey: Any]? = nil, inBackground: Bool = false) -> Bool {
    application.applicationState = inBackground || delegate.hasScenes ? .background : .inactive
    let mayLaunch = delegate.application(application, willFinishLaunchingWithOptions: options)
    let isLaunched = delegate.application(application, didFinishLaunchingWithOptions: options)
    post(UIApplication.didFinishLaunchingNotification)
    return mayLaunch && isLaunched
  }

  /// Brings an app without scenes, or all scenes, to the foreground.
  func enterForeground() {
    change(UIApplication.willEnterForegroundNotification, .inactive, delegate.applicationWillEnterForeground)
    for scene in sortedScenes { scene.delegate?.sceneWillEnterForeground(scene) }
    activate()
  }

  /// Makes an app without scenes, or all scenes, active.
  func activate() {
    change(UIApplication.didBecomeActiveNotification, .active, delegate.applicationDidBecomeActive)
    for scene in sortedScenes { scene.delegate?.sceneDidBecomeActive(scene) }
  }

  /// Sends an app without scenes, or all scenes, to the background.
  func enterBackground() {
    change(UIApplication.willResignActiveNotification, .inactive, delegate.applicationWillResignActive)
    for scene in sortedScenes { scene.delegate?.sceneWillResignActive(scene) }
    change(UIApplication.didEnterBackgroundNotification, .background, delegate.applicationDidEnterBackground)
    for scene in sortedScenes { scene.delegate?.sceneDidEnterBackground(scene) }
  }

  private var sortedScenes: [UIWindowScene] { scenes.sorted { $0.key < $1.key }.map(\.value) }

  /// UIKit does not call the app delegate about the states of an app with scenes.
  private func change(
    _ name: Notification.Name, _ state: UIApplication.State, _ call: (UIApplication) -> Void
  ) {
    application.applicationState = state
    if !delegate.hasScenes { call(application) }
    post(name)
  }

  private func post(_ name: Notification.Name) {
    NotificationCenter.default.post(name: name, object: application)
  }

  // MARK: - Scenes

  /// Connects a scene. A scene that was connected before has the same session.
  @discardableResult
  func connect(
    _ name: String, _ options: UIScene.ConnectionOptions? = nil, delegate: TestSceneDelegate? = nil
  ) -> UIWindow? {
    let options = options ?? UIScene.ConnectionOptions()
    let sceneDelegate = delegate ?? TestSceneDelegate()
    let session = sessions[name] ?? UISceneSession(name)
    sessions[name] = session
    let scene = UIWindowScene(session: session, connectionOptions: options)
    scenes[name] = scene
    session.configuration = self.delegate.application(
      application, configurationForConnecting: session, options: options)
    scene.delegate = sceneDelegate
    application.connectedScenes.insert(scene)
    sceneDelegate.scene(scene, willConnectTo: session, options: options)
    return sceneDelegate.window
  }

  /// Disconnects a scene, and stores its restoration activity in its session.
  func disconnect(_ name: String) {
    guard let scene = scenes.removeValue(forKey: name), let delegate = scene.delegate else { return }
    scene.session.stateRestorationActivity = delegate.stateRestorationActivity(for: scene)
    delegate.sceneDidDisconnect(scene)
    application.connectedScenes.remove(scene)
  }

  /// Ends the process and starts a new one with another delegate. The sessions of the scenes remain.
  func relaunch(_ delegate: TestAppDelegate) -> Phone {
    for scene in sortedScenes {
      scene.session.stateRestorationActivity = scene.delegate?.stateRestorationActivity(for: scene)
    }
    let phone = Phone(delegate)
    phone.sessions = sessions
    return phone
  }

  // MARK: - Notifications

  /// Delivers the user's response to a notification.
  func respond(_ response: UNNotificationResponse, _ completion: @escaping () -> Void = {}) {
    let center = UNUserNotificationCenter.current()
    center.delegate?.userNotificationCenter(center, didReceive: response, withCompletionHandler: completion)
  }

  /// Delivers a notification while the app is in the foreground.
  func present(
    _ notification: UNNotification, _ completion: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    let center = UNUserNotificationCenter.current()
    center.delegate?.userNotificationCenter(
      center, willPresent: notification, withCompletionHandler: completion)
  }
}

extension UNNotification {
  /// Creates a notification with a payload.
  convenience init(
    _ userInfo: [AnyHashable: Any], identifier: String = "request", category: String = "", thread: String = ""
  ) {
    let content = UNNotificationContent()
    content.userInfo = userInfo
    content.categoryIdentifier = category
    content.threadIdentifier = thread
    self.init(UNNotificationRequest(identifier: identifier, content: content))
  }
}
