import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootUIKit
import UIKit

/// The app delegate: it says which commands the manifest in the bundle can use.
@main
class AppDelegate: AppBootAppDelegate {
  override func register(in registry: inout CommandRegistry) {
    registry.register(StockCommands.all)
    registry.register(OpenNotes.self)
  }
}

/// The scene delegate, which Info.plist names: it makes the view controllers of the screens.
final class SceneDelegate: AppBootSceneDelegate {
  override func makeViewController(for screen: AppScreen) -> UIViewController { NoteViewController(screen) }
}
