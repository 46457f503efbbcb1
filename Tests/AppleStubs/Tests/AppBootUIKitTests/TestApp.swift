import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import UIKit

@testable import AppBootUIKit

/// A view controller that shows the name of its screen.
final class ScreenViewController: UIViewController {
  let screen: AppScreen

  init(_ screen: AppScreen) {
    self.screen = screen
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }
}

/// The app delegate of the tests: an app with a manifest, a journal and windows.
class TestAppDelegate: AppBootAppDelegate {
  /// The text of the manifest; `nil` for a bundle without one.
  var text: String? = manifest()
  var journal = Journal()
  var hasScenes = true
  var role = ProcessRole.unknown
  var tasks: [String] = []
  /// The responders after the journal.
  var parts: [any LifecycleResponder] = []
  var sceneClass: AppBootSceneDelegate.Type?
  var failures: [any Error] = []
  /// The work of the command `DuringLaunch`, as in the nested run loop of a launch that waits.
  var duringLaunch: () -> Void = {}
  var folder = FileManager.default.temporaryDirectory.appendingPathComponent("appboot-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  override var usesScenes: Bool { hasScenes }
  override var processRole: ProcessRole { role }
  override var backgroundTasks: [String] { tasks }
  override var sceneDelegateClass: AppBootSceneDelegate.Type? { sceneClass }
  override var stateDirectory: String { folder.appendingPathComponent("Library/AppBoot").path }

  override var manifestPath: String? {
    guard let text else { return nil }
    let file = folder.appendingPathComponent("commands.json")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  override func register(in registry: inout CommandRegistry) {
    registry.register(StockCommands.all)
    registry.register([ShowRequest.self, Fail.self, DuringLaunch.self, Work.self])
  }

  override func configure(_ configuration: inout LifecycleHost.Configuration) {
    configuration.mediator.subscribe(journal, holding: .strong)
    configuration.responders = [journal] + parts
  }

  override func makeViewController(for screen: AppScreen) -> UIViewController { ScreenViewController(screen) }

  override func launchFailed(_ error: any Error) {
    failures.append(error)
    super.launchFailed(error)
  }
}

/// The scene delegate of the tests.
final class TestSceneDelegate: AppBootSceneDelegate {
  override func makeViewController(for screen: AppScreen) -> UIViewController { ScreenViewController(screen) }
}

extension UIWindow {
  /// The view controller that the user sees.
  private var visible: UIViewController? {
    var top = rootViewController
    while let presented = top?.presentedViewController { top = presented }
    return (top as? UINavigationController)?.topViewController ?? top
  }

  /// The name of the visible screen; `nil` without one.
  var screenName: String? { (visible as? ScreenViewController)?.screen.name }

  /// The text of the screen of a failed launch; `nil` without one.
  var failureText: String? {
    guard visible is FailureViewController else { return nil }
    return visible?.view.subviews.lazy.compactMap { ($0 as? UILabel)?.text }.first
  }
}
