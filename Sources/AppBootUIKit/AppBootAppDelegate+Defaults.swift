#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootLifecycle
import UIKit

extension AppBootAppDelegate {
  /// Makes the host of ``manifestPath``, with its state and its journal in ``stateDirectory``.
  func makeDefaultHost() throws -> LifecycleHost {
    var registry = CommandRegistry()
    registry.provide(pushService, for: .pushService)
    register(in: &registry)
    var configuration = scenes()
    configure(&configuration)
    let files = DefaultHostFiles(manifest: manifestPath, state: stateDirectory, timeout: launchTimeout)
    return try files.makeHost(registry, configuration, window: usesScenes ? nil : makeProcessWindow())
  }

  /// Makes the window of an app without scenes.
  private func makeProcessWindow() -> UIKitWindow {
    let window = self.window ?? UIWindow()
    self.window = window
    return UIKitWindow(window) { [weak self] in self?.makeViewController(for: $0) ?? UIViewController() }
  }

  /// Shows the failure of a launch in the windows of the connected scenes or, in an app without scenes, in its window.
  func showFailure(_ error: any Error) {
    if usesScenes {
      let delegates = UIApplication.shared.connectedScenes.compactMap { $0.delegate as? AppBootSceneDelegate }
      for delegate in delegates { _ = delegate.showFailure(error, from: self) }
    } else if let controller = makeFailureViewController(for: error) {
      let window = self.window ?? UIWindow()
      self.window = window
      window.rootViewController = controller
      window.makeKeyAndVisible()
    }
  }
}
#endif
