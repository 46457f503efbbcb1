import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootSchema
import AppBootTestKit
import Foundation
import Testing

@testable import Recipes

@Suite("The code of Docs/patterns.md")
struct RecipesTests {
  @Test("The coordinator pushes screens and returns to its first screen")
  func coordinator() throws {
    let window = RecordingWindow()
    let flow = NoteFlow(window: window)
    try flow.start()
    try flow.select(7)
    try flow.open("notes://new")
    try flow.coordinator.popToRoot()
    #expect(window.screens.map(\.title) == ["Notes", "Note 7", "New note", "Notes"])
    #expect(throws: ScreenError.self) { try flow.open("notes://nowhere") }
  }

  @Test("The store counts unread notes")
  func store() {
    let store = makeStore()
    store.dispatch(.received(3))
    store.dispatch(.connection(false))
    #expect(store.state == AppState(unread: 3, isOnline: false))
    store.dispatch(.readAll)
    #expect(store.state.unread == 0)
  }

  @Test("The plan in code is valid, and its groups order the steps")
  func plan() throws {
    let plan = try shopPlan(client: Client(), window: RecordingWindow())
    #expect(plan.map(\.id) == ["database", "crashes", "sync", "port", "listen", "screen"])
    #expect(Array(plan.outline.predecessors(of: 5)) == [1, 2])
    #expect(plan.events.keys.sorted() == ["didShowFirstScreen", "willEnterForeground"])
  }

  @Test("An app that was launched in the background shows its first screen once, in the foreground")
  func background() async throws {
    let window = RecordingWindow()
    let plan = try shopPlan(client: Client(), window: window)
    let host = LifecycleHost(plan)
    let shown = host.events(.didShowFirstScreen)
    await host.receive(.didFinishLaunching(LaunchOptions(reason: .background)))
    #expect(window.screens.isEmpty)
    for event in [LifecycleEvent.willEnterForeground, .didEnterBackground, .willEnterForeground] {
      await host.receive(event)
    }
    #expect(window.screens.map(\.name) == ["Home"])
    host.end()
    #expect(await shown.reduce(into: 0) { count, _ in count += 1 } == 1)
  }

  @Test("A migration shows a screen, and the first screen replaces it at the end")
  func migration() async throws {
    let window = RecordingWindow()
    var configuration = LifecycleHost.Configuration()
    configuration.window = { _ in window }
    let plan = try migratingPlan(database: Database(path: "notes"))
    let host = LifecycleHost(plan, configuration: configuration)
    var migrated = host.events(.didMigrate).makeAsyncIterator()
    await host.receive(.didFinishLaunching(LaunchOptions()))
    await host.receive(.sceneWillConnect("left"))
    #expect(await migrated.next()?.payload == "Home")
    #expect(window.screens.map(\.name) == ["Migrating", "Home"])
    #expect(host["left"]?.coordinator?.screens.map(\.name) == ["Home"])
  }

  @Test("The plan causes no warning")
  func warnings() throws {
    let plan = try shopPlan(client: Client(), window: RecordingWindow())
    #expect(plan.warnings.isEmpty)
  }

  @Test("An asynchronous undo has the values of the launch")
  func undo() async {
    let result = await CommandTester(ReservePort(client: Client())).runAndUndo()
    #expect(result.value(for: .port) == 8080)
    #expect(result.step.details.undo?.failure == nil)
  }

  @Test("A record in a file shows which steps failed")
  func record() async throws {
    struct Mishap: Error, CustomStringConvertible { let description = "no disk" }
    let plan = try LaunchPlan {
      Step("open") { _ in throw Mishap() }
      Step("index") { _ in }
    }
    let path = FileManager.default.temporaryDirectory.appending(path: "record-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: path) }
    try await plan.run().json().write(to: path, atomically: true, encoding: .utf8)
    #expect(try failures(inRecordAt: path.path()) == ["open: no disk"])
  }

  @Test("The composite's payments accept only their own URLs")
  func composite() async {
    #expect(await answer("pay:done"))
    #expect(await answer("notes:7") == false)
  }
}
