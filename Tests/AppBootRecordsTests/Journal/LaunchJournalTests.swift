@testable import AppBoot
@testable import AppBootRecords
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

import AppBootLibC

@Suite("The launch journal", .ownThread)
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

  private func run(_ plan: LaunchPlan, _ journal: LaunchJournal, measures: Bool = false) async
    -> LaunchRecord
  {
    var configuration = LaunchRunner.Configuration()
    configuration.journal = journal
    configuration.measuresCPUTime = measures
    return await LaunchRunner(plan, configuration: configuration).run()
  }

  private func stored() throws -> [String] { try RecordArchive.list(directory) }

  /// Returns the current time, in a millisecond that no other call returns: records sort by it.
  private func freshTimestamp() -> String {
    let before = WallClock.timestamp()
    while WallClock.timestamp() == before {}
    let now = WallClock.timestamp()
    while WallClock.timestamp() == now {}
    return now
  }

  /// Writes the journal of a launch that crashed while these steps ran.
  private func crash(
    in steps: [Int], of plan: LaunchPlan, debugged: Bool = false, at time: String? = nil, process: Int32 = 1
  ) throws {
    try DirectoryStateStore(path: directory).prepare()
    let record = LaunchRecord(outline: plan.outline, startedAt: "")
    var writer = record.beginningOfJournalHeader(
      process: process, in: FileSystem.origin(of: directory), wasDebugged: debugged)
    writer.endOfJournalHeader(startedAt: time ?? freshTimestamp())
    let events =
      [LaunchEvent(.launchStarted, at: 0)]
      + steps.map { LaunchEvent(.started(step: $0, attempt: 1), at: 1) }
    let text = writer.text + events.map { $0.json(in: plan.outline) + "\n" }.joined()
    try FileSystem.writeFile(atomically: Array(text.utf8), to: journalFile)
  }

  private var plan: LaunchPlan {
    var optional = LaunchStep(Noisy(), id: "a \"quoted\" one")
    optional.onFailure = .continue
    return (try? LaunchPlan(steps: [(LaunchStep(Noisy(), id: "first"), nil), (optional, nil)]))
      ?? LaunchPlan(sequence: [])
  }

  private struct Noisy: Command {
    func execute(in context: LaunchContext) throws {
      context.note("done")
      context.output("line")
      try context.measure("part") { try context.emit("didTrack", payload: "{}") }
      if context.stepID == "fails" { throw Failure(message: "no", type: "T") }
    }
  }

  @Test("The stored journal is equal to the launch's own record")
  func replay() async throws {
    let record = await run(plan, journal(), measures: true)
    let path = try #require(try stored().first)
    let entry = try RecordArchive.read(path)
    #expect(entry.record.json() == record.json())
    #expect(entry.record.header.host?.cores == Host.processorCount)
    #expect(entry.record.allSatisfy { $0.details.processorTime != nil })
    #expect(!FileSystem.exists(journalFile))
    #expect(try FileSystem.permissions(path) == 0o600)
    #expect(warnings.withLock { $0 } == [])
  }

  @Test("The journal is written before a step begins, and names the running step")
  func duringTheLaunch() async throws {
    let (reached, goOn) = (Gate(), Gate())
    let waiting = FakeBackgroundCommand { _ in
      reached.open()
      goOn.wait()
    }
    let plan = LaunchPlan(sequence: [waiting])
    let journal = journal()
    async let record = run(plan, journal)
    await onThread { reached.wait() }
    // Before the gate opens, nothing may leave the test: it would wait for the launch.
    let live = try? Journal(SourceText(name: "j", bytes: try FileSystem.readFile(journalFile)))
    #expect(live?.running.map(\.id) == [plan[0].id])
    #expect(live?.process == Host.processIdentifier)
    #expect(journal.standing == .writing)
    // A running launch is not a crashed one.
    #expect(GuardState.reading(directory, crashLimit: 1).safeMode == nil)
    goOn.open()
    #expect(await record.succeeded)
    #expect(journal.standing == .finished)
  }

  @Test("A second launch in the same directory continues and stores nothing")
  func twoLaunches() throws {
    let second = journal()
    let other = plan
    let plan = LaunchPlan(sequence: [
      FakeCommand { [self] _ in
        #expect(LaunchRunner(other, configuration: configuration(second)).runBlocking().succeeded)
        #expect(!FileSystem.exists(FileSystem.join(directory, "records")))
      }
    ])
    #expect(LaunchRunner(plan, configuration: configuration(journal())).runBlocking().succeeded)
    #expect(second.standing == .busy(process: Host.processIdentifier))
    #expect(warnings.withLock { $0.count } == 1)
    #expect(try stored().count == 1)
  }

  @Test("A runner opens its journal when it runs")
  func openedByRun() throws {
    let journal = journal()
    let runner = LaunchRunner(plan, configuration: configuration(journal))
    #expect(journal.standing == .unopened)
    #expect(!FileSystem.exists(directory))
    #expect(runner.runBlocking().succeeded)
    #expect(journal.standing == .finished)
  }

  @Test("A busy directory names the process that uses it, even if the journal is too long to read")
  func busyFor() async throws {
    try crash(in: [0], of: plan)
    let other = try #require(try ExclusiveFile.open(journalFile))
    #expect(truncate(journalFile, off_t(FileSystem.readLimit + 1)) == 0)
    let journal = journal()
    #expect(await run(plan, journal).succeeded)
    #expect(journal.standing == .busy(process: 1))
    #expect(warnings.withLock { $0.first }?.hasPrefix("another launch (pid 1) is using ") == true)
    other.close()
  }

  private func configuration(_ journal: LaunchJournal) -> LaunchRunner.Configuration {
    var configuration = LaunchRunner.Configuration()
    configuration.journal = journal
    return configuration
  }

  @Test("The last 20 launches are stored, and other files stay as they are")
  func history() async throws {
    try DirectoryStateStore(path: directory).prepare()
    try FileSystem.createDirectory(FileSystem.join(directory, "records"))
    let mine = FileSystem.join(directory, "records/mine.json")
    try FileSystem.writeFile(atomically: [], to: mine)
    let old = (10..<35).map { FileSystem.join(directory, "records/20200101T0000\($0).000Z-1.jsonl") }
    for path in old { try FileSystem.writeFile(atomically: [1], to: path) }
    _ = await run(plan, journal())
    let stored = try stored()
    #expect(stored.count == 21)
    #expect(stored.contains(mine))
    #expect(stored.filter(old.contains) == Array(old.suffix(19)))
  }

  @Test("Two crashes in the same step put the next launch into safe mode, and a healthy launch ends it")
  func guarded() async throws {
    try crash(in: [1], of: plan)
    #expect(await run(plan, journal()).allSatisfy { $0.state == .succeeded })
    try crash(in: [1], of: plan)
    _ = journal().open(for: plan.outline, header: RecordHeader())
    #expect(GuardState.reading(directory).safeMode == nil)
    try crash(in: [1], of: plan)
    #expect(GuardState.reading(directory).safeMode?.culprits == ["a \"quoted\" one"])
    let safe = await run(plan, journal())
    #expect(safe[1].state == .skipped(.safeMode("safe mode: the last launches crashed in this step")))
    #expect(safe.outline.safeMode?.reason == "the last 2 launches crashed, in \"a \"quoted\" one\"")
    let next = await run(plan, journal())
    #expect(next.outline.safeMode == nil)
    #expect(next[1].state == .succeeded)
  }

  @Test("Crashes of two processes count apart, even if the clock stood still")
  func equalClock() throws {
    for process in 1...3 as ClosedRange<Int32> {
      try crash(in: [1], of: plan, at: "1970-01-01T00:00:10.000Z", process: process)
      #expect(GuardState.reading(directory).crashes == Int(process))
      _ = journal().open(for: plan.outline, header: RecordHeader())
      #expect(GuardState.reading(directory).crashes == Int(process))
    }
  }

  @Test("A planted symbolic link is not written through: the launch continues with a warning")
  func linked() async throws {
    try DirectoryStateStore(path: directory).prepare()
    let target = FileSystem.join(FileSystem.directory(of: directory), "target")
    #expect(symlink(target, journalFile) == 0)
    #expect(await run(plan, journal()).succeeded)
    #expect(
      warnings.withLock { $0 } == [
        "continuing without recording this launch: cannot use \"\(journalFile)\": it is a symbolic link: move it away"
      ])
    #expect(!FileSystem.exists(target))
    try FileSystem.remove(journalFile)
    let records = FileSystem.join(directory, "records")
    try FileSystem.createDirectory(target)
    #expect(symlink(target, records) == 0)
    #expect(await run(plan, journal()).succeeded)
    #expect(
      warnings.withLock { $0.last }
        == "the record of this launch is not stored: cannot use \"\(records)\": it is a symbolic link: move it away"
    )
    #expect(try FileSystem.list(target) == [])
  }

  @Test("Crashes in a directory that other users may write to do not lead to safe mode")
  func writableByOthers() async throws {
    for _ in 0..<2 {
      try crash(in: [1], of: plan)
      _ = journal().open(for: plan.outline, header: RecordHeader())
    }
    try FileSystem.setPermissions(directory, to: 0o777)
    let names = try FileSystem.list(directory)
    #expect(GuardState.reading(directory) == GuardState())
    #expect(await run(plan, journal()).outline.safeMode == nil)
    #expect(warnings.withLock { $0.count } == 1)
    #expect(warnings.withLock { $0.last }?.contains("other users may write to it") == true)
    #expect(try FileSystem.list(directory) == names)
  }

  @Test("A crash is remembered over more neutral launches than are stored")
  func rememberedCrash() async throws {
    let background = plan.adapted(to: LaunchOptions(reason: .background), on: nil, nil)
    try crash(in: [1], of: plan)
    for _ in 0..<25 { #expect(await run(background, journal()).outline.safeMode == nil) }
    try crash(in: [1], of: plan)
    #expect(GuardState.reading(directory).crashes == 2)
    for _ in 0..<25 {
      #expect(await run(background, journal()).outline.safeMode?.culprits == ["a \"quoted\" one"])
    }
    #expect(GuardState.reading(directory).safeMode != nil)
    #expect(await run(plan, journal()).outline.safeMode != nil)
    #expect(GuardState.reading(directory) == GuardState())
  }

  @Test("Safe mode lasts over neutral launches until one is healthy")
  func guardedOverNeutralLaunches() async throws {
    let quiet = LaunchOptions(reason: .background)
    for neutral in 0..<3 {
      for _ in 0..<2 {
        try crash(in: [1], of: plan)
        _ = journal().open(for: plan.outline, header: RecordHeader())
      }
      var between = plan
      switch neutral {
      case 0:  // The user cancels the launch.
        let runner = LaunchRunner(plan, configuration: configuration(journal()))
        runner.cancel("SIGINT")
        let record = await runner.run()
        #expect(record.outline.safeMode != nil)
        #expect(record.cancellation == .requested("SIGINT"))
      case 1:
        between = plan.adapted(to: quiet, on: nil, nil)
        #expect(await run(between, journal()).outline.safeMode != nil)
      default:  // The launch ends before its first event and leaves an empty journal.
        #expect(journal().open(for: plan.outline, header: RecordHeader()).safeMode != nil)
      }
      #expect(GuardState.reading(directory).safeMode?.culprits == ["a \"quoted\" one"])
      #expect(await run(plan, journal()).outline.safeMode?.culprits == ["a \"quoted\" one"])
      #expect(await run(plan, journal()).outline.safeMode == nil)
    }
    #expect(warnings.withLock { $0 } == [])
  }

  @Test("A journal that recorded a launch writes nothing for another one")
  func servesOneLaunch() async throws {
    let journal = journal()
    #expect(await run(plan, journal).succeeded)
    try crash(in: [1], of: plan)
    #expect(await run(plan, journal).succeeded)
    #expect(FileSystem.exists(journalFile))
    #expect(try stored().count == 1)
    #expect(warnings.withLock { $0 } == ["a journal records one launch; this one is not recorded"])
  }

  @Test("A warning is reported with no lock held, so its handler may take a snapshot")
  func warnsUnlocked() async throws {
    let probe = Lock<(runner: LaunchRunner?, counts: [Int])>((nil, []))
    let journal = LaunchJournal(directory: directory) { _ in
      guard let runner = probe.withLock({ $0.runner }) else { return }
      let count = runner.snapshot().record.count
      probe.withLock { $0.counts.append(count) }
    }
    // The launch removes the directory, so the journal cannot be stored.
    let plan = LaunchPlan(sequence: [FakeCommand { [directory] _ in try FileSystem.removeTree(directory) }])
    let runner = LaunchRunner(plan, configuration: configuration(journal))
    probe.withLock { $0.runner = runner }
    #expect(await runner.run().succeeded)
    #expect(probe.withLock { $0.counts } == [1])
    probe.withLock { $0.runner = nil }
  }

  @Test("A debugged, background or cancelled launch is neutral, and one marked healthy is healthy")
  func neutral() async throws {
    let quiet = LaunchPlan(sequence: [Noisy()], options: LaunchOptions(reason: .background))
    for (plan, debugged) in [(plan, true), (quiet, false)] {
      for _ in 0..<2 {
        try crash(in: [0], of: plan, debugged: debugged)
        #expect(GuardState.reading(directory, crashLimit: 1).crashes == 0)
        #expect(await run(plan, journal()).outline.safeMode == nil)
      }
    }
    for kind in [LaunchEvent.Kind.cancelled(reason: .requested("SIGTERM")), .markedHealthy] {
      var lines = RecordSample.journal().split(separator: "\n").prefix(6).joined(separator: "\n")
      lines += "\n" + LaunchEvent(kind, at: 9).json(in: RecordSample.plan.outline) + "\n"
      let launch = EndedLaunch(of: try Journal(SourceText(name: "j", text: lines)))
      #expect(launch == (kind == .markedHealthy ? .healthy(without: []) : .neutral))
    }
  }

  @Test("Safe mode can be forced, and then a single crash makes a step a culprit")
  func forced() async throws {
    #expect(await run(plan, journal(forced: true)).outline.safeMode == .requested)
    try crash(in: [1], of: plan)
    let record = await run(plan, journal(forced: true))
    #expect(record.outline.safeMode?.culprits == ["a \"quoted\" one"])
    #expect(record[1].state.name == "skipped")
  }

  @Test("A launch is marked healthy once, and only while it runs")
  func healthy() async throws {
    struct Marks: Command {
      func execute(in context: LaunchContext) {
        context.markHealthy()
        context.markHealthy()
      }
    }
    let runner = LaunchRunner(LaunchPlan(sequence: [Marks()]), configuration: configuration(journal()))
    let record = await runner.run()
    runner.markHealthy()
    #expect(record.healthyTime != nil)
    let text = String(decoding: try FileSystem.readFile(try #require(try stored().first)), as: UTF8.self)
    #expect(text.split(separator: "\n").filter { $0.contains("markedHealthy") }.count == 1)
  }

  @Test("A damaged journal is read except for its damage, or moved aside, with a warning")
  func damaged() async throws {
    try crash(in: [1], of: plan)
    let bytes = try FileSystem.readFile(journalFile)
    try FileSystem.writeFile(atomically: bytes + Array("\u{1}garbage\n".utf8), to: journalFile)
    #expect(await run(plan, journal()).succeeded)
    #expect(warnings.withLock { $0.last }?.contains("is damaged; skipping line 4") == true)
    try FileSystem.writeFile(atomically: Array("garbage\n".utf8), to: journalFile)
    #expect(await run(plan, journal()).succeeded)
    #expect(warnings.withLock { $0.last }?.contains("cannot be read; it was moved to") == true)
    #expect(FileSystem.exists(FileSystem.join(directory, "journal.damaged")))
    #expect(try stored().count == 3)
  }

  @Test("A journal that cannot be stored is moved aside by the next launch, which is recorded")
  func unstorable() async throws {
    try DirectoryStateStore(path: directory).prepare()
    let records = FileSystem.join(directory, "records")
    try FileSystem.writeFile(atomically: [], to: records)
    #expect(await run(plan, journal()).succeeded)
    #expect(warnings.withLock { $0.last }?.hasPrefix("the record of this launch is not stored: ") == true)
    try crash(in: [1], of: plan)
    let next = journal()
    #expect(await run(plan, next).succeeded)
    #expect(next.standing == .finished)
    let aside = FileSystem.join(directory, "journal.damaged")
    #expect(
      warnings.withLock { $0.dropFirst().first }?.hasPrefix(
        "the last launch's journal cannot be stored; it was moved to \(aside): ") == true)
    #expect(try RecordArchive.read(aside).isUnfinished)
    try FileSystem.remove(records)
    #expect(await run(plan, journal()).succeeded)
    #expect(try stored().count == 2)
    #expect(warnings.withLock { $0.count } == 3)
  }

  @Test("A journal over the size limit is moved aside with a warning, and the launch continues")
  func tooLong() async throws {
    try crash(in: [1], of: plan)
    let path = journalFile
    #expect(truncate(path, off_t(LaunchHistory.mostBytes + 1)) == 0)
    #expect(GuardState.reading(directory, crashLimit: 1).crashes == 0)
    #expect(await run(plan, journal()).succeeded)
    #expect(warnings.withLock { $0.last }?.hasSuffix("journal.damaged: it is larger than 64 MiB") == true)
    let aside = FileSystem.join(directory, "journal.damaged")
    #expect(FileSystem.size(of: aside) == LaunchHistory.mostBytes + 1)
    #expect(try stored().count == 1)
    #expect(await run(plan, journal()).outline.safeMode == nil)
  }

  @Test("A journal that cannot be written is a warning, and the launch continues")
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

  @Test("An event has the same text in the journal as in the event stream")
  func encoding() throws {
    let plan = RecordSample.plan
    var encoder = JournalEncoder()
    for event in RecordSample.events.dropFirst() { encoder.add(event, in: plan.outline) }
    let expected = RecordSample.events.dropFirst().map { $0.json(in: plan.outline) + "\n" }.joined()
    #expect(String(decoding: encoder.batch, as: UTF8.self) == expected)
    var quoting = JournalEncoder()
    let long = String(repeating: "x", count: 62)
    for id in ["a\"b\\c", "\u{1}\n", "é", long, long + "y"] {
      let plan = try LaunchPlan(steps: [(LaunchStep(Noisy(), id: id), nil)])
      for time in [0, 7, Int64.max] {
        for kind in [
          LaunchEvent.Kind.ready(step: 0), .started(step: 0, attempt: .max),
          .usedCPU(step: 0, time: .nanoseconds(time)),
          .ended(step: 0, state: .succeeded),
        ] {
          let event = LaunchEvent(kind, at: time)
          quoting.add(event, in: plan.outline)
          #expect(String(decoding: quoting.batch, as: UTF8.self) == event.json(in: plan.outline) + "\n")
          _ = quoting.takeBatch()
        }
      }
    }
  }

  @Test("A long output is held back in the journal, except for its last line")
  func talkative() {
    let plan = plan
    var encoder = JournalEncoder()
    encoder.start(with: [UInt8](repeating: 0x20, count: JournalEncoder.outputLimit + 1))
    _ = encoder.takeBatch()
    for number in 0..<1000 {
      encoder.add(
        LaunchEvent(.output(.init(step: 0, attempt: 1, stream: .stdout, line: "\(number)")), at: 1),
        in: plan.outline)
    }
    #expect(!encoder.hasBatch)
    encoder.add(LaunchEvent(.ended(step: 0, state: .succeeded), at: 2), in: plan.outline)
    let lines = String(decoding: encoder.batch, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"text\":\"999\""))
  }
}
