#if canImport(AppKit) && !canImport(UIKit)
public import AppBoot
import AppBootBase
public import AppBootLifecycle
public import AppKit

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
/// macOS has no background state: an inactive app counts as in the background.
@MainActor
open class AppBootAppDelegate: NSObject, NSApplicationDelegate {
  /// The host that runs the app. It is `nil` before the launch, and if ``makeHost()`` failed.
  public private(set) var host: LifecycleHost?
  /// The error of ``makeHost()`` or of the launch, which is then a `LaunchFailed`; `nil` before an error.
  public private(set) var launchError: (any Error)?
  private var source: NotificationCenterEventSource?

  // MARK: - Methods that an app overrides

  /// Adds the app's commands, libraries and events to the registry. The default does nothing.
  open func register(in registry: inout CommandRegistry) {}

  /// Changes the configuration of the host: its listeners, responders, routes and journal. The default does nothing.
  open func configure(_ configuration: inout LifecycleHost.Configuration) {}

  /// The window of the app. The default is `nil`: the app has no window for screens.
  open var appWindow: (any AppWindow)? { nil }

  /// The path of the manifest; `nil` without a manifest. The default is `commands.json` in the app's bundle.
  open var manifestPath: String? { Bundle.main.path(forResource: "commands", ofType: "json") }

  /// The directory of the state and the journal. The default is `AppBoot` in the app's folder in Application Support.
  open var stateDirectory: String { DefaultHost.stateDirectory(of: Bundle.main.bundleIdentifier) }

  /// The timeout of a launch whose plan sets no timeout.
  open var launchTimeout: Duration { .seconds(15) }

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
    register(in: &registry)
    return try DefaultHost.plan(reading: manifestPath, registry)
  }

  /// Makes the host that runs the app. The default makes one for ``makePlan()``.
  ///
  /// - Throws: Any error. The delegate passes it to ``launchFailed(_:)``.
  open func makeHost() throws -> LifecycleHost {
    var configuration = LifecycleHost.Configuration()
    configure(&configuration)
    return try DefaultHost.make(
      makePlan(), state: stateDirectory, timeout: launchTimeout, configuration, window: appWindow)
  }

  /// Handles an error of ``makeHost()`` or of the launch. The default logs it, and shows it in an alert.
  open func launchFailed(_ error: any Error) {
    NSLog("AppBoot: %@", String(describing: error))
    let alert = NSAlert()
    alert.messageText = "The launch failed."
    alert.informativeText = String(describing: error)
    alert.runModal()
  }

  // MARK: - The launch

  /// Makes the host, and sends `willFinishLaunching`.
  open func applicationWillFinishLaunching(_ notification: Notification) {
    do {
      let host = try makeHost()
      self.host = host
      let source = NotificationCenterEventSource()
      source.start { [weak host] event in
        // The delegate sends the launch itself, and waits for its outcome.
        if case .didFinishLaunching = event { return }
        host?.receive(event) { _ in }
      }
      self.source = source
    } catch {
      fail(error)
    }
    host?.receive(.willFinishLaunching(LaunchOptions())) { _ in }
  }

  /// Sends `didFinishLaunching`, with the notification that the user tapped to open the app.
  open func applicationDidFinishLaunching(_ notification: Notification) {
    host?.receive(.didFinishLaunching(LaunchOptions(of: notification))) { [weak self] outcome in
      guard let record = outcome.record, !record.succeeded else { return }
      MainQueue.run { self?.fail(LaunchFailed(record: record)) }
    }
  }

  private func fail(_ error: any Error) {
    launchError = error
    launchFailed(error)
  }

  // MARK: - Requests

  /// Sends `openURL` for each URL.
  open func application(_ application: NSApplication, open urls: [URL]) {
    for url in urls { host?.receive(.openURL(OpenURLRequest(url.absoluteString))) { _ in } }
  }

  /// Sends `continueActivity`. Returns the merged answer; `false` if the answer is not available at once.
  open func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    let slot = Slot<LifecycleAnswer>()
    host?.receive(.continueActivity(UserActivity(userActivity))) { slot.set($0.response.answer) }
    return slot.current == .bool(true)
  }

  // MARK: - Remote notifications

  /// Sends `didRegisterForRemoteNotifications`.
  open func application(
    _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) { host?.receive(.didRegisterForRemoteNotifications(token: [UInt8](deviceToken))) { _ in } }

  /// Sends `didFailToRegisterForRemoteNotifications`.
  open func application(
    _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) { host?.receive(.didFailToRegisterForRemoteNotifications(error: String(describing: error))) { _ in } }

  /// Sends `didReceiveRemoteNotification`.
  open func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {
    host?.receive(.didReceiveRemoteNotification(payload: JSONPayload.text(userInfo))) { _ in }
  }
}
#endif
