// swift-format-ignore-file
// The scenes of the stub of UIKit.

@MainActor open class UIScene: UIResponder {
  @MainActor open class ConnectionOptions: NSObject {
    public var urlContexts: Set<UIOpenURLContext> = []
    public var userActivities: Set<NSUserActivity> = []
#if !tvos
    public var shortcutItem: UIApplicationShortcutItem?
    public var notificationResponse: UNNotificationResponse?
#endif
    public var sourceApplication: String?
    /// The CloudKit invitation; the stub of CloudKit declares the property that returns it.
    public var cloudKitShare: NSObject?
  }
  @MainActor open class OpenURLOptions: NSObject {
    public var sourceApplication: String?
    public var annotation: Any?
    public var openInPlace = false
  }
  public enum ActivationState: Int, Sendable { case unattached = -1, foregroundActive, foregroundInactive, background }
  public required init(session: UISceneSession, connectionOptions: ConnectionOptions) { self.session = session }
  public let session: UISceneSession
  public var delegate: (any UISceneDelegate)?
  public var activationState = ActivationState.unattached
}
@MainActor open class UIWindowScene: UIScene {
  public var windows: [UIWindow] = []
}
@MainActor open class UISceneSession: NSObject {
  public struct Role: Hashable, Sendable {
    let name: String
    public static let windowApplication = Role(name: "UIWindowSceneSessionRoleApplication")
    public static let windowExternalDisplayNonInteractive = Role(name: "UIWindowSceneSessionRoleExternalDisplay")
  }
  public let persistentIdentifier: String
  public let role: Role
  public var configuration: UISceneConfiguration
  public var stateRestorationActivity: NSUserActivity?
  public init(
    _ persistentIdentifier: String, role: Role = .windowApplication, configuration: UISceneConfiguration? = nil
  ) {
    self.persistentIdentifier = persistentIdentifier
    self.role = role
    self.configuration = configuration ?? UISceneConfiguration(name: nil, sessionRole: role)
  }
}
@MainActor open class UISceneConfiguration: NSObject {
  public let name: String?
  public let role: UISceneSession.Role
  public var delegateClass: AnyClass?
  public init(name: String?, sessionRole: UISceneSession.Role) {
    self.name = name
    self.role = sessionRole
  }
}
@MainActor open class UIOpenURLContext: NSObject {
  public let url: URL
  public let options: UIScene.OpenURLOptions
  public init(_ url: URL, _ options: UIScene.OpenURLOptions? = nil) {
    self.url = url
    self.options = options ?? UIScene.OpenURLOptions()
  }
}

@MainActor public protocol UISceneDelegate: AnyObject {
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
  func sceneDidDisconnect(_ scene: UIScene)
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidBecomeActive(_ scene: UIScene)
  func sceneWillResignActive(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
  func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
}
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
  var window: UIWindow? { get set }
#if !tvos
  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)
#endif
}

#if !tvos
extension UNNotificationResponse {
  @MainActor public var targetScene: UIScene? { scene as? UIScene }
}
#endif
