import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing
import AppBootTestSupport

/// A window that logs the names of its visible screens and throws for one of them.
final class FakeWindow: AppWindow {
  private let names = Lock<[String]>([])
  private let navigation = Lock<Navigation?>(nil)
  private let report = Lock<@Sendable (Navigation) -> Void>({ _ in })
  private let refuses: String?
  private let meanwhile = Lock<(@Sendable () -> Void)?>(nil)

  init(refuses: String? = nil) { self.refuses = refuses }

  var shown: [String] { names.withLock { $0 } }
  func whileShowing(_ body: @escaping @Sendable () -> Void) { meanwhile.withLock { $0 = body } }
  func reportNavigation(to report: @escaping @Sendable (Navigation) -> Void) {
    self.report.withLock { $0 = report }
  }
  /// Reports that the user has dismissed everything that is presented.
  func userDismisses() {
    guard let navigation = navigation.withLock({ $0 }) else { return }
    report.withLock { $0 }(Navigation(stacks: Array(navigation.stacks.prefix(1))))
  }
  func apply(_ appearance: WindowAppearance) { names.withLock { $0.append(appearance.theme.rawValue) } }
  func systemTheme() -> AppTheme? { .dark }

  func show(_ navigation: Navigation) throws {
    let visible = self.navigation.withLock { $0?.visible }
    guard let item = navigation.visible else { return }
    if item.screen.name == refuses { throw Mishap() }
    self.navigation.withLock { $0 = navigation }
    if item != visible { names.withLock { $0.append(item.screen.name) } }
    meanwhile.withLock { $0 }?()
  }
}

func screen(_ name: String) -> AppScreen { AppScreen(name: name, title: name, text: "") }

@Suite("A screen coordinator")
struct ScreenCoordinatorTests {
  private let window = FakeWindow(refuses: "Broken")

  private func coordinator() -> ScreenCoordinator {
    ScreenCoordinator(window: window) { request in
      request.url.flatMap { $0.hasPrefix("notes://") ? screen(String($0.dropFirst(8))) : nil }
    }
  }

  @Test("A coordinator starts, pushes, pops, presents and dismisses screens")
  func navigation() throws {
    let main = coordinator()
    try main.start(screen("Home"))
    try main.push(screen("Note"))
    try main.present(screen("Settings"))
    try main.push(screen("Sound"))
    try main.pop()
    try main.dismiss()
    try main.pop()
    #expect(window.shown == ["Home", "Note", "Settings", "Sound", "Settings", "Note", "Home"])
    #expect(main.flow.screens.map(\.name) == ["Home"])
  }

  @Test("A stack holds its first screen and the newest ones, up to 100")
  func manyScreens() throws {
    let main = coordinator()
    for number in 0..<1000 { try main.show(screen("\(number)")) }
    #expect(main.screens.map(\.name) == ["0"] + (901..<1000).map { "\($0)" })
    try main.present(screen("over"))
    for number in 0..<200 { try main.push(screen("\(number)")) }
    #expect(main.screens.count == 200)
    try main.dismiss()
    for _ in 0..<99 { try main.pop() }
    #expect(main.screens.map(\.name) == ["0"])
  }

  @Test("Child flows can be nested deeply")
  func deepChildren() throws {
    var top = coordinator()
    try top.start(screen("Home"))
    for depth in 1...200 {
      top = try top.addChild("\(depth)")
      try top.start(screen("\(depth)"))
    }
    try top.show(screen("Last"))
    #expect(window.shown.suffix(2) == ["200", "Last"])
  }

  @Test("Popping to the root removes all other screens and children")
  func toRoot() throws {
    let main = coordinator()
    try main.start(screen("Home"))
    try main.push(screen("Note"))
    try main.present(screen("Settings"))
    let login = try main.addChild("login")
    try login.start(screen("Login"))
    try main.popToRoot()
    #expect(window.shown.last == "Home")
    #expect(main.flow.screens.map(\.name) == ["Home"])
    #expect(throws: ScreenError.finished(flow: "login")) { try login.push(screen("Password")) }
  }

  @Test("An invalid change throws and leaves the screens unchanged")
  func refusals() throws {
    let main = coordinator()
    #expect(throws: ScreenError.notStarted(flow: "main")) { try main.push(screen("Note")) }
    try main.start(screen("Home"))
    #expect(throws: ScreenError.alreadyStarted(flow: "main")) { try main.start(screen("Home")) }
    #expect(throws: ScreenError.atRoot(flow: "main")) { try main.pop() }
    #expect(throws: ScreenError.nothingPresented(flow: "main")) { try main.dismiss() }
    #expect(throws: ScreenError.notAChild(flow: "main")) { try main.finish() }
    #expect(main.flow.screens.map(\.name) == ["Home"])
    #expect(ScreenError.atRoot(flow: "main").description.hasPrefix("\"main\" cannot pop"))
  }

  @Test("The screens stay unchanged if the window throws")
  func refusingWindow() throws {
    let main = coordinator()
    try main.start(screen("Home"))
    #expect(throws: Mishap.self) { try main.push(screen("Broken")) }
    #expect(main.flow.visible?.name == "Home")
    try main.push(screen("Note"))
    #expect(window.shown == ["Home", "Note"])
  }

