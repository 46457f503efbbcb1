@testable import AppBoot
import AppBootSystem
import AppBootTestKit
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("The journal of a launch")
final class LaunchJournalTests: Sendable {
  private let directory: String
  private let warnings = Lock<[String]>([])

  init() throws {
    directory = FileSystem.join(try FileSystem.makeTemporaryDirectory(prefix: "appboot-journal"), "state")
  }

  deinit { try? FileSystem.removeTree(FileSystem.directory(of: directory)) }

  private var journalFile: String { FileSystem.join(directory, "journal.jsonl") }

  private func journal(forced: Bool = false) -> LaunchJournal {
    LaunchJournal(directory: directory, forcesSafeMode: forced) { [warnings] text in
      warnings.withLock { $0.append(text) }
    }
  }

  private func run(_ plan: StartupPlan, _ journal: LaunchJournal, measures: Bool = false) async
    -> StartupRecord
  {
    var configuration = StartupRunner.Configuration()
    configuration.journal = journal
    configuration.measuresCPUTime = measures
    return await StartupRunner(plan, configuration: configuration).run()
  }

  private func kept() throws -> [String] { try RecordArchive.list(directory) }

  /// The present moment, in a millisecond of its own: records sort by it.
  private func freshTimestamp() -> String {
    let before = WallClock.timestamp()
    while WallClock.timestamp() == before {}
    let now = WallClock.timestamp()
    while WallClock.timestamp() == now {}
    return now
  }

  /// Writes the journal of a launch that died while these steps ran.
  private func die(in steps: [Int], of plan: StartupPlan, debugged: Bool = false) throws {
    try DirectoryStateStore(path: directory).prepare()
    let record = StartupRecord(outline: plan.outline, startedAt: "")
    var writer = record.beginningOfJournalHeader(process: 1, wasDebugged: debugged)
    writer.endOfJournalHeader(startedAt: freshTimestamp())
    let events =
      [StartupEvent(.launchStarted, at: 0)]
      + steps.map { StartupEvent(.started(step: $0, attempt: 1), at: 1) }
    let text = writer.text + events.map { $0.json(in: plan.outline) + "\n" }.joined()
    try FileSystem.writeFile(atomically: Array(text.utf8), to: journalFile)
  }

  private var plan: StartupPlan {
    var optional = StartupStep(Noisy(), id: "a \"quoted\" one")
    optional.onFailure = .continue
    return (try? StartupPlan(steps: [(StartupStep(Noisy(), id: "first"), nil), (optional, nil)]))
      ?? StartupPlan(sequence: [])
  }

  private struct Noisy: Command {
    func execute(in context: LaunchContext) throws {
      context.note("done")
      context.output("line")
      context.measure("part") { context.emit("didTrack", payload: "{}") }
      if context.stepID == "fails" { throw Failure(message: "no", type: "T") }
    }
  }

  @Test("becomes a record that says the same as the launch's own")
  func replay() async throws {
    let record = await run(plan, journal(), measures: true)
    let path = try #require(try kept().first)
    let entry = try RecordArchive.read(path)
    #expect(entry.record.json() == record.json())
    #expect(entry.record.header.host?.cores == Host.processorCount)
    #expect(entry.record.allSatisfy { $0.details.cpuTime != nil })
    #expect(!FileSystem.exists(journalFile))
    #expect(try FileSystem.permissions(path) == 0o600)
    #expect(warnings.withLock { $0 } == [])
  }

  @Test("is written before a step begins, and says which one runs")
  func duringTheLaunch() async throws {
    let (reached, goOn) = (Gate(), Gate())
    let waiting = FakeBackgroundCommand { _ in
      reached.open()
      goOn.wait()
    }
    let plan = StartupPlan(sequence: [waiting])
    let journal = journal()
    async let record = run(plan, journal)
    await onThread { reached.wait() }
    let live = try Journal(SourceText(name: "j", bytes: try FileSystem.readFile(journalFile)))
    #expect(live.running.map(\.id) == [plan[0].id])
    #expect(live.process == Host.processIdentifier)
    #expect(journal.standing == .writing)
    // A launch that runs is no dead one.
    #expect(GuardState.reading(directory, with: LaunchGuard(crashes: 1)).safeMode == nil)
    goOn.open()
    #expect(await record.succeeded)
    #expect(journal.standing == .finished)
  }

