#if canImport(UIKit) && !os(watchOS)
public import AppBoot
import AppBootBase
public import AppBootLifecycle
public import UIKit
import UserNotifications

/// An app delegate that launches the app's manifest, and sends each call of its methods to a `LifecycleHost` as an
/// event.
///
/// ```swift
/// @main final class AppDelegate: AppBootAppDelegate {
///   override func register(in registry: inout CommandRegistry) {
///     registry.register([OpenDatabase.self, WarmCaches.self])
///   }
/// }
/// ```
///
/// It also works with SwiftUI's `UIApplicationDelegateAdaptor`.
@MainActor
open class AppBootAppDelegate: UIResponder, UIApplicationDelegate {
  /// The delegate of this process; `nil` before the launch.
  ///
  /// In a SwiftUI app, `UIApplication.delegate` is an object of SwiftUI instead.
  public private(set) static weak var current: AppBootAppDelegate?

  /// True if the system started this process before the user needed it (Apple, "About the app launch sequence").
  ///
  /// It says nothing about the launch, which begins later: when the user opens the app, its reason is `normal`.
  public static var isPrewarmed: Bool { ProcessInfo.processInfo.environment["ActivePrewarm"] == "1" }

  /// The host that runs the app. It is `nil` before the launch, and if ``makeHost()`` failed.
  public private(set) var host: LifecycleHost?
  /// The error of ``makeHost()`` or of the launch, which is then a `LaunchFailed`; `nil` before an error.
  public private(set) var launchError: (any Error)?
  /// The window of an app without scenes; `nil` if the app has scenes, and before the launch.
  open var window: UIWindow?

  /// The windows of the connected scenes.
  let windows = Lock<[SceneID: any AppWindow]>([:])
  let pushService = ApplePushService()
  /// The objects of calls whose events have no outcome yet.
  let calls = DelegateCalls()
  private var notifications: NotificationDelegate?
  private var hasReportedNotificationDelegate = false
  private var states: NotificationCenterEventSource?
  /// The filters that recognize events which UIKit sends twice. Without scenes, they last until the app is active.
  private var duplicateFilters: [DuplicateEventFilter] = []

  /// True if the app has scenes. UIKit then posts foreground and background only as notifications.
  var usesScenes: Bool { Bundle.main.hasScenes }
  /// The role of the process, which says whether a launch of an app with scenes is in the background.
  var processRole: ProcessRole { .current }

  // MARK: - Methods that an app overrides

  /// Adds the app's commands, libraries and events to the registry. The default does nothing.
  open func register(in registry: inout CommandRegistry) {}

  /// Changes the configuration of the host: its listeners, responders, routes and journal. The default does nothing.
  open func configure(_ configuration: inout LifecycleHost.Configuration) {}

  /// The path of the manifest; `nil` without a manifest. The default is `commands.json` in the app's bundle.
  open var manifestPath: String? { Bundle.main.path(forResource: "commands", ofType: "json") }

  /// The directory of the state and the journal. The default is `AppBoot` in Application Support.
  open var stateDirectory: String { DefaultHost.stateDirectory() }

  /// The timeout of a launch whose plan sets no timeout. iOS kills an app that launches for about 20 s.
  open var launchTimeout: Duration { .seconds(15) }

  /// The identifiers of the app's background tasks. The launch registers them; they run as `performBackgroundTask`.
  open var backgroundTasks: [String] { [] }

  /// The class of the scene delegates, in place of the one in `Info.plist`; `nil` for that one.
  ///
  /// A SwiftUI app needs it, because its `Info.plist` names no scene delegate.
  open var sceneDelegateClass: AppBootSceneDelegate.Type? { nil }

  /// Makes the view controller of a screen in an app without scenes. The default is an empty one.
  open func makeViewController(for screen: AppScreen) -> UIViewController { UIViewController() }

  /// Makes the plan of the launch. The default reads the manifest at ``manifestPath``, with the commands of
  /// ``register(in:)``.
  ///
  /// ```swift
  /// override func makePlan() throws -> LaunchPlan {
  ///   try LaunchPlan("Notes") { Step("database", OpenDatabase()) }
  /// }
  /// ```
  ///
  /// State, journal, timeout and window of the delegate belong to this plan too, unless it has its own.
  ///
  /// - Throws: Any error. The delegate passes it to ``launchFailed(_:)``.
  open func makePlan() throws -> LaunchPlan {
    var registry = CommandRegistry()
    registry.provide(pushService, for: .pushService)
    register(in: &registry)
    return try DefaultHost.plan(reading: manifestPath, registry)
  }