  @Test("A change is refused while the window shows another screen")
  func busy() throws {
    let main = coordinator()
    let errors = Log()
    window.whileShowing {
      do {
        try main.push(screen("Note"))
      } catch {
        errors.add("\(error)")
      }
    }
    try main.start(screen("Home"))
    #expect(errors.all == ["the window of \"main\" is already showing another screen: try again afterwards"])
    #expect(main.flow.screens.map(\.name) == ["Home"])
  }

  @Test("A route opens as the first screen on a cold start, and on top afterwards")
  func opening() throws {
    let main = coordinator()
    try main.open(LaunchOptions(url: "notes://first"))
    try main.open(LaunchOptions(url: "notes://second"))
    #expect(main.flow.layers.map { $0.map(\.screen.name) } == [["first", "second"]])
    #expect(throws: ScreenError.noRoute("other://")) { try main.open(LaunchOptions(url: "other://")) }
    #expect(throws: ScreenError.noRoute("a launch by normal")) { try main.open(LaunchOptions()) }
  }

  @Test("Child flows share the window of their parent")
  func children() throws {
    let main = coordinator()
    try main.start(screen("Home"))
    let login = try main.addChild("login")
    #expect(window.shown == ["Home"])
    try login.start(screen("Login"))
    let help = try login.addChild("help")
    try help.start(screen("Help"))
    try main.push(screen("News"))
    #expect(window.shown == ["Home", "Login", "Help"])
    #expect(throws: ScreenError.duplicateChild("login")) { try main.addChild("login") }
    try help.finish()
    try login.finish()
    #expect(window.shown == ["Home", "Login", "Help", "Login", "News"])
    #expect(throws: ScreenError.finished(flow: "login")) { try login.finish() }
  }

  @Test("A new screen goes on top of the visible child and can be dismissed from it")
  func onTopOfChildren() throws {
    let note = screen("Note")
    let main = ScreenCoordinator(window: window, routes: { _ in note })
    let login = try main.addChild("login")
    try login.start(screen("Login"))
    try main.open(LaunchOptions(url: "notes://note/1"))
    try main.show(screen("Home"))
    try main.present(screen("Alert"))
    #expect(window.shown == ["Login", "Note", "Home", "Alert"])
    try main.dismiss()
    #expect(window.shown.last == "Home")
    #expect(login.flow.screens.map(\.name) == ["Login", "Note", "Home"])
    #expect(throws: ScreenError.notStarted(flow: "main")) { try main.dismiss() }
  }

  @Test("Restoration data restores all screens, including children")
  func restoration() throws {
    let main = coordinator()
    try main.start(AppScreen(name: "Home", title: "Hello", text: "line\n\"quoted\""))
    try main.push(screen("Note"))
    try main.present(screen("Settings"))
    try main.addChild("login").start(screen("Login"))
    let other = FakeWindow()
    let again = ScreenCoordinator(window: other)
    try again.restore(main.restorationData)
    #expect(again.flow == main.flow)
    #expect(other.shown == ["Login"])
    try again.child("login")?.finish()
    #expect(other.shown == ["Login", "Settings"])
    #expect(again.child("unknown") == nil)
  }

  @Test("Invalid restoration data throws and leaves the screens unchanged")
  func notRestoring() throws {
    let main = coordinator()
    try main.start(screen("Home"))
    let mistakes: [(String, RestorationError)] = [
      (#"{"version":2}"#, .unknownVersion(2)), (#"{"name":"a"}"#, .malformed("version")),
      (#"{"version":1,"layers":[[]],"children":[]}"#, .malformed("layers")),
      (#"{"version":1,"layers":[[{"name":"a"}]],"children":[]}"#, .malformed("title")),
      (#"{"version":1,"layers":[]}"#, .malformed("children")),
      (
        #"{"version":1,"layers":[[{"name":"a","title":"a","text":"","parameters":{"id":7}}]],"children":[]}"#,
        .malformed("parameters")
      ),
    ]
    for (text, error) in mistakes { #expect(throws: error) { try main.restore(text) } }
    #expect(throws: RestorationError.self) { try main.restore("{") }
    #expect(main.flow.screens.map(\.name) == ["Home"])
  }

  @Test("A screen shown on a coordinator starts it, and later ones go on top")
  func windowing() throws {
    let changes = Log()
    let main = ScreenCoordinator(
      window: window, onChange: { changes.add($0.map(\.name).joined(separator: " ")) })
    let shared: any AppWindow = main
    #expect(main.screens.isEmpty)
    try shared.show(screen("Home"))
    #expect(main.screens.map(\.name) == ["Home"])
    try shared.show(screen("Note"))
    shared.apply(WindowAppearance(theme: .dark, accent: AppColor(red: 0, green: 0, blue: 0)))
    #expect(shared.systemTheme() == .dark)
    #expect(window.shown == ["Home", "Note", "dark"])
    #expect(changes.all == ["Home", "Home Note"])
  }
}
