import AppBoot

final class NoteList {
  let window: any Window
  init(window: any Window) { self.window = window }

  func select(_ id: Int) throws {
    // The list knows the note, the note knows the share sheet, and all know the window.
    try window.show(Screen(name: "note", title: "Note \(id)", text: ""))
  }
}

struct NoteFlow {
  let coordinator: ScreenCoordinator

  init(window: any Window) {
    coordinator = ScreenCoordinator(window: window) { request in
      request.url == "notes://new" ? Screen(name: "new", title: "New note", text: "") : nil
    }
  }

  func start() throws { try coordinator.start(Screen(name: "list", title: "Notes", text: "")) }
  func select(_ id: Int) throws {
    try coordinator.push(Screen(name: "note", title: "Note \(id)", text: ""))
  }
  func open(_ url: String) throws { try coordinator.open(LaunchOptions(url: url)) }
}
