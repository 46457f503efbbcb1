import AppBoot
import AppBootLifecycle
import Testing
import UIKit

@testable import AppBootUIKit

/// An app whose parts share its events, without a command.
private final class ResponderOnly: AppBootAppDelegate {
  let journal = Journal()
  override var usesScenes: Bool { false }
  override var manifestPath: String? { nil }
  override var stateDirectory: String {
    FileManager.default.temporaryDirectory.appendingPathComponent("appboot-\(UUID().uuidString)").path
  }
  override func configure(_ configuration: inout LifecycleHost.Configuration) { configuration.add(journal) }
}

extension ContextKey<Bool> {
  static var isFirst: Self { Self("isFirst") }
  static var hasPushService: Self { Self("hasPushService") }
}

/// An app whose plan is written in code.
private final class CodedApp: AppBootAppDelegate {
  var folder = FileManager.default.temporaryDirectory.appendingPathComponent("appboot-\(UUID().uuidString)")
  var timeout: Duration?
  override var usesScenes: Bool { false }
  override var stateDirectory: String { folder.path }
  override func makePlan() throws -> LaunchPlan {
    try LaunchPlan("Notes", timeout: timeout) {
      Step("first", providing: .isFirst) { _ in true }.when(.firstLaunch)
      Step("push", providing: .hasPushService) { context in context.value(for: .pushService) != nil }
      Step.onMainActor("screen") { context in try context.window?.show(AppScreen(name: "Home")) }
    }
  }
}

extension BridgeTests {
  @Suite @MainActor struct DefaultsTests {
    let app = TestAppDelegate()

    private func launched() -> Phone {
      let phone = Phone(app)
      phone.launch()
      return phone
    }

    @Test("The default manifest is commands.json in the app's bundle")
    func manifestInBundle() throws {
      // The bundle reads the folder once: no test may look for a resource before.
      let file = try #require(Bundle.main.resourceURL).appendingPathComponent("commands.json")
      try "{}".write(to: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(AppBootAppDelegate().manifestPath == file.path)
    }

    @Test("The default host stores its state and its records in the state directory")
    func stateDirectory() {
      _ = launched()
      let records = app.stateDirectory + "/records"
      #expect((try? FileManager.default.contentsOfDirectory(atPath: records))?.isEmpty == false)
      let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
      #expect(AppBootAppDelegate().stateDirectory == support.first?.appendingPathComponent("AppBoot").path)
    }

    @Test("A launch has 15 seconds, unless its manifest has another timeout")
    func timeout() throws {
      _ = launched()
      #expect(app.host?.plan.outline.timeout == .seconds(15))
      let other = TestAppDelegate()
      other.text = #"{"version":1,"timeout":"2s","commands":[]}"#
      Phone(other).launch()
      #expect(other.host?.plan.outline.timeout == .seconds(2))
    }

    @Test("The second launch of an app is not its first one")
    func firstLaunch() {
      app.text = #"{"version":1,"commands":[{"command":"Fail","when":{"firstLaunch":false}}]}"#
      _ = launched()
      #expect(app.launchError == nil)
      let next = TestAppDelegate()
      (next.text, next.folder) = (app.text, app.folder)
      Phone(next).launch()
      #expect((next.launchError as? LaunchFailed)?.record.failures.map(\.id) == ["Fail"])
    }

    @Test(
      "A plan in code has the state, the journal, the timeout, the window and the push service of the delegate"
    )
    func plan() async throws {
      let (app, next) = (CodedApp(), CodedApp())
      defer { try? FileManager.default.removeItem(at: app.folder) }
      (next.folder, next.timeout) = (app.folder, .seconds(2))
      UIApplication.reset()
      #expect(app.application(.shared, didFinishLaunchingWithOptions: nil))
      _ = try await app.host?.launch()
      #expect(app.host?.plan.outline.timeout == .seconds(15))
      #expect(app.host?.coordinator?.screens.map(\.name) == ["Home"])
      #expect(app.host?.value(for: .isFirst) == true)
      #expect(app.host?.value(for: .hasPushService) == true)
      let records = try FileManager.default.contentsOfDirectory(atPath: app.folder.path + "/records")
      #expect(records.count == 1)
      UIApplication.reset()
      #expect(next.application(.shared, didFinishLaunchingWithOptions: nil))
      _ = try await next.host?.launch()
      #expect(next.host?.plan.outline.timeout == .seconds(2))
      #expect(next.host?.value(for: .isFirst) == nil)
    }

    @Test("An app without commands needs no manifest: its listeners and responders receive the events")
    func responderOnly() {
      let app = ResponderOnly()
      UIApplication.reset()
      #expect(app.application(.shared, didFinishLaunchingWithOptions: nil))
      #expect(app.journal.names == ["didFinishLaunching"])
    }

    @Test("A bundle without a manifest is an error that says what to do")
    func noManifest() {
      app.text = nil
      _ = launched()
      #expect(app.failures.map { "\($0)" }.first?.contains("has no commands.json: add it") == true)
    }

    @Test("After a failed launch, every scene shows the failure and no screens")
    func failedLaunch() {
      app.text = manifest(["Fail"], on: ["sceneWillConnect": "ShowRequest"])
      let phone = launched()
      #expect(app.failures.count == 1)
      #expect((app.launchError as? LaunchFailed)?.record.failures.map(\.id) == ["Fail"])
      let window = phone.connect("left")
      #expect(window?.failureText?.contains("out of paper") == true)
      #expect(window?.isKeyWindow == true)
      #expect(window?.screenName == nil)
    }

    @Test("After a failed launch without scenes, the window shows the failure")
    func failedLaunchWithoutScenes() {
      app.hasScenes = false
      app.text = "{"
      _ = launched()
      #expect(app.window?.failureText?.isEmpty == false)
    }

    @Test("An automatic theme follows the system on the window of every scene")
    func automaticTheme() throws {
      app.text = manifest(["Appearance"])
      let phone = launched()
      let left = try #require(phone.connect("left"))
      let right = try #require(phone.connect("right"))
      #expect([left, right].map(\.overrideUserInterfaceStyle) == [.unspecified, .unspecified])
      #expect(left.tintColor.components == right.tintColor.components)
      UIWindow.systemStyle = .dark
      #expect(left.traitCollection.userInterfaceStyle == .dark)
    }

    @Test("A fixed theme is set on the window of every scene")
    func fixedTheme() {
      app.text = #"{"version":1,"commands":[{"command":"Appearance","with":{"theme":"dark"}}]}"#
      let phone = launched()
      #expect(phone.connect("left")?.overrideUserInterfaceStyle == .dark)
      #expect(phone.connect("right")?.overrideUserInterfaceStyle == .dark)
    }
  }
}
