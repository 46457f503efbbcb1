#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootBase
public import AppBootLifecycle
public import UIKit
import UserNotifications

/// A responder that passes events to an existing app delegate, for example one part of a large one.
///
/// ```swift
/// configuration.responders = [ApplicationDelegateResponder(PushAppDelegate())]
/// ```
///
/// - It calls each method that the delegate implements, with the objects that UIKit passed to ``AppBootAppDelegate``.
/// - The results and completion handlers of several delegates are merged by the rules of `LifecycleResponder`.
/// - In an app with scenes, the delegate also receives the URLs, activities and quick actions of scenes, and the states
///   of the app, as in an app without scenes.
/// - A delegate that is a `UNUserNotificationCenterDelegate` receives the notifications too.
///
/// It retains the delegate. Methods without an event are not called, for example `configurationForConnecting`.
@MainActor
public final class ApplicationDelegateResponder: LifecycleResponder {
  /// The name of the delegate's type.
  nonisolated public let name: String
  private let part: any UIApplicationDelegate
  private var application: UIApplication { .shared }

  /// Creates the responder of a delegate.
  public init(_ part: any UIApplicationDelegate) {
    self.part = part
    name = String(describing: type(of: part))
  }

  /// Calls the delegate's method for the event, on the main thread.
  nonisolated public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    MainQueue.run { self.forward(event, reply) }
  }

  private func forward(_ event: LifecycleEvent, _ reply: LifecycleReply) {
    let call = AppBootAppDelegate.current?.calls.take(event, for: ObjectIdentifier(self))
    // Without the method, the other parts decide.
    if !ask(event, call, reply) { reply.decline() }
  }

  /// Calls the method that answers the event, or the one that only receives it.
  ///
  /// - Returns: False if the reply still needs an answer.
  private func ask(_ event: LifecycleEvent, _ call: DelegateCall?, _ reply: LifecycleReply) -> Bool {
    switch event {
    case .willFinishLaunching:
      return answer(
        part.application?(application, willFinishLaunchingWithOptions: call?.launchOptions), reply)
    case .didFinishLaunching:
      return answer(
        part.application?(application, didFinishLaunchingWithOptions: call?.launchOptions), reply)
    case .openURL(let request):
      guard let (url, options) = call?.url ?? Self.objects(of: request) else { return false }
      return answer(part.application?(application, open: url, options: options), reply)
    case .continueActivity(let activity):
      let (activity, restore) = call?.activity ?? (NSUserActivity(activity), { @Sendable _ in })
      return answer(
        part.application?(application, continue: activity, restorationHandler: restore), reply)
    case .didReceiveRemoteNotification(let payload):
      let complete: @Sendable (UIBackgroundFetchResult) -> Void = {
        reply.answer(.fetch(FetchResult($0)))
      }
      let userInfo = call?.userInfo ?? JSONPayload.object(payload)
      return part.application?(
        application, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: complete) != nil
    case .handleEventsForBackgroundURLSession(let identifier):
      let complete: @Sendable () -> Void = { reply.answer(.acknowledged) }
      return part.application?(
        application, handleEventsForBackgroundURLSession: identifier, completionHandler: complete) != nil
    case .performQuickAction, .willPresentNotification, .didReceiveNotificationResponse,
      .openNotificationSettings:
      return askNotifications(event, call, reply)
    case .didDiscardSceneSessions:
      if case .discardedSessions(let sessions) = call {
        part.application?(application, didDiscardSceneSessions: sessions)
      }
    default: notify(event, call)
    }
    return false
  }

  private func answer(_ result: Bool?, _ reply: LifecycleReply) -> Bool {
    if let result { reply.answer(.bool(result)) }
    return result != nil
  }

  /// Calls the method for an event of the notification centre, or for a quick action.
  ///
  /// - Returns: False if the reply still needs an answer.
  private func askNotifications(
    _ event: LifecycleEvent, _ call: DelegateCall?, _ reply: LifecycleReply
  ) -> Bool {
    let (listener, center) = (
      part as? any UNUserNotificationCenterDelegate, UNUserNotificationCenter.current()
    )
    if case .presentation(let notification) = call {
      let complete: @Sendable (UNNotificationPresentationOptions) -> Void = {
        reply.answer(.presentation(PresentationOptions($0)))
      }
      return listener?.userNotificationCenter?(
        center, willPresent: notification, withCompletionHandler: complete) != nil
    }
    #if !os(tvOS)
    if case .performQuickAction(let action) = event {
      let complete: @Sendable (Bool) -> Void = { reply.answer(.bool($0)) }
      let item =
        call?.quickAction ?? UIApplicationShortcutItem(type: action.type, localizedTitle: action.type)
      return part.application?(application, performActionFor: item, completionHandler: complete) != nil
    }
    if case .response(let response) = call {
      let complete: @Sendable () -> Void = { reply.answer(.acknowledged) }
      return listener?.userNotificationCenter?(
        center, didReceive: response, withCompletionHandler: complete) != nil
    }
    if case .settings(let notification) = call {
      listener?.userNotificationCenter?(center, openSettingsFor: notification)
    }
    #endif
    return false
  }

  /// Calls the method for an event without an answer.
  private func notify(_ event: LifecycleEvent, _ call: DelegateCall?) {
    switch event {
    case .willEnterForeground: part.applicationWillEnterForeground?(application)
    case .didBecomeActive: part.applicationDidBecomeActive?(application)
    case .willResignActive: part.applicationWillResignActive?(application)
    case .didEnterBackground: part.applicationDidEnterBackground?(application)
    case .willTerminate: part.applicationWillTerminate?(application)
    case .significantTimeChange: part.applicationSignificantTimeChange?(application)
    case .didReceiveMemoryWarning: part.applicationDidReceiveMemoryWarning?(application)
    case .protectedDataWillBecomeUnavailable:
      part.applicationProtectedDataWillBecomeUnavailable?(application)
    case .protectedDataDidBecomeAvailable: part.applicationProtectedDataDidBecomeAvailable?(application)
    case .didRegisterForRemoteNotifications(let token):
      part.application?(application, didRegisterForRemoteNotificationsWithDeviceToken: Data(token))
    case .didFailToRegisterForRemoteNotifications(let message):
      let error = call?.error ?? RegistrationError(description: message)
      part.application?(application, didFailToRegisterForRemoteNotificationsWithError: error)
    default: break
    }
  }

  private static func objects(
    of request: OpenURLRequest
  ) -> (URL, [UIApplication.OpenURLOptionsKey: Any])? {
    guard let url = URL(string: request.url) else { return nil }
    var all: [UIApplication.OpenURLOptionsKey: Any] = [.openInPlace: request.opensInPlace]
    all[.sourceApplication] = request.sourceApplication
    return (url, all)
  }

  #if !os(tvOS)
  /// Returns the orientations that the delegate supports; all of them if it does not implement the method.
  nonisolated public func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations {
    guard MainQueue.isOnMainActor else { return .all }
    return MainActor.assumeIsolated {
      let window = scene.flatMap(Self.window) ?? AppBootAppDelegate.current?.window
      let mask = part.application?(application, supportedInterfaceOrientationsFor: window)
      return mask.map(InterfaceOrientations.init) ?? .all
    }
  }

  private static func window(of scene: SceneID) -> UIWindow? {
    let scenes = UIApplication.shared.connectedScenes
    let delegate = scenes.first { $0.session.persistentIdentifier == scene.name }?.delegate
    return (delegate as? AppBootSceneDelegate)?.window
  }
  #endif
}

