import AppBoot
import AppBootLifecycle
import Testing
import UIKit

@testable import AppBootUIKit
@testable import NotesSwiftUI
@testable import NotesUIKit
@testable import NotesWindowGroup

/// The manifest of Examples/NotesApp, which its bundle has.
private let notesManifest = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../../../Examples/NotesApp/Shared/commands.json").standardized.path

private let notesState = FileManager.default.temporaryDirectory
  .appendingPathComponent("appboot-notes-\(UUID().uuidString)").path

private class UIKitApp: NotesUIKit.AppDelegate {
  override var usesScenes: Bool { true }
  override var manifestPath: String? { notesManifest }
  override var stateDirectory: String { notesState + "/UIKit" }
}

private class WindowGroupApp: NotesWindowGroup.AppDelegate {
  var manifest: String? = notesManifest
  override var usesScenes: Bool { true }
  override var manifestPath: String? { manifest }
  override var stateDirectory: String { notesState + "/WindowGroup" }
}

private class SwiftUIApp: NotesSwiftUI.AppDelegate {
  override var usesScenes: Bool { true }
  override var manifestPath: String? { notesManifest }
  override var stateDirectory: String { notesState + "/SwiftUI" }
}

extension BridgeTests {
  @Suite("Examples/NotesApp") @MainActor struct NotesAppTests {
    /// Launches an app and connects a scene as UIKit does, with the delegate that the app chose for it.
    private func connect(
      _ app: AppBootAppDelegate, _ sceneDelegate: AppBootSceneDelegate, _ options: UIScene.ConnectionOptions
    ) {
      UIApplication.reset()
      let application = UIApplication.shared
      #expect(app.application(application, didFinishLaunchingWithOptions: nil))
      let session = UISceneSession("window")
      session.configuration = app.application(
        application, configurationForConnecting: session, options: options)
      let scene = UIWindowScene(session: session, connectionOptions: options)
      sceneDelegate.scene(scene, willConnectTo: session, options: options)
    }

    @Test("The UIKit app shows its first screen in the scene's window")
    func uiKit() {
      defer { try? FileManager.default.removeItem(atPath: notesState) }
      let app = UIKitApp()
      let sceneDelegate = NotesUIKit.SceneDelegate()
      connect(app, sceneDelegate, UIScene.ConnectionOptions())
      #expect(app.host?["window"]?.coordinator?.screens.map(\.text) == ["3 notes"])
      #expect(sceneDelegate.window?.rootViewController != nil)
      #expect(UIApplication.shared.remoteNotificationRegistrations == 1)
    }

    @Test("The view of a window group shows the values of the launch, or its failure")
    func windowGroup() {
      defer { try? FileManager.default.removeItem(atPath: notesState) }
      let (app, failing) = (WindowGroupApp(), WindowGroupApp())
      UIApplication.reset()
      #expect(app.application(.shared, didFinishLaunchingWithOptions: nil))
      #expect(NotesWindowGroup.NotesView(delegate: app).text == "3 notes")
      failing.manifest = nil
      #expect(!failing.application(.shared, didFinishLaunchingWithOptions: nil))
      #expect(NotesWindowGroup.NotesView(delegate: failing).text.hasPrefix("The launch failed: the app's"))
    }

    @Test("The UIKit app opens its links and quick actions, whether they open the scene or come later")
    func requests() {
      defer { try? FileManager.default.removeItem(atPath: notesState) }
      let (app, sceneDelegate) = (UIKitApp(), NotesUIKit.SceneDelegate())
      let options = UIScene.ConnectionOptions()
      let link = NSUserActivity(activityType: UserActivity.browsingWeb)
      link.webpageURL = URL(string: "https://notes.example/note/7")
      options.userActivities = [link]
      connect(app, sceneDelegate, options)
      let titles = { app.host?["window"]?.coordinator?.screens.map(\.title) }
      #expect(titles() == ["Note 7"])
      let scene = UIWindowScene(session: UISceneSession("window"), connectionOptions: options)
      let item = UIApplicationShortcutItem(type: "add", localizedTitle: "Add")
      sceneDelegate.windowScene(scene, performActionFor: item) { _ in }
      #expect(titles() == ["Note 7", "New note"])
      sceneDelegate.scene(scene, continue: link)
      #expect(titles() == ["Note 7", "New note", "Note 7"])
    }

    @Test("The SwiftUI app gives the screen of a URL to its view")
    func swiftUI() async throws {
      defer { try? FileManager.default.removeItem(atPath: notesState) }
      let app = SwiftUIApp()
      #expect(app.sceneDelegateClass == NotesSwiftUI.SceneDelegate.self)
      let sceneDelegate = NotesSwiftUI.SceneDelegate()
      let options = UIScene.ConnectionOptions()
      options.urlContexts = [UIOpenURLContext(try #require(URL(string: "notes://note/7")))]
      connect(app, sceneDelegate, options)
      // The model changes in a task of the main actor.
      await Task { @MainActor in }.value
      #expect(sceneDelegate.screens.screen?.title == "Note 7")
      #expect(sceneDelegate.screens.appearance?.followsSystem == true)
    }
  }
}
