// What an app's delegates look like on top of AppBootUIKit: type-checked together with it.
import AppBoot
import UIKit

final class AppDelegate: AppBootAppDelegate {
  override func makeHost() throws -> LifecycleHost {
    let builder = try StartupCommandsBuilder(reading: "commands.json", registry: CommandRegistry())
    return LifecycleHost(try builder.build(), configuration: scenes())
  }
}

final class SceneDelegate: AppBootSceneDelegate {
  override func makeViewController(for screen: Screen) -> UIViewController { UIViewController() }
}