/// The error of a registration that no delegate received, for example because a provider refused the token.
private struct RegistrationError: Error, CustomStringConvertible {
  let description: String
}

extension DelegateCall {
  fileprivate var launchOptions: [UIApplication.LaunchOptionsKey: Any]? {
    if case .launch(let options) = self { options } else { nil }
  }
  fileprivate var url: (URL, [UIApplication.OpenURLOptionsKey: Any])? {
    if case .url(let url, let options) = self { (url, options) } else { nil }
  }
  fileprivate var activity: (NSUserActivity, ([any UIUserActivityRestoring]?) -> Void)? {
    if case .activity(let activity, let restore) = self { (activity, restore) } else { nil }
  }
  fileprivate var userInfo: [AnyHashable: Any]? {
    if case .remoteNotification(let userInfo) = self { userInfo } else { nil }
  }
  fileprivate var error: (any Error)? {
    if case .registrationError(let error) = self { error } else { nil }
  }
  #if !os(tvOS)
  fileprivate var quickAction: UIApplicationShortcutItem? {
    if case .quickAction(let item) = self { item } else { nil }
  }
  #endif
}

/// The objects with which the system called a delegate for an event.
///
/// An event has only values that can be sent between threads. An ``ApplicationDelegateResponder`` passes these objects
/// on instead.
enum DelegateCall {
  case launch([UIApplication.LaunchOptionsKey: Any]?)
  case registrationError(any Error)
  case remoteNotification([AnyHashable: Any])
  case url(URL, [UIApplication.OpenURLOptionsKey: Any])
  case activity(NSUserActivity, ([any UIUserActivityRestoring]?) -> Void)
  case discardedSessions(Set<UISceneSession>)
  case presentation(UNNotification)
  #if !os(tvOS)
  case quickAction(UIApplicationShortcutItem)
  case response(UNNotificationResponse)
  case settings(UNNotification?)
  #endif
}

/// The calls whose events have no outcome yet.
@MainActor
final class DelegateCalls {
  private struct Pending {
    let id: Int
    let call: DelegateCall
    /// The responders that have received the objects.
    var takers: Set<ObjectIdentifier> = []
  }

  private var calls: [LifecycleEvent: [Pending]] = [:]
  private var lastID = 0

  /// Creates an empty table.
  nonisolated init() {}

  /// True if no event waits for its outcome.
  var isEmpty: Bool { calls.isEmpty }

  /// Returns the call of an event that a responder handles; `nil` if no delegate was called for it.
  ///
  /// Equal events can be pending at the same time. Each responder handles them in the order of their calls, so it gets
  /// the oldest call that it has not had yet. An event that a command emitted takes no call if there is no equal one.
  func take(_ event: LifecycleEvent, for responder: ObjectIdentifier) -> DelegateCall? {
    guard let pending = calls[event] else { return nil }
    guard let index = pending.firstIndex(where: { !$0.takers.contains(responder) }) else {
      return pending.last?.call
    }
    calls[event]?[index].takers.insert(responder)
    return pending[index].call
  }

  /// Adds a call. Returns its number.
  func add(_ call: DelegateCall, for event: LifecycleEvent) -> Int {
    lastID += 1
    calls[event, default: []].append(Pending(id: lastID, call: call))
    return lastID
  }

  /// Removes the call with a number.
  func remove(_ id: Int, of event: LifecycleEvent) {
    calls[event]?.removeAll { $0.id == id }
    if calls[event]?.isEmpty == true { calls[event] = nil }
  }
}

extension UIApplication.OpenURLOptionsKey {
  /// Returns the options of a scene's URL as an app without scenes receives them.
  @MainActor
  static func options(_ options: UIScene.OpenURLOptions) -> [Self: Any] {
    var all: [Self: Any] = [.openInPlace: options.openInPlace]
    all[.sourceApplication] = options.sourceApplication
    all[.annotation] = options.annotation
    return all
  }
}
#endif
