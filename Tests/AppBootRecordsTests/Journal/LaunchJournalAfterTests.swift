@testable import AppBoot
@testable import AppBootRecords
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("Event handlers in a journal", .ownThread)
final class EventJournalTests: Sendable {
  private let directory: String
  private let warnings = Lock<[String]>([])

  init() throws { directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-events") }

  deinit { try? FileSystem.removeTree(directory) }

  private struct Notes: Command {
    func execute(in context: LaunchContext) throws {
      context.note("done")
      if context.stepID == "fails" { throw Failure(message: "no", type: "T") }
    }
  }

  private func plan(_ steps: (any Command, String)..., name: String) throws -> LaunchPlan {
    try LaunchPlan(name: name, steps: steps.map { (LaunchStep($0.0, id: $0.1), nil) })
  }

  private func journal() -> LaunchJournal {
    LaunchJournal(directory: directory) { [warnings] text in warnings.withLock { $0.append(text) } }
  }

  private func host(
    _ journal: LaunchJournal, launch: LaunchPlan, handlers: [String: LaunchPlan] = [:]
  ) -> LifecycleHost {
    var plan = launch
    plan.events = handlers
    var configuration = LifecycleHost.Configuration()
    configuration.runner.journal = journal
    return LifecycleHost(plan, configuration: configuration)
  }

  /// Returns the stored journal, with everything that still had to be written.
  private func stored(_ written: LaunchJournal) throws -> Journal {
    written.settle()
    let path = try #require(try RecordArchive.list(directory).last)
    return try Journal(SourceText(name: path, bytes: try FileSystem.readFile(path)))
  }

  @Test("Event handlers are recorded after the launch, with their steps, times and failures")
  func complete() async throws {
    let opened = try plan((Notes(), "route"), (Notes(), "fails"), (Notes(), "late"), name: "openURL")
    let written = journal()
    let host = host(
      written, launch: try plan((Notes(), "a"), name: "Test"), handlers: ["openURL": opened])
    let launch = await host.receive(.didFinishLaunching(LaunchOptions()))
    let outcome = await host.receive(.openURL(OpenURLRequest("notes://7", scene: nil)))
    let journal = try stored(written)
    #expect(journal.hasEnded && journal.damage.isEmpty)
    #expect(journal.runningHandlers.isEmpty)
    #expect(journal.record.events.map(\.event) == ["openURL"])
    let event = try #require(journal.record.events.first)
    let own = try #require(outcome.record)
    #expect(event.time >= journal.record.elapsedTime)
    #expect(event.record.outcome == own.outcome && event.record.elapsedTime == own.elapsedTime)
    #expect(event.record.map(\.execution) == own.map(\.execution))
    #expect(event.record.map(\.details) == own.map(\.details))
    #expect(event.record.outline.options == own.outline.options)
    #expect(event.record.outline.name == "openURL")
    #expect(event.record["fails"]?.state == .failed(Failure(message: "no", type: "T")))
    var whole = try #require(launch.record)
    whole.events = journal.record.events
    #expect(journal.record.json() == whole.json())
    #expect(warnings.withLock { $0 } == [])
  }

  @Test("A running event handler is recorded with its event and its steps, and later with its end")
  func running() async throws {
    let (reached, goOn, ended) = (Gate(), Gate(), Gate())
    let waiting = FakeCommand { _ in
      reached.open()
      goOn.wait()
    }
    let handlers = try plan((Notes(), "first"), (waiting, "slow"), name: "didReceiveReload")
    let written = journal()
    let host = host(
      written, launch: try plan((Notes(), "slow"), name: "Test"), handlers: ["didReceiveReload": handlers])
    _ = await host.receive(.didFinishLaunching(LaunchOptions()))
    // The thread of the event before may still take this one, so that the call returns before its end.
    async let received: Void = onThread { host.receive(.didReceiveReload) { _ in ended.open() } }
    await onThread { reached.wait() }
    let journal = try stored(written)
    let event = try #require(journal.runningHandlers.first)
    #expect(event.event == "didReceiveReload")
    #expect(event.record.map(\.id) == ["first", "slow"])
    // The launch itself was healthy.
    #expect(journal.hasEnded && journal.running.isEmpty)
    #expect(EndedLaunch(of: journal) == .healthy(without: []))
    goOn.open()
    await received
    await onThread { ended.wait() }
    #expect(try stored(written).runningHandlers.isEmpty)
    #expect(try stored(written).record.events.map(\.record.outcome) == [.succeeded])
  }

  @Test("Event handlers may be cut off or damaged, and the launch is still read")
  func everyCut() throws {
    let bytes = try Fixture.bytes(of: "journal-1-events.jsonl")
    let launch = try #require(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").firstIndex {
        $0.contains(#""kind":"handlersStarted""#)
      })
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let start = lines[..<launch].joined(separator: "\n").utf8.count + 1
    for end in stride(from: start, to: bytes.count, by: 31) {
      let journal = try Journal(SourceText(name: "j", bytes: Array(bytes[..<end])))
      #expect(journal.damage.isEmpty)
      #expect(journal.record.outcome == RecordSample.record.outcome)
    }
    for missing in launch..<lines.count {
      var rest = lines
      rest.remove(at: missing)
      let journal = try Journal(SourceText(name: "j", text: rest.joined(separator: "\n")))
      #expect(journal.record.events.count == (lines[missing].contains("handlersStarted") ? 1 : 2))
      let copy = try LaunchRecord(json: SourceText(name: "copy", text: journal.record.json()))
      #expect(copy.json() == journal.record.json())
    }
  }

