import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootReports

@Suite("Text report of a launch that runs", .ownThread)
struct TextProgressTests {
  private struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private typealias PlannedStep = (step: LaunchStep, after: [String]?)

  /// Collects the text after each event.
  private final class Printer: RecordObserver {
    private let state: Lock<(progress: TextProgress, pieces: [String])>

    init(_ report: TextReport) { state = Lock((TextProgress(report), [])) }

    var usesOutput: Bool { false }

    func observe(_ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64) {
      state.withLock { state in
        let text = state.progress.text(after: event, in: record)
        if !text.isEmpty { state.pieces.append(text) }
      }
    }

    /// Returns the text after each event, and then the rest.
    func pieces(with record: LaunchRecord) -> [String] {
      state.withLock { $0.pieces + [$0.progress.rest(of: record)] }
    }

    func rest(of record: LaunchRecord) -> String { state.withLock { $0.progress.rest(of: record) } }
  }

  private func step(
    _ id: String, _ policy: FailurePolicy = .stop,
    _ body: @escaping @Sendable (LaunchContext) throws -> Void = { _ in }
  ) -> PlannedStep {
    var step = LaunchStep(FakeCommand(body), id: id)
    step.onFailure = policy
    return (step, nil)
  }

  /// Returns what a launch of the steps prints, without times and with one space for many.
  private func printed(_ steps: [PlannedStep], _ report: TextReport = TextReport()) throws -> [String] {
    let printer = Printer(report)
    var configuration = LaunchRunner.Configuration()
    configuration.recordObservers = [printer]
    let plan = try LaunchPlan(name: "Notes", steps: steps)
    let record = LaunchRunner(plan, configuration: configuration).runBlocking()
    return printer.pieces(with: record).map { text in
      text.replacing(/\d+(\.\d+)? (ns|µs|us|ms|s)\b/, with: "TIME").replacing(/(\w) +/) { "\($0.output.1) " }
    }
  }

  @Test("Each step's row comes as it ends, and the end has only the verdict")
  func rows() throws {
    #expect(
      try printed([step("first") { $0.note("done") }, step("second")]) == [
        "✓ first TIME done\n", "✓ second TIME\n", "\nNotes booted in TIME: 2 steps\n",
      ])
  }

  @Test("A failure follows its row at once, and only its cause comes again at the end")
  func failure() throws {
    let pieces = try printed([
      step("first") { _ in throw Broken(description: "no window\nat all") }, step("second"),
    ])
    #expect(
      pieces == [
        "✗ first TIME no window\nerror: first (Fake) failed\n  no window\n  at all\n",
        "– second skipped: the launch stopped when \"first\" failed\n",
        "\ncause: no window\nNotes did not boot: first failed at TIME; 0 of 2 steps, 1 skipped\n",
      ])
  }

  @Test("A report of failures prints each failure at once, with an empty line between two")
  func failures() throws {
    let broken = { (id: String) in step(id, .continue) { _ in throw Broken(description: "no \(id)") } }
    #expect(
      try printed([broken("a"), step("b"), broken("c")], TextReport(detail: .failures)) == [
        "warning: a (Fake) failed (allowed)\n  no a\n", "\nwarning: c (Fake) failed (allowed)\n  no c\n", "",
      ])
  }

  @Test("Of equal failures the first is printed, and the end has the ids of the others")
  func equalFailures() throws {
    let broken = { (id: String) in step(id, .continue) { _ in throw Broken(description: "no") } }
    let steps = [broken("a"), broken("b"), broken("c")]
    #expect(
      try printed(steps) == [
        "! a TIME allowed to fail; no\nwarning: a (Fake) failed (allowed)\n  no\n",
        "! b TIME allowed to fail; no\n", "! c TIME allowed to fail; no\n",
        "\nwarning: 2 more steps failed (allowed) like a: b, c\n"
          + "\nNotes booted in TIME: 0 of 3 steps, 3 allowed failures\n",
      ])
    #expect(
      try printed(steps, TextReport(detail: .failures)) == [
        "warning: a (Fake) failed (allowed)\n  no\n",
        "\nwarning: 2 more steps failed (allowed) like a: b, c\n",
      ])
  }

  @Test("A full report prints the details below the row, and the lines about times at the end")
  func full() throws {
    let pieces = try printed([step("first"), step("second")], TextReport(detail: .full))
    #expect(pieces.count == 3)
    #expect(pieces[0].hasPrefix("✓ first TIME\n    Fake · main lane · started at TIME"))
    #expect(pieces[2].hasPrefix("\nlevers "))
  }

  @Test("An undo has a row of its own, because its step's row is printed before")
  func undo() throws {
    let pieces = try printed([
      step("first"), step("second", .rollback) { _ in throw Broken(description: "no") },
    ])
    #expect(pieces[0] == "✓ first TIME\n")
    #expect(pieces[2] == "↶ first TIME undone\n")
    #expect(
      pieces[3] == "\ncause: no\nNotes did not boot: second failed at TIME; rolled back; 1 of 2 steps\n")
  }

  @Test("Steps that are left out share one line at the end")
  func leftOut() throws {
    var (left, after) = step("left")
    left.skip = .excluded("not in --only")
    #expect(
      try printed([(left, after), step("right")]) == [
        "✓ right TIME\n",
        "– 1 step left out: not in --only\n\nNotes booted in TIME: 1 of 2 steps, 1 left out\n",
      ])
  }

  @Test("A step that has not ended has its row at the end")
  func unfinished() throws {
    let plan = try LaunchPlan(name: "Notes", steps: [step("first"), step("second")])
    var progress = TextProgress(TextReport())
    let record = LaunchRunner(plan).snapshot().record
    #expect(
      progress.rest(of: record) == """
        · first     waiting
        · second    waiting

        Notes did not finish: the record ends between two steps, after 0 s or later; 0 of 2 steps

        """)
  }

  @Test("Event handlers that have been printed do not come again")
  func events() throws {
    let plan = LaunchPlan(name: "Notes", sequence: [FakeCommand()])
    var record = plan.runBlocking()
    var progress = TextProgress(TextReport())
    #expect(!progress.rest(of: record).isEmpty)
    let handlers = LaunchPlan(name: "openURL", sequence: [FakeCommand()]).runBlocking()
    record.events = [EventRecord(event: "openURL", time: 1, record: handlers)]
    #expect(progress.text(of: record.events[0]).hasPrefix("\non openURL\n✓ Fake"))
    #expect(progress.rest(of: record).isEmpty)
    record.events.append(EventRecord(event: "didBecomeActive", time: 2, record: handlers))
    #expect(progress.rest(of: record).hasPrefix("\non didBecomeActive\n"))
    let options = LaunchOptions(payload: #"{"id":"web","restarts":0}"#)
    let ready = LaunchPlan(name: "serviceReady", sequence: [FakeCommand()], options: options).runBlocking()
    record.events.append(EventRecord(event: "serviceReady", time: 3, record: ready))
    #expect(progress.rest(of: record).hasPrefix("\non serviceReady for web\n"))
  }

  @Test("Rows stay within the width", arguments: [20, 40, 60, 100], [false, true])
  func narrow(width: Int, isASCII: Bool) throws {
    let pieces = try printed(
      [
        step(String(repeating: "長", count: 40)) { $0.note(String(repeating: "word ", count: 40)) },
        step("short", .continue) { _ in throw Broken(description: String(repeating: "no ", count: 40)) },
      ], TextReport(style: TextStyle(width: width, usesASCII: isASCII)))
    let lines = pieces.joined().split(separator: "\n").dropLast()
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= max(width, 22) || $0.hasPrefix("error:") })
  }
}
