import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootUIKit
import SwiftUI
import UIKit

/// The app. SwiftUI makes the windows, and AppBoot decides which screen each one shows.
@main
struct NotesApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

  var body: some Scene {
    WindowGroup { NotesView() }
  }
}

/// The app delegate: it says which commands the manifest can use, and which scene delegate SwiftUI's scenes get.
class AppDelegate: AppBootAppDelegate {
  override var sceneDelegateClass: AppBootSceneDelegate.Type? { SceneDelegate.self }

  override func register(in registry: inout CommandRegistry) {
    registry.register(StockCommands.all)
    registry.register(OpenNotes.self)
  }
}

/// The scene delegate. SwiftUI passes it to the views of its scene, because it is an `ObservableObject`.
final class SceneDelegate: AppBootSceneDelegate, ObservableObject {
  let screens = ScreenModel()

  override func makeWindow(for scene: UIWindowScene) -> (any AppWindow)? { screens }
}

/// The view of a window.
struct NotesView: View {
  @EnvironmentObject private var scene: SceneDelegate

  var body: some View {
    VStack {
      Text(scene.screens.screen?.title ?? "")
      Text(scene.screens.screen?.text ?? "")
    }
  }
}
