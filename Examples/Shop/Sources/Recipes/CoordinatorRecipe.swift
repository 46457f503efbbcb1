import AppBoot
import AppBootLifecycle

final class NoteList {
  let window: any AppWindow
  init(window: any AppWindow) { self.window = window }

  func select(_ id: Int) throws {
    // The list knows the note, the note knows the share sheet, and all know the window.
    try window.show(AppScreen(name: "note", title: "Note \(id)", text: ""))
  }
}

struct NoteFlow {
  let coordinator: ScreenCoordinator

  init(window: any AppWindow) {
    coordinator = ScreenCoordinator(window: window) { request in
      request.url == "notes://new" ? AppScreen(name: "new", title: "New note", text: "") : nil
    }
  }

  func start() throws { try coordinator.start(AppScreen(name: "list", title: "Notes", text: "")) }
  func select(_ id: Int) throws {
    try coordinator.push(AppScreen(name: "note", title: "Note \(id)", text: ""))
  }
  func open(_ url: String) throws { try coordinator.open(LaunchOptions(url: url)) }
}

@MainActor
final class TitleWindow: MainActorWindow {
  var titles: [String] = []

  func display(_ navigation: Navigation) { titles = navigation.screens.map(\.title) }
}