  /// Makes the host that runs the app. The default makes one for ``makePlan()``.
  ///
  /// - Throws: Any error. The delegate passes it to ``launchFailed(_:)``.
  open func makeHost() throws -> LifecycleHost {
    var configuration = scenes()
    configure(&configuration)
    var plan = try makePlan()
    let push = ContextKey.pushService
    if plan.environment.provided[push.name] == nil { plan = plan.providing(pushService, for: push) }
    return try DefaultHost.make(
      plan, state: stateDirectory, timeout: launchTimeout, configuration,
      window: usesScenes ? nil : makeProcessWindow())
  }

  /// Handles an error of ``makeHost()`` or of the launch. The default logs it, and shows the failure in every window.
  open func launchFailed(_ error: any Error) {
    NSLog("AppBoot: %@", String(describing: error))
    showFailure(error)
  }

  /// Makes the view controller that every window shows after a failed launch; `nil` to show the app's screens anyway.
  open func makeFailureViewController(for error: any Error) -> UIViewController? {
    FailureViewController(error)
  }

  /// Returns a host configuration that uses the windows of the scene delegates.
  public func scenes() -> LifecycleHost.Configuration {
    var configuration = LifecycleHost.Configuration()
    let windows = windows
    configuration.window = { scene in windows.withLock { $0[scene] } }
    return configuration
  }

  // MARK: - Windows

  /// Makes the window of an app without scenes.
  private func makeProcessWindow() -> UIKitWindow {
    let window = self.window ?? UIWindow()
    self.window = window
    return UIKitWindow(window) { [weak self] in self?.makeViewController(for: $0) ?? UIViewController() }
  }

  /// Shows the failure of a launch in the windows of the connected scenes or, in an app without scenes, in its window.
  private func showFailure(_ error: any Error) {
    if usesScenes {
      for scene in UIApplication.shared.connectedScenes {
        guard let delegate = scene.delegate as? AppBootSceneDelegate,
          delegate.showFailure(error, from: self)
        else { continue }
        host?.remove(SceneID(scene.session.persistentIdentifier))
      }
    } else if let controller = makeFailureViewController(for: error) {
      let window = self.window ?? UIWindow()
      self.window = window
      window.rootViewController = controller
      window.makeKeyAndVisible()
    }
  }

  // MARK: - The launch