  @Test("A journal with event handlers can be read, even if it is cut off anywhere in their lines")
  func beginningAndEnd() throws {
    let bytes = try Fixture.bytes(of: "journal-1-handlers.jsonl")
    let whole = try Journal(SourceText(name: "j", bytes: bytes))
    let earlier = try Journal(SourceText(name: "j", bytes: try Fixture.bytes(of: "journal-1-events.jsonl")))
    #expect(whole.damage.isEmpty && whole.record.events.count == 2)
    #expect(whole.record.events.first?.record.json() == earlier.record.events.first?.record.json())
    #expect(whole.runningHandlers.map(\.event) == ["openURL"])
    let text = String(decoding: bytes, as: UTF8.self)
    let launch = text.split(separator: "\n").filter { !$0.contains(#""kind":"handlers"#) }
    let start = launch.joined(separator: "\n").utf8.count + 1
    for end in stride(from: start, to: bytes.count, by: 31) {
      let journal = try Journal(SourceText(name: "j", bytes: Array(bytes[..<end])))
      #expect(journal.damage.isEmpty && journal.hasEnded)
    }
  }

  @Test("Event handlers of version 1 can be read")
  func version1() throws {
    let journal = try Journal(
      SourceText(name: "journal-1-events.jsonl", bytes: try Fixture.bytes(of: "journal-1-events.jsonl")))
    #expect(journal.damage.isEmpty)
    var launch = journal.record
    launch.events = []
    #expect(launch.json() == RecordSample.record.json())
    #expect(journal.record.events.map(\.event) == ["didShowFirstScreen", "openURL"])
    let shown = try #require(journal.record.events.first)
    #expect(shown.scene == nil && shown.time == 41_200_000)
    #expect(shown.record["Warm"]?.details.note == "12 pages")
    #expect(shown.record.outcome == .succeeded && shown.record.elapsedTime == 900_000)
    let opened = try #require(journal.runningHandlers.first)
    #expect(opened.scene == "main" && opened.record.outline.options.url == "notes://note/7")
    #expect(opened.record["Route"]?.state == .running)
  }

  @Test("A journal above its limit drops earlier event handlers, and retains the launch and its services")
  func many() async throws {
    let launch = try plan((Notes(), "a"), name: "Test")
    let handlers = try plan((Notes(), String(repeating: "long", count: 5000)), name: "didReceiveReload")
    let journal = journal()
    let host = host(journal, launch: launch, handlers: ["didReceiveReload": handlers])
    _ = await host.receive(.didFinishLaunching(LaunchOptions()))
    let failure = Failure(message: "ended", type: "T")
    journal.add(late: LaunchEvent(.ended(step: 0, state: .failed(failure)), at: 9), in: launch.outline)
    var last: LifecycleOutcome?
    for _ in 0..<50 { last = await host.receive(.didReceiveReload) }
    let stored = try stored(journal)
    let path = try #require(try RecordArchive.list(directory).last)
    #expect(try #require(FileSystem.size(of: path)) < LaunchJournal.After.limit + 100_000)
    #expect(stored.damage.isEmpty && stored.record["a"]?.state == .failed(failure))
    #expect((1..<50).contains(stored.record.events.count))
    #expect(stored.record.events.allSatisfy { $0.record.succeeded })
    #expect(stored.record.events.last?.record.elapsedTime == last?.record?.elapsedTime)
    #expect(warnings.withLock { $0 } == [])
  }

  @Test("Event handlers that hang are recorded before the process exits")
  func hang() async throws {
    let journal = journal()
    journal.expectEvents()
    var configuration = LaunchRunner.Configuration()
    configuration.journal = journal
    _ = await LaunchRunner(try plan((Notes(), "a"), name: "Test"), configuration: configuration).run()
    let path = try #require(try RecordArchive.list(directory).last)
    let goOn = Gate()
    let isRecorded = Lock(false)
    configuration.grace = .milliseconds(1)
    configuration.onHang = { [isRecorded] _ in
      // The session waits at most half a second for the disk. The handlers themselves end only after this function.
      let isWritten = Patience.wait {
        let record = try? RecordArchive.read(path).record
        return record?.events.map(\.record.outcome) == [.timedOut]
      }
      isRecorded.withLock { $0 = isWritten }
      goOn.open()
    }
    let blocking = LaunchStep(FakeCommand { _ in goOn.wait() }, id: "b")
    let handlers = try LaunchPlan(name: "openURL", steps: [(blocking, nil)], timeout: .milliseconds(1))
    await onThread { [configuration] in
      _ = AppSession(timeout: nil).run(handlers, for: .didReceiveReload, configuration: configuration)
    }
    let wasRecorded = isRecorded.withLock { $0 }
    #expect(wasRecorded)
  }

  @Test("A journal reader restores event handlers from their end if the line of their beginning is missing")
  func damaged() async throws {
    let journal = journal()
    let host = host(
      journal, launch: try plan((Notes(), "a"), name: "Test"),
      handlers: ["didReceiveReload": try plan((Notes(), "b"), name: "didReceiveReload")])
    _ = await host.receive(.didFinishLaunching(LaunchOptions()))
    _ = await host.receive(.didReceiveReload)
    let whole = try stored(journal)
    let path = try #require(try RecordArchive.list(directory).last)
    let lines = String(decoding: try FileSystem.readFile(path), as: UTF8.self).split(separator: "\n")
    let rest = lines.filter { !$0.contains("handlersStarted") }
    #expect(rest.count == lines.count - 1)
    let read = try Journal(SourceText(name: "j", text: rest.joined(separator: "\n")))
    #expect(read.damage.isEmpty && read.record.json() == whole.record.json())
  }

  @Test("A write error is reported once and ends the recording of event handlers")
  func unwritable() async throws {
    // A limit on file sizes would affect other tests, so the test closes the file instead.
    let file = try #require(try ExclusiveFile.open(FileSystem.join(directory, "tail")))
    let journal = journal()
    journal.state.withLock { $0.after.file = file }
    file.close()
    let outline = try plan((Notes(), "a"), name: "openURL").outline
    let event = EventRecord(event: "openURL", time: 1, record: LaunchRecord(outline: outline, startedAt: ""))
    #expect(journal.begin(event) == 1)
    journal.settle()
    let warning = try #require(warnings.withLock { $0 }.first)
    #expect(warning.hasPrefix("services and event handlers are no longer recorded: cannot write"))
    journal.end(event, run: 1)
    #expect(journal.begin(event) == nil)
    journal.settle()
    #expect(warnings.withLock(\.count) == 1)
  }

  @Test("Event handlers do not wait for the disk, and the journal has them once it is written")
  func slowDisk() async throws {
    let journal = journal()
    let handlers = try plan((Notes(), "first"), (Notes(), "second"), name: "didReceiveReload")
    let host = host(
      journal, launch: try plan((Notes(), "a"), name: "Test"), handlers: ["didReceiveReload": handlers])
    _ = await host.receive(.didFinishLaunching(LaunchOptions()))
    let (isHeld, goOn) = (Gate(), Gate())
    // While the lock for writes is held, a write does not end.
    async let writing: Void = onThread {
      journal.writing.withLock { _ in
        isHeld.open()
        goOn.wait()
      }
    }
    await onThread { isHeld.wait() }
    let outcomes = [await host.receive(.didReceiveReload), await host.receive(.didReceiveReload)]
    #expect(outcomes.allSatisfy { $0.record?.succeeded == true })
    goOn.open()
    await writing
    let stored = try stored(journal)
    #expect(stored.damage.isEmpty && stored.runningHandlers.isEmpty)
    #expect(stored.record.events.map(\.record.outcome) == [.succeeded, .succeeded])
  }

  @Test("The journal keeps at most 1,000 characters of a line that an event handler prints")
  func longLine() async throws {
    let journal = journal()
    let printing = FakeCommand { $0.output(String(repeating: "x", count: 5000)) }
    let host = host(
      journal, launch: try plan((Notes(), "a"), name: "Test"),
      handlers: ["didReceiveReload": try plan((printing, "prints"), name: "didReceiveReload")])
    _ = await host.receive(.didFinishLaunching(LaunchOptions()))
    _ = await host.receive(.didReceiveReload)
    let event = try #require(try stored(journal).record.events.first)
    #expect(event.record["prints"]?.details.lastOutput?.count == 1000)
    let path = try #require(try RecordArchive.list(directory).last)
    let text = String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    #expect(text.contains(String(repeating: "x", count: 990)))
    #expect(!text.contains(String(repeating: "x", count: 1001)))
  }
}
