import AppBoot
import AppBootLifecycle

/// The pattern Coordinator: objects that decide which screen follows, with children for parts of the app.
enum CoordinatorListing {
  /// The functions of a navigation controller that a coordinator needs.
  @MainActor final class NavigationController {
    private(set) var screens: [String] = []
    var onBack: () -> Void = {}

    func push(_ screen: String) { screens.append(screen) }
    func goBack() {
      screens.removeLast()
      onBack()
    }
  }

  @MainActor protocol Coordinator: AnyObject {
    var children: [any Coordinator] { get set }
    var navigation: NavigationController { get }
    func start()
  }

  @MainActor final class MainCoordinator: Coordinator {
    var children: [any Coordinator] = []
    let navigation: NavigationController

    init(_ navigation: NavigationController) {
      self.navigation = navigation
      navigation.onBack = { [weak self] in self?.removeLeftChildren() }
    }

    func start() { navigation.push("Notes") }

    func edit() {
      let child = EditorCoordinator(navigation)
      children.append(child)
      child.start()
    }

    private func removeLeftChildren() {
      children.removeAll { child in
        guard let editor = child as? EditorCoordinator else { return false }
        return !navigation.screens.contains(editor.firstScreen)
      }
    }
  }

  @MainActor final class EditorCoordinator: Coordinator {
    var children: [any Coordinator] = []
    let navigation: NavigationController
    let firstScreen = "Editor"

    init(_ navigation: NavigationController) { self.navigation = navigation }

    func start() { navigation.push(firstScreen) }
  }

  struct NotesFlow {
    let coordinator: ScreenCoordinator

    func start() throws { try coordinator.start(screen("Notes")) }
    func edit() throws { try coordinator.addChild("editor").start(screen("Editor")) }
  }
}
