import AppBoot
import AppBootLifecycle
import Testing
import UIKit

@testable import AppBootUIKit
@testable import NotesSwiftUI
@testable import NotesUIKit

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
