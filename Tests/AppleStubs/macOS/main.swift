// A program that plays the part of AppKit for the macOS delegate. Scripts/typecheck-uikit compiles it and runs it.
import AppBoot
import AppBootLifecycle
import AppBootUIKit
import AppKit
import UserNotifications

final class Journal: LifecycleListener {
  nonisolated(unsafe) static var events: [LifecycleEvent] = []
  func receive(_ event: LifecycleEvent) { Self.events.append(event) }
}

struct Fail: Command {
  struct Mishap: Error, CustomStringConvertible { let description = "out of paper" }
  func execute(in context: LaunchContext) throws { throw Mishap() }
}

final class AppDelegate: AppBootAppDelegate {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("appboot-\(UUID().uuidString)")
  let manifest: String
  var failures: [String] = []

  init(_ manifest: String) { self.manifest = manifest }

  override var stateDirectory: String { folder.path }
  override var manifestPath: String? {
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("commands.json")
    try? manifest.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
  override func register(in registry: inout CommandRegistry) { registry.register(Fail.self) }
  override func configure(_ configuration: inout LifecycleHost.Configuration) {
    configuration.mediator.subscribe(Journal(), holding: .strong)
  }
  override func launchFailed(_ error: any Error) { failures.append("\(error)") }
}

@MainActor func expect(_ condition: Bool, _ message: String) {
  guard !condition else { return }
  print("macOS delegate: \(message); it saw \(Journal.events.map(\.name))")
  exit(1)
}

@MainActor func launch(_ manifest: String, _ userInfo: [AnyHashable: Any]? = nil) -> AppDelegate {
  let delegate = AppDelegate(manifest)
  let name = NSApplication.didFinishLaunchingNotification
  let notification = Notification(name: name, object: nil, userInfo: userInfo)
  delegate.applicationWillFinishLaunching(notification)
  delegate.applicationDidFinishLaunching(notification)
  return delegate
}

let app = NSApplication()
let delegate = launch(#"{"version":1,"commands":[]}"#)
NotificationCenter.default.post(name: NSApplication.didBecomeActiveNotification, object: nil)
delegate.application(app, open: [URL(fileURLWithPath: "/a.txt")])
delegate.application(app, didRegisterForRemoteNotificationsWithDeviceToken: Data([10, 255]))
delegate.application(app, didReceiveRemoteNotification: ["note": 7])
NotificationCenter.default.post(name: NSApplication.didResignActiveNotification, object: nil)
let expected: [LifecycleEvent] = [
  .willFinishLaunching(LaunchOptions()), .didFinishLaunching(LaunchOptions()), .didBecomeActive,
  .openURL("file:///a.txt"), .didRegisterForRemoteNotifications(token: [10, 255]),
  .didReceiveRemoteNotification(payload: #"{"note":7}"#), .didEnterBackground,
]
expect(Journal.events == expected, "the app does not see each event once, in order")
expect(delegate.host?.state.token == "0aff", "the token is not in the state")
expect(launch("{").failures.count == 1, "an invalid manifest is not reported")
let failed = launch(#"{"version":1,"commands":["Fail"]}"#)
expect(failed.failures.first?.contains("out of paper") == true, "a failed launch is not reported")
let content = UNNotificationContent()
content.userInfo = ["note": 7]
let request = UNNotificationRequest(identifier: "request", content: content)
let response = UNNotificationResponse(UNNotification(request))
let tapped = launch(
  #"{"version":1,"commands":[]}"#, [NSApplication.launchUserNotificationUserInfoKey: response])
let notification = LaunchOptions(reason: .notification, payload: #"{"note":7}"#)
expect(Journal.events.last == .didFinishLaunching(notification), "the launch has no tapped notification")
for delegate in [delegate, failed, tapped] { try? FileManager.default.removeItem(at: delegate.folder) }
print("the macOS delegate runs on the stubs of AppKit")