  @Test("belongs to one launch at a time: the second goes on and keeps nothing")
  func twoLaunches() throws {
    let second = journal()
    let other = plan
    let plan = StartupPlan(sequence: [
      FakeCommand { [self] _ in
        #expect(StartupRunner(other, configuration: configuration(second)).run().succeeded)
        #expect(!FileSystem.exists(FileSystem.join(directory, "records")))
      }
    ])
    #expect(StartupRunner(plan, configuration: configuration(journal())).run().succeeded)
    #expect(second.standing == .busy(process: Host.processIdentifier))
    #expect(warnings.withLock { $0.count } == 1)
    #expect(try kept().count == 1)
  }

  @Test("A runner opens its journal when it runs")
  func openedByRun() throws {
    let journal = journal()
    let runner = StartupRunner(plan, configuration: configuration(journal))
    #expect(journal.standing == .unopened)
    #expect(!FileSystem.exists(directory))
    #expect(runner.run().succeeded)
    #expect(journal.standing == .finished)
  }

  @Test("names the process that has the directory by its first line, however long its journal is")
  func busyFor() async throws {
    try die(in: [0], of: plan)
    let other = try #require(try ExclusiveFile.open(journalFile))
    #expect(truncate(journalFile, off_t(FileSystem.readLimit + 1)) == 0)
    let journal = journal()
    #expect(await run(plan, journal).succeeded)
    #expect(journal.standing == .busy(process: 1))
    #expect(warnings.withLock { $0.first }?.hasPrefix("another launch (pid 1) is using ") == true)
    other.close()
  }

  private func configuration(_ journal: LaunchJournal) -> StartupRunner.Configuration {
    var configuration = StartupRunner.Configuration()
    configuration.journal = journal
    return configuration
  }

  @Test("keeps the last 20 launches, and touches no other file")
  func history() async throws {
    try DirectoryStateStore(path: directory).prepare()
    try FileSystem.createDirectory(FileSystem.join(directory, "records"))
    let mine = FileSystem.join(directory, "records/mine.json")
    try FileSystem.writeFile(atomically: [], to: mine)
    let old = (10..<35).map { FileSystem.join(directory, "records/20200101T0000\($0).000Z-1.jsonl") }
    for path in old { try FileSystem.writeFile(atomically: [1], to: path) }
    _ = await run(plan, journal())
    let kept = try kept()
    #expect(kept.count == 21)
    #expect(kept.contains(mine))
    #expect(kept.filter(old.contains) == Array(old.suffix(19)))
  }

  @Test("makes the third launch careful after two that died in the same step, and a healthy one clears it")
  func guarded() async throws {
    try die(in: [1], of: plan)
    #expect(await run(plan, journal()).allSatisfy { $0.state == .succeeded })
    try die(in: [1], of: plan)
    _ = journal().open(for: plan, header: RecordHeader())
    #expect(GuardState.reading(directory).safeMode == nil)
    try die(in: [1], of: plan)
    #expect(GuardState.reading(directory).safeMode?.culprits == ["a \"quoted\" one"])
    let careful = await run(plan, journal())
    #expect(careful[1].state == .skipped(.safeMode("safe mode: the last launches crashed in it")))
    #expect(careful.outline.safeMode?.reason == "the last 2 launches crashed, in \"a \"quoted\" one\"")
    let next = await run(plan, journal())
    #expect(next.outline.safeMode == nil)
    #expect(next[1].state == .succeeded)
  }

