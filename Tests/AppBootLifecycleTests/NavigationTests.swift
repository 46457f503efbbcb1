import AppBoot
import AppBootLifecycle
import AppBootTestKit
import Testing
import AppBootTestSupport

@Suite("The navigation on a window")
struct NavigationTests {
  private let window = RecordingWindow()
  private let main: ScreenCoordinator

  init() { main = ScreenCoordinator(window: window) }

  /// The names of the screens in each stack of the window.
  private var stacks: [[String]] { window.navigation.stacks.map { $0.map(\.screen.name) } }

  @Test("A window receives the whole stack and the presented stacks")
  func wholeFlow() throws {
    try main.start(screen("Notes"))
    try main.push(screen("Note"))
    try main.present(screen("Share"))
    try main.push(screen("Mail"))
    #expect(stacks == [["Notes", "Note"], ["Share", "Mail"]])
    try main.dismiss()
    #expect(stacks == [["Notes", "Note"]])
  }

  @Test("An item keeps its identity until it is removed, and equal screens have different items")
  func identity() throws {
    try main.start(screen("Notes"))
    try main.push(screen("Note"))
    let pushed = window.navigation.stacks[0]
    try main.push(screen("Note"))
    #expect(Array(window.navigation.stacks[0].prefix(2)) == pushed)
    #expect(window.navigation.visible != pushed[1])
    try main.pop()
    #expect(window.navigation.stacks == [pushed])
    try main.pop()
    try main.push(screen("Note"))
    #expect(window.navigation.stacks[0][0] == pushed[0])
    #expect(window.navigation.stacks[0][1] != pushed[1])
  }

  @Test("If the user goes back, the coordinator removes the screen and shows nothing again")
  func back() throws {
    let changes = Log()
    let window = RecordingWindow()
    let main = ScreenCoordinator(
      window: window, onChange: { changes.add($0.map(\.name).joined(separator: " ")) })
    try main.start(screen("Notes"))
    try main.push(screen("Note"))
    let calls = window.screens.count
    #expect(window.goBack())
    #expect(main.screens.map(\.name) == ["Notes"])
    #expect(changes.all == ["Notes", "Notes Note", "Notes"])
    #expect(window.screens.count == calls)
    #expect(!window.goBack(), "the first screen stays")
    try main.push(screen("Other"))
    #expect(window.navigation.screens.map(\.name) == ["Notes", "Other"])
  }

  @Test("If the user dismisses a stack, the coordinator removes all of its screens")
  func dismissal() throws {
    try main.start(screen("Notes"))
    try main.present(screen("Share"))
    try main.push(screen("Mail"))
    #expect(window.dismiss())
    #expect(main.screens.map(\.name) == ["Notes"])
    #expect(throws: ScreenError.nothingPresented(flow: "main")) { try main.dismiss() }
    #expect(!window.dismiss())
  }

  @Test("A child's stack continues the stack below, and a presented child has a stack of its own")
  func children() throws {
    try main.start(screen("Notes"))
    let editor = try main.addChild("editor")
    try editor.start(screen("Note"))
    let login = try editor.addChild("login", isPresented: true)
    try login.start(screen("Name"))
    try login.push(screen("Password"))
    #expect(stacks == [["Notes", "Note"], ["Name", "Password"]])
    let restored = RecordingWindow()
    try ScreenCoordinator(window: restored).restore(main.restorationData)
    #expect(restored.navigation == window.navigation)
  }

  @Test("A child whose screens the user has left is finished")
  func leftChild() throws {
    try main.start(screen("Notes"))
    let editor = try main.addChild("editor")
    let login = try main.addChild("login", isPresented: true)
    try editor.start(screen("Note"))
    try login.start(screen("Name"))
    window.dismiss()
    #expect(throws: ScreenError.finished(flow: "login")) { try login.push(screen("Password")) }
    window.goBack()
    #expect(throws: ScreenError.finished(flow: "editor")) { try editor.push(screen("Image")) }
    #expect(main.screens.map(\.name) == ["Notes"])
  }

  @Test("A screen that the user leaves while another one is pushed is removed after the push")
  func leavingMeanwhile() throws {
    let window = FakeWindow()
    let main = ScreenCoordinator(window: window)
    try main.start(screen("Notes"))
    try main.present(screen("Share"))
    window.whileShowing { window.userDismisses() }
    try main.push(screen("Mail"))
    #expect(main.screens.map(\.name) == ["Notes", "Mail"])
  }

  @Test("A screen carries parameters and a value, and restoration data the parameters")
  func values() throws {
    struct Note: Hashable { let id: Int }
    let note = AppScreen(name: "Note", title: "", text: "", parameters: ["id": "7"], value: Note(id: 7))
    try main.show(note)
    #expect(main.screens.first?.value(as: Note.self) == Note(id: 7))
    #expect(main.screens.first?.value(as: Int.self) == nil)
    #expect(note != AppScreen(name: "Note", title: "", text: "", parameters: ["id": "7"], value: Note(id: 8)))
    let restored = ScreenCoordinator(window: RecordingWindow())
    try restored.restore(main.restorationData)
    #expect(restored.screens == [AppScreen(name: "Note", title: "", text: "", parameters: ["id": "7"])])
  }

  @Test("A coordinator shows a navigation in place of its screens")
  func replacement() throws {
    try main.start(screen("Notes"))
    try main.show(Navigation(screen("Other")))
    #expect(stacks == [["Other"]])
  }
}

/// A window of the main actor as an app writes it: without `assumeIsolated` and without `@preconcurrency`.
@MainActor
private final class ScreenTitles: MainActorWindow {
  var titles: [String] = []
  func display(_ navigation: Navigation) { titles = navigation.screens.map(\.title) }
}

@Suite("A window of the main actor")
struct MainActorWindowTests {
  @Test("A window of the main actor refuses screens on another thread")
  func otherThread() {
    let window = ScreenTitles()
    #expect(throws: NotOnMainThread.self) { try ScreenCoordinator(window: window).start(screen("Notes")) }
    #expect(window.systemTheme() == nil)
    #expect(NotOnMainThread().description.hasSuffix("or give it `lane = .main`"))
  }
}
