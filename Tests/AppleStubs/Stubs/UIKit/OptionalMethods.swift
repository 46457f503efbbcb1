// swift-format-ignore-file
// The optional methods of UIApplicationDelegate, for calls like `delegate.application?(…)` (OptionalMethod).

@MainActor extension UIApplicationDelegate {
  public typealias StateMethod = (UIApplication) -> Void?
  private func state(_ method: @escaping (UIApplication) -> Void) -> StateMethod? {
    { app in OptionalMethod.call { method(app) } }
  }
  public var application: ApplicationMethods? { ApplicationMethods(delegate: self) }
  public var applicationWillEnterForeground: StateMethod? { state { self.applicationWillEnterForeground($0) } }
  public var applicationDidBecomeActive: StateMethod? { state { self.applicationDidBecomeActive($0) } }
  public var applicationWillResignActive: StateMethod? { state { self.applicationWillResignActive($0) } }
  public var applicationDidEnterBackground: StateMethod? { state { self.applicationDidEnterBackground($0) } }
  public var applicationWillTerminate: StateMethod? { state { self.applicationWillTerminate($0) } }
  public var applicationSignificantTimeChange: StateMethod? { state { self.applicationSignificantTimeChange($0) } }
  public var applicationDidReceiveMemoryWarning: StateMethod? { state { self.applicationDidReceiveMemoryWarning($0) } }
  public var applicationProtectedDataWillBecomeUnavailable: StateMethod? {
    state { self.applicationProtectedDataWillBecomeUnavailable($0) }
  }
  public var applicationProtectedDataDidBecomeAvailable: StateMethod? {
    state { self.applicationProtectedDataDidBecomeAvailable($0) }
  }
}

@MainActor public struct ApplicationMethods {
  let delegate: any UIApplicationDelegate

  public func callAsFunction(
    _ app: UIApplication, willFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool? { OptionalMethod.call { delegate.application(app, willFinishLaunchingWithOptions: options) } }

  public func callAsFunction(
    _ app: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool? { OptionalMethod.call { delegate.application(app, didFinishLaunchingWithOptions: options) } }

  public func callAsFunction(
    _ app: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
  ) -> Void? {
    OptionalMethod.call { delegate.application(app, didRegisterForRemoteNotificationsWithDeviceToken: token) }
  }

  public func callAsFunction(
    _ app: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) -> Void? {
    OptionalMethod.call { delegate.application(app, didFailToRegisterForRemoteNotificationsWithError: error) }
  }

  public func callAsFunction(
    _ app: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler handler: @escaping (UIBackgroundFetchResult) -> Void
  ) -> Void? {
    OptionalMethod.call {
      delegate.application(app, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: handler)
    }
  }

  public func callAsFunction(
    _ app: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) -> Void? {
    OptionalMethod.call {
      delegate.application(
        app, handleEventsForBackgroundURLSession: identifier, completionHandler: completionHandler)
    }
  }

  public func callAsFunction(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool? { OptionalMethod.call { delegate.application(app, open: url, options: options) } }

  public func callAsFunction(
    _ app: UIApplication, continue activity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool? {
    OptionalMethod.call { delegate.application(app, continue: activity, restorationHandler: restorationHandler) }
  }

  public func callAsFunction(
    _ app: UIApplication, didDiscardSceneSessions sessions: Set<UISceneSession>
  ) -> Void? { OptionalMethod.call { delegate.application(app, didDiscardSceneSessions: sessions) } }

#if !tvos
  public func callAsFunction(
    _ app: UIApplication, performActionFor item: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) -> Void? {
    OptionalMethod.call { delegate.application(app, performActionFor: item, completionHandler: completionHandler) }
  }

  public func callAsFunction(
    _ app: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
  ) -> UIInterfaceOrientationMask? {
    OptionalMethod.call { delegate.application(app, supportedInterfaceOrientationsFor: window) }
  }
#endif
}