  /// Makes the host, and sends `willFinishLaunching`. Returns the merged answer.
  ///
  /// Returns `false` if ``makeHost()`` failed.
  open func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    guard start() else { return false }
    let options = source(launchOptions, application).options
    return ask(.willFinishLaunching(options), .launch(launchOptions)) ?? true
  }

  /// Sends `didFinishLaunching`. Returns the merged answer, or `true` if the answer is not available at once.
  ///
  /// Returns `false` if ``makeHost()`` failed.
  open func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    guard start() else { return false }
    #if canImport(BackgroundTasks)
    registerBackgroundTasks()
    #endif
    let source = source(launchOptions, application)
    duplicateFilters = [DuplicateEventFilter(of: source)]
    let measurement = source.options.reason.isOutOfSight ? nil : LaunchMeasurement()
    let answer = ask(.didFinishLaunching(source.options), .launch(launchOptions)) { [weak self] outcome in
      MainQueue.run {
        measurement?.finish()
        guard let record = outcome?.record, !record.succeeded else { return }
        self?.fail(LaunchFailed(record: record))
      }
    }
    return answer ?? true
  }

  /// Makes the host, unless it was made. Returns false if it cannot be made.
  private func start() -> Bool {
    if host != nil { return true }
    guard launchError == nil else { return false }
    Self.current = self
    pushService.receive = { [weak self] in self?.receive($0) }
    do {
      host = try makeHost()
    } catch {
      fail(error)
      return false
    }
    let notifications = NotificationDelegate { [weak self] in self?.receive($0, $1, $2) }
    self.notifications = notifications
    UNUserNotificationCenter.current().delegate = notifications
    guard usesScenes else { return true }
    let states = NotificationCenterEventSource.ofStates()
    states.start { [weak self] event in
      MainQueue.run {
        self?.receive(event)
        guard event == .didBecomeActive else { return }
        self?.reportMissingScenes()
        self?.reportNotificationDelegate()
      }
    }
    self.states = states
    return true
  }

  /// Reports that an active app expects events of scenes, but no scene has connected to a scene delegate.
  private func reportMissingScenes() {
    let isWaiting = sceneDelegateClass != nil || host?.plan.events["sceneWillConnect"] != nil
    guard isWaiting, launchError == nil, windows.withLock(\.isEmpty) else { return }
    let message =
      "the app is active, but no AppBootSceneDelegate was connected: without one, AppBoot has no window. "
      + "Name its class in Info.plist or sceneDelegateClass; in a SwiftUI app, let the views show the launch's values"
    report(message, from: "scenes")
  }

  /// Reports once that a library has replaced the delegate of the notification centre.
  private func reportNotificationDelegate() {
    let delegate = UNUserNotificationCenter.current().delegate
    guard let notifications, delegate !== notifications, !hasReportedNotificationDelegate else { return }
    hasReportedNotificationDelegate = true
    let name = delegate.map { "of the type \(type(of: $0))" } ?? "nil"
    let message =
      "the delegate of UNUserNotificationCenter was replaced, and is now \(name): AppBoot receives no notifications. "
      + "Remove the line that sets it, or let the new delegate pass its calls to the old one"
    report(message, from: "notifications")
  }

  private func report(_ message: String, from source: String) {
    NSLog("AppBoot: %@", message)
    host?.report(message, from: source)
  }

  private func fail(_ error: any Error) {
    launchError = error
    launchFailed(error)
  }

  private func source(
    _ options: [UIApplication.LaunchOptionsKey: Any]?, _ application: UIApplication
  ) -> LaunchSource {
    LaunchSource(options, in: application, hasScenes: usesScenes, role: processRole)
  }

  // MARK: - States

  /// Sends `willEnterForeground`.
  open func applicationWillEnterForeground(_ application: UIApplication) { receive(.willEnterForeground) }
  /// Sends `didBecomeActive`.
  open func applicationDidBecomeActive(_ application: UIApplication) {
    duplicateFilters = []
    receive(.didBecomeActive)
    reportNotificationDelegate()
  }
  /// Sends `willResignActive`.
  open func applicationWillResignActive(_ application: UIApplication) { receive(.willResignActive) }
  /// Sends `didEnterBackground`. The app keeps running until the handlers and responders are done.
  open func applicationDidEnterBackground(_ application: UIApplication) { receive(.didEnterBackground) }
  /// Sends `willTerminate`, and waits until the plan's services have shut down.
  open func applicationWillTerminate(_ application: UIApplication) {
    receive(.willTerminate)
    host?.waitForServices()
  }
  /// Sends `significantTimeChange`.
  open func applicationSignificantTimeChange(_ application: UIApplication) { receive(.significantTimeChange) }
  /// Sends `didReceiveMemoryWarning`.
  open func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
    receive(.didReceiveMemoryWarning)
  }
  /// Sends `protectedDataWillBecomeUnavailable`.
  open func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
    receive(.protectedDataWillBecomeUnavailable)
  }
  /// Sends `protectedDataDidBecomeAvailable`.
  open func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
    receive(.protectedDataDidBecomeAvailable)
  }

  // MARK: - Scenes

  /// Returns the configuration of `Info.plist`, with ``sceneDelegateClass`` for the app's own windows.
  open func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let (declared, role) = (connectingSceneSession.configuration, connectingSceneSession.role)
    guard role == .windowApplication, let sceneDelegateClass else { return declared }
    let configuration = UISceneConfiguration(name: declared.name, sessionRole: role)
    configuration.delegateClass = sceneDelegateClass
    return configuration
  }

  /// Sends `didDiscardSceneSessions`.
  open func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {
    let scenes = sceneSessions.map { SceneID($0.persistentIdentifier) }.sorted()
    receive(.didDiscardSceneSessions(scenes), .discardedSessions(sceneSessions))
  }

  #if !os(tvOS)
  /// Returns the orientations that all responders support, among those of `Info.plist`.
  ///
  /// Without a common orientation, it returns those of `Info.plist`.
  open func application(
    _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
  ) -> UIInterfaceOrientationMask {
    let declared = application.supportedInterfaceOrientations(for: window)
    let scene = window?.windowScene.map { SceneID($0.session.persistentIdentifier) }
    guard let common = host?.supportedInterfaceOrientations(scene: scene) else { return declared }
    let supported = declared.intersection(UIInterfaceOrientationMask(common))
    return supported.isEmpty ? declared : supported
  }
  #endif

  // MARK: - Remote notifications and background work

  /// Sends `didRegisterForRemoteNotifications`, and the token to the provider of `RegisterRemoteNotifications`.
  open func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) { pushService.didRegister(token: [UInt8](deviceToken)) }

  /// Sends `didFailToRegisterForRemoteNotifications`.
  open func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    let message = String(describing: error)
    receive(.didFailToRegisterForRemoteNotifications(error: message), .registrationError(error))
  }

  /// Sends `didReceiveRemoteNotification`. Calls the completion handler once, with the merged answer.
  open func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    let complete = OneShot(completionHandler)
    let payload = JSONPayload.text(userInfo)
    receive(.didReceiveRemoteNotification(payload: payload), .remoteNotification(userInfo)) {
      complete($0.map { UIBackgroundFetchResult($0.response.answer) } ?? .noData)
    }
  }

  /// Sends `handleEventsForBackgroundURLSession`. Calls the completion handler once, when all responders are done.
  open func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    let complete = OneShot<Void>(completionHandler)
    receive(.handleEventsForBackgroundURLSession(identifier)) { _ in complete(()) }
  }

  // MARK: - Requests

  /// Sends `openURL` in an app without scenes. A URL that the launch has already shown is not shown again.
  open func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool {
    ask(.openURL(OpenURLRequest(url, options)), .url(url, options)) ?? false
  }

  /// Sends `continueActivity` in an app without scenes.
  open func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    let event = LifecycleEvent.continueActivity(UserActivity(userActivity))
    return ask(event, .activity(userActivity, restorationHandler)) ?? false
  }

  #if !os(tvOS)
  /// Sends `performQuickAction` in an app without scenes. Calls the completion handler once.
  open func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    let complete = OneShot(completionHandler)
    receive(.performQuickAction(QuickAction(shortcutItem)), .quickAction(shortcutItem)) {
      complete($0?.response.answer.bool ?? false)
    }
  }
  #endif

  // MARK: - Events

  /// Adds a filter for the next event that repeats the request of a scene's connection.
  ///
  /// - Parameter source: The source of the scene's connection.
  func expectDuplicates(of source: LaunchSource, in scene: SceneID) {
    duplicateFilters.append(DuplicateEventFilter(of: source, in: scene))
  }

  /// Passes an event to the host. Marks it as a duplicate if it repeats the request of the launch or of a connection.
  ///
  /// While the event is handled, the app keeps running in the background if the event needs that.
  ///
  /// - Parameters:
  ///   - call: The objects of the call. They are available until the event has its outcome.
  ///   - expiration: The end of the time that the system gives the event.
  ///   - completion: Receives the outcome; `nil` without a host.
  func receive(
    _ event: LifecycleEvent, _ call: DelegateCall? = nil, expiration: EventExpiration = EventExpiration(),
    _ completion: @escaping @Sendable (LifecycleOutcome?) -> Void = { _ in }
  ) {
    guard let host else { return completion(nil) }
    let id = call.map { calls.add($0, for: event) }
    let isDuplicate = duplicateFilters.indices.contains { duplicateFilters[$0].take(event) }
    let assertion = event.holdsAssertion ? BackgroundAssertion(event.name) { expiration.expire() } : nil
    host.receive(event, isDuplicate: isDuplicate, expiration: expiration) { [calls] in
      completion($0)
      assertion?.end()
      if let id { MainQueue.run { calls.remove(id, of: event) } }
    }
  }

  /// Sends an event and returns the merged answer; `nil` if the answer is not available at once.
  private func ask(
    _ event: LifecycleEvent, _ call: DelegateCall,
    then completion: @escaping @Sendable (LifecycleOutcome?) -> Void = { _ in }
  ) -> Bool? {
    let slot = Slot<Bool?>()
    receive(event, call) {
      slot.set($0?.response.answer.bool)
      completion($0)
    }
    return slot.current ?? nil
  }
}

/// The view controller that the windows show after a failed launch. In a release build it does not show the error.
final class FailureViewController: UIViewController {
  /// The text of the view.
  let text: String

  init(_ error: any Error) {
    #if DEBUG
    text = "The launch failed.\n\n\(error)"
    #else
    text = "The app could not be started. Please close it and open it again."
    #endif
    super.init(nibName: nil, bundle: nil)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    let label = UILabel(frame: view.bounds)
    label.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    label.numberOfLines = 0
    label.textAlignment = .center
    label.text = text
    // The app's own colours may be what failed.
    view.backgroundColor = .white
    label.textColor = .black
    view.addSubview(label)
  }
}
#endif
