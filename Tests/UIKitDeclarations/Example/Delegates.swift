// An app's delegates that use AppBootUIKit, type-checked together with it.
import AppBoot
import AppBootLifecycle
import UIKit

/// The app's commands.
let registry = CommandRegistry()

final class AppDelegate: AppBootAppDelegate {
  override func makeHost() throws -> LifecycleHost {
    try AppDelegateFactory.makeHost(reading: "commands.json", registry: registry, configuration: scenes())
  }
}

final class SceneDelegate: AppBootSceneDelegate {
  override func makeViewController(for screen: AppScreen) -> UIViewController { UIViewController() }
}
