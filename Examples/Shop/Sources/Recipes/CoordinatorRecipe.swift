import AppBoot
import AppBootLifecycle

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
