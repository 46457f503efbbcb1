import AppBoot
import AppBootLifecycle
import AppBootTestKit
import NotesKit
import Testing

@Suite("The commands of Notes")
struct NotesCommandsTests {
  private func text(_ name: String, in state: MemoryStateStore) -> String? {
    state.read(name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("OpenNotes provides the notes of the file")
  func open() async {
    let state = MemoryStateStore()
    state.write("notes.txt", Array("# One\nfirst\n# Two\n".utf8))
    let result = await CommandTester(OpenNotes()).state(state).run()
    #expect(result.value(for: .notebook)?.notes.map(\.title) == ["One", "Two"])
    #expect(result.note == "2 notes")
  }

  @Test("A wait of an hour takes no time")
  func wait() async {
    struct Pause: AsyncCommand {
      func execute(in context: LaunchContext) async throws {
        try await context.clock.sleep(for: .seconds(3600))
        context.note("done")
      }
    }
    let clock = VirtualClock()
    let result = await CommandTester(Pause()).clock(clock).run()
    #expect(result.note == "done")
    #expect(clock.elapsed == .seconds(3600))
  }

  @Test("OpenNotes writes the first notebook once")
  func firstLaunch() {
    let state = MemoryStateStore()
    let first = LaunchPlan(sequence: [OpenNotes()], state: state).runBlocking()
    let second = LaunchPlan(sequence: [OpenNotes()], state: state).runBlocking()
    #expect(first["OpenNotes"]?.details.note == "2 notes, new")
    #expect(second["OpenNotes"]?.details.note == "2 notes")
  }

  @Test("IndexNotes without notes names the command that provides them")
  func missing() {
    let record = LaunchPlan(sequence: [IndexNotes(), OpenNotes()]).runBlocking()
    #expect(
      record["IndexNotes"]?.state.failure?.message
        == #"the context has no value "notebook" yet: run this command after "OpenNotes", which provides it"#
    )
  }

  @Test("IndexNotes is undone when the launch rolls back")
  func undo() throws {
    struct Mishap: Error {}
    let state = MemoryStateStore()
    state.write("index.txt", Array("earlier words\n".utf8))
    let plan = try LaunchPlan(state: state) {
      Step(OpenNotes())
      Step(IndexNotes())
      Step("last", FakeCommand { _ in throw Mishap() }).onFailure(.rollback)
    }
    let observer = RecordingObserver()
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [observer]
    let record = LaunchRunner(plan, configuration: configuration).runBlocking()
    #expect(record.outcome == .failed(step: 2))
    #expect(observer.events.contains { $0.kind == .undoStarted(step: 1) })
    #expect(text("index.txt", in: state) == "earlier words\n")
  }
}

@Suite("The manifest of Notes")
struct NotesManifestTests {
  private func boot(_ state: MemoryStateStore) throws -> (record: LaunchRecord, window: RecordingWindow) {
    let window = RecordingWindow(systemTheme: .dark)
    let directory = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let plan = try StartupCommandsBuilder(reading: "/\(directory)/commands.json", registry: notesRegistry())
      .window(window).state(state).build()
    return (plan.runBlocking(), window)
  }

  @Test("The manifest launches, shows the notes and writes an index")
  func launches() throws {
    let state = MemoryStateStore()
    let (record, window) = try boot(state)
    #expect(record.succeeded)
    #expect(record.failures.isEmpty)
    #expect(window.screens.map(\.title) == ["Welcome to Notes"])
    #expect(window.screens.first?.text.hasSuffix("· Groceries\n· Ideas for the garden") == true)
    let index = state.read("index.txt").map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(index.contains("tea 0\n"))
    #expect(!index.contains("the "))
  }
}