  @Test("remembers a death over more launches that say nothing than are kept")
  func rememberedDeath() async throws {
    let background = plan.adapted(to: LaunchOptions(reason: .background), on: nil, nil)
    try die(in: [1], of: plan)
    for _ in 0..<25 { #expect(await run(background, journal()).outline.safeMode == nil) }
    try die(in: [1], of: plan)
    #expect(GuardState.reading(directory).crashes == 2)
    for _ in 0..<25 {
      #expect(await run(background, journal()).outline.safeMode?.culprits == ["a \"quoted\" one"])
    }
    #expect(GuardState.reading(directory).safeMode != nil)
    #expect(await run(plan, journal()).outline.safeMode != nil)
    #expect(GuardState.reading(directory) == GuardState())
  }

  @Test("keeps to safe mode over launches that say nothing, until one is healthy")
  func guardedOverNeutralLaunches() async throws {
    let quiet = LaunchOptions(reason: .background)
    for neutral in 0..<3 {
      for _ in 0..<2 {
        try die(in: [1], of: plan)
        _ = journal().open(for: plan, header: RecordHeader())
      }
      var between = plan
      switch neutral {
      case 0:  // Stopped by its user.
        let runner = StartupRunner(plan, configuration: configuration(journal()))
        runner.cancel("SIGINT")
        let record = await runner.run()
        #expect(record.outline.safeMode != nil)
        #expect(record.cancellation == .requested("SIGINT"))
      case 1:
        between = plan.adapted(to: quiet, on: nil, nil)
        #expect(await run(between, journal()).outline.safeMode != nil)
      default:  // Gone before its first event: an empty journal is all that is left.
        #expect(journal().open(for: plan, header: RecordHeader()).outline.safeMode != nil)
      }
      #expect(GuardState.reading(directory).safeMode?.culprits == ["a \"quoted\" one"])
      #expect(await run(plan, journal()).outline.safeMode?.culprits == ["a \"quoted\" one"])
      #expect(await run(plan, journal()).outline.safeMode == nil)
    }
    #expect(warnings.withLock { $0 } == [])
  }

  @Test("that has served a launch touches nothing for another one")
  func servesOneLaunch() async throws {
    let journal = journal()
    #expect(await run(plan, journal).succeeded)
    try die(in: [1], of: plan)
    #expect(await run(plan, journal).succeeded)
    #expect(FileSystem.exists(journalFile))
    #expect(try kept().count == 1)
    #expect(warnings.withLock { $0 } == ["a journal records one launch; this one is not recorded"])
  }

  @Test("warns while no lock is held, so that who hears it may ask for the record")
  func warnsUnlocked() async throws {
    let asked = Lock<(runner: StartupRunner?, counts: [Int])>((nil, []))
    let journal = LaunchJournal(directory: directory) { _ in
      guard let runner = asked.withLock({ $0.runner }) else { return }
      let count = runner.snapshot().record.count
      asked.withLock { $0.counts.append(count) }
    }
    // The directory disappears during the launch: the journal cannot be kept.
    let plan = StartupPlan(sequence: [FakeCommand { [directory] _ in try FileSystem.removeTree(directory) }])
    let runner = StartupRunner(plan, configuration: configuration(journal))
    asked.withLock { $0.runner = runner }
    #expect(await runner.run().succeeded)
    #expect(asked.withLock { $0.counts } == [1])
    asked.withLock { $0.runner = nil }
  }

  @Test("does not count launches under a debugger, in the background, cancelled, or marked healthy")
  func neutral() async throws {
    let quiet = StartupPlan(sequence: [Noisy()], options: LaunchOptions(reason: .background))
    for (plan, debugged) in [(plan, true), (quiet, false)] {
      for _ in 0..<2 {
        try die(in: [0], of: plan, debugged: debugged)
        #expect(GuardState.reading(directory, with: LaunchGuard(crashes: 1)).crashes == 0)
        #expect(await run(plan, journal()).outline.safeMode == nil)
      }
    }
    for kind in [StartupEvent.Kind.cancelled(reason: .requested("SIGTERM")), .markedHealthy] {
      var lines = RecordSample.journal().split(separator: "\n").prefix(6).joined(separator: "\n")
      lines += "\n" + StartupEvent(kind, at: 9).json(in: RecordSample.plan.outline) + "\n"
      let facts = LaunchFacts(of: try Journal(SourceText(name: "j", text: lines)))
      #expect(facts.ending == (kind == .markedHealthy ? .healthy : .neutral))
    }
  }

  @Test("is careful where it is asked to be")
  func forced() async throws {
    #expect(await run(plan, journal(forced: true)).outline.safeMode == .requested)
    try die(in: [1], of: plan)
    let record = await run(plan, journal(forced: true))
    #expect(record.outline.safeMode?.culprits == ["a \"quoted\" one"])
    #expect(record[1].state.name == "skipped")
  }

  @Test("says that the app is up, once, and only while the launch runs")
  func healthy() async throws {
    struct Marks: Command {
      func execute(in context: LaunchContext) {
        context.markHealthy()
        context.markHealthy()
      }
    }
    let runner = StartupRunner(StartupPlan(sequence: [Marks()]), configuration: configuration(journal()))
    let record = await runner.run()
    runner.markHealthy()
    #expect(record.healthyAt != nil)
    let text = String(decoding: try FileSystem.readFile(try #require(try kept().first)), as: UTF8.self)
    #expect(text.split(separator: "\n").filter { $0.contains("markedHealthy") }.count == 1)
  }

  @Test("of a dead launch that is damaged is read around the damage, or put aside, with a word")
  func damaged() async throws {
    try die(in: [1], of: plan)
    let bytes = try FileSystem.readFile(journalFile)
    try FileSystem.writeFile(atomically: bytes + Array("\u{1}garbage\n".utf8), to: journalFile)
    #expect(await run(plan, journal()).succeeded)
    #expect(warnings.withLock { $0.last }?.contains("is damaged; skipping line 4") == true)
    try FileSystem.writeFile(atomically: Array("garbage\n".utf8), to: journalFile)
    #expect(await run(plan, journal()).succeeded)
    #expect(warnings.withLock { $0.last }?.contains("cannot be read; it was moved to") == true)
    #expect(FileSystem.exists(FileSystem.join(directory, "journal.damaged")))
    #expect(try kept().count == 3)
  }

  @Test("that is far too long is put aside unread, with a word, and the launch goes on")
  func tooLong() async throws {
    try die(in: [1], of: plan)
    let path = journalFile
    #expect(truncate(path, off_t(LaunchHistory.mostBytes + 1)) == 0)
    #expect(GuardState.reading(directory, with: LaunchGuard(crashes: 1)).crashes == 0)
    #expect(await run(plan, journal()).succeeded)
    #expect(warnings.withLock { $0.last }?.hasSuffix("journal.damaged: it is larger than 64 MiB") == true)
    let aside = FileSystem.join(directory, "journal.damaged")
    #expect(FileSystem.size(of: aside) == LaunchHistory.mostBytes + 1)
    #expect(try kept().count == 1)
    #expect(await run(plan, journal()).outline.safeMode == nil)
  }

  @Test("that cannot be written is a warning, and the launch goes on")
  func unwritable() async throws {
    try FileSystem.writeFile(atomically: [], to: directory)
    let journal = journal()
    #expect(await run(plan, journal).succeeded)
    #expect(warnings.withLock { $0.count } == 1)
    guard case .unavailable = journal.standing else {
      Issue.record("\(journal.standing)")
      return
    }
  }

  @Test("has the same text for an event as the event stream")
  func encoding() throws {
    let plan = RecordSample.plan
    var encoder = JournalEncoder()
    for event in RecordSample.events.dropFirst() { encoder.add(event, in: plan.outline) }
    let expected = RecordSample.events.dropFirst().map { $0.json(in: plan.outline) + "\n" }.joined()
    #expect(String(decoding: encoder.batch, as: UTF8.self) == expected)
    var quoting = JournalEncoder()
    let long = String(repeating: "x", count: 62)
    for id in ["a\"b\\c", "\u{1}\n", "é", "", long, long + "y"] {
      let plan = try StartupPlan(steps: [(StartupStep(Noisy(), id: id), nil)])
      for time in [0, 7, Int64.max] {
        for kind in [
          StartupEvent.Kind.ready(step: 0), .started(step: 0, attempt: .max), .usedCPU(step: 0, time: time),
          .ended(step: 0, state: .succeeded),
        ] {
          let event = StartupEvent(kind, at: time)
          quoting.add(event, in: plan.outline)
          #expect(String(decoding: quoting.batch, as: UTF8.self) == event.json(in: plan.outline) + "\n")
          quoting.endBatch()
        }
      }
    }
  }

  @Test("holds back what a process prints once it is long, and keeps the last line")
  func talkative() {
    let plan = plan
    var encoder = JournalEncoder()
    encoder.start(with: [UInt8](repeating: 0x20, count: JournalEncoder.outputLimit + 1))
    encoder.endBatch()
    for number in 0..<1000 {
      encoder.add(StartupEvent(.output(step: 0, stream: .stdout, line: "\(number)"), at: 1), in: plan.outline)
    }
    #expect(!encoder.hasBatch)
    encoder.add(StartupEvent(.ended(step: 0, state: .succeeded), at: 2), in: plan.outline)
    let lines = String(decoding: encoder.batch, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"line\":\"999\""))
  }
}
