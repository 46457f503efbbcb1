import AppBoot
import AppBootAnalysis
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The launches of a check: one, or a warm-up and then the requested number.
///
/// If the comparison needs more launches, further ones follow, until the result is certain. With a base, a launch of
/// it comes before or after each one, at random. After a failed launch the others follow too, so that the check can
/// count the failures. It ends early if the first two launches fail, or if a budget is certainly exceeded.
struct CheckLaunches {
  let tool: ToolContext
  let request: CheckRequest
  let secrets: Secrets
  /// The search for undeclared dependencies, in place of launches in the usual order; `nil` without `--shuffle`.
  let search: OrderSearch?
  private(set) var result = Result()

  /// The result of the launches: their records, the comparison with the baseline, and the reason for an early end.
  struct Result {
    /// The records of the launches after the warm-up, and that of the warm-up if it failed.
    var records: [LaunchRecord] = []
    /// The nanoseconds for which tasks waited for a processor during each of these launches; `nil` if unknown.
    var waits: [Int64?] = []
    /// The share of a launch for which tasks waited for a processor; `nil` if it is unknown.
    var waitShare: Double? {
      let known = waits.compactMap(\.self)
      let time = records.map(\.elapsedTime).median
      return known.isEmpty || time == 0 ? nil : min(1, Double(known.median) / Double(time))
    }
    /// The launches of the base and of the head that ran one after the other.
    var pairs: [(base: LaunchRecord, head: LaunchRecord)] = []
    /// The record of the first launch that failed, which may be the warm-up; `nil` if none failed.
    var failed: LaunchRecord?
    /// The error about that launch's process if the process crashed; otherwise `nil`.
    var crash: LaunchFailure?
    var comparison: Comparison?
    /// The search for undeclared dependencies; `nil` if there was none.
    var search: OrderSearch?
    /// The number of the signal that interrupted the check; `nil` if none did.
    var signal: Int32?
    /// The number of launches that the check wanted so far, without the warm-up.
    var goal = 0
    /// True if a launch succeeded, which may be the warm-up.
    var hasSucceeded = false
    /// The outline of the first launch, which is the warm-up; `nil` before it.
    var outline: LaunchOutline?

    /// True if two launches failed, and none succeeded.
    var failsAlways: Bool { records.count > 1 && !hasSucceeded }

    /// The message of a check that a signal interrupted.
    func cancellation(by signal: Int32) -> String {
      let failures = records.count { !$0.succeeded }
      let words = failures > 0 ? ", \(failures) of them failed" : ""
      return
        "check cancelled (\(Signals.name(signal))) after \(records.count) of \(goal) launches\(words); no verdict"
    }
  }

  /// Runs launches until there are enough, or a signal interrupts the check.
  ///
  /// - Throws: ``ToolError`` if the base does not boot, or if a launch has another manifest than the first one.
  mutating func run() throws -> Result {
    guard let relaunch = try Relaunch(arguments: tool.arguments) else { throw Relaunch.missing(for: "check") }
    let signals = try SignalPipe.install(Signals.terminating)
    defer { signals.stopReporting(Signals.terminating) }
    let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-check")
    defer { try? FileSystem.removeTree(directory) }
    let preparation = request.prepare.map { Preparation(command: $0, signals: signals, secrets: secrets) }
    let head = ColdLaunch(
      relaunch: relaunch, runArguments: state("head", directory) + request.runArguments, input: request.input,
      recordFile: FileSystem.join(directory, "record.json"), preparation: preparation, signals: signals)
    let base: (() throws -> LaunchRecord)? = request.base.map { base in
      let launch = ColdLaunch(
        relaunch: base.program.map(relaunch.replacing) ?? relaunch,
        runArguments: state("base", directory) + request.baseArguments, directory: base.directory,
        input: base.manifest == "-" ? request.input : nil, recordFile: head.recordFile,
        preparation: preparation, signals: signals)
      return { try base.record(of: launch) }
    }
    var progress = CheckProgress(tool: tool, isQuiet: request.isQuiet)
    defer { progress.finish() }
    do {
      if let search {
        try run(search, head, &progress)
      } else {
        try run(head, against: base, &progress)
      }
    } catch let interruption as Interruption {
      result.signal = interruption.signal
    }
    return result
  }

  /// Returns the option with the state directory of a side. With a base, each side has its own.
  private func state(_ side: String, _ directory: String) -> [String] {
    guard request.base != nil, request.launch.stateDirectory != nil else { return [] }
    return ["--state=\(FileSystem.join(directory, "state-\(side)"))"]
  }

  private mutating func run(
    _ head: ColdLaunch, against base: (() throws -> LaunchRecord)?, _ progress: inout CheckProgress
  ) throws {
    let looks = CheckLooks(runs: request.runs, limit: request.limit)
    result.goal = looks.first
    announce(looks)
    let end = MonotonicClock.deadline(after: request.timeLimit)
    // A single launch measures what a user sees.
    if request.isCompared || request.runs > 1 {
      progress.show("warming up")
      _ = try base?()
      try add(head.run(), isWarmUp: true)
    }
    while true {
      while result.records.count < result.goal, !result.failsAlways {
        if result.comparison != nil, MonotonicClock.now() >= end { return }
        progress.show("launch \(result.records.count + 1) of \(result.goal)")
        let isBaseFirst = Bool.random()
        var former = isBaseFirst ? try base?() : nil
        let waited = CPUPressure.total()
        try add(head.run())
        result.waits.append(waited.flatMap { start in CPUPressure.total().map { $0 - start } })
        if !isBaseFirst { former = try base?() }
        if let former, let head = result.records.last { result.pairs.append((former, head)) }
        if CheckFinding.isCertainlyOverBudget(result.records, of: result.goal) { return }
      }
      guard result.failed == nil, let comparison else { return }
      result.comparison = comparison
      guard let next = looks.next(after: comparison, goal: result.goal) else { return }
      result.goal = next
    }
  }

  /// Says how many launches a comparison takes, because each one runs all steps.
  private func announce(_ looks: CheckLooks) {
    guard request.isCompared, !request.isQuiet else { return }
    let base = request.base == nil ? "" : " and as many of the base"
    let time = DurationText.exact(.nanoseconds(request.timeLimit))
    tool.inform(
      "comparing \(looks.first) launches\(base); up to \(request.limit) within \(time) if the result is uncertain. "
        + "Each launch runs its steps")
  }

  /// Runs the launches of the search for undeclared dependencies, without a warm-up.
  private mutating func run(
    _ search: OrderSearch, _ head: ColdLaunch, _ progress: inout CheckProgress
  ) throws {
    var search = search
    result.goal = request.limit
    try search.run(most: request.limit) { order in
      progress.show("launch \(result.records.count + 1), in another order")
      try add(head.run(order: order))
      guard let record = result.records.last, !record.succeeded else { return nil }
      return (record.failures.filter { !$0.isAllowedFailure } + record.interrupted).map(\.index)
    }
    result.search = search
  }

  /// The comparison of all launches so far; `nil` if there is nothing to compare with.
  private var comparison: Comparison? {
    if request.base != nil {
      return Comparison(
        pairs: result.pairs, launchLimit: request.limit, waitShare: result.waitShare, options: request.options
      )
    }
    return request.baseline.map {
      Comparison(base: $0, head: result.records, launchLimit: request.limit, options: request.options)
    }
  }

  /// Adds a launch to the result.
  private mutating func add(_ launch: ColdLaunch.End, isWarmUp: Bool = false) throws(ToolError) {
    var record = launch.record
    // The check counts by step. The record of a launch in code has no digest.
    let first = result.outline ?? record.outline
    result.outline = first
    guard Set([first, record.outline].compactMap(\.manifestDigest)).count < 2,
      first.count == record.outline.count
    else { throw ToolError("the manifest changed during the check; check again") }
    record.header.tool = .init(name: tool.name, version: tool.version)
    record.header.host = record.header.host ?? .current()
    if !isWarmUp || !record.succeeded { result.records.append(record) }
    if record.succeeded {
      result.hasSucceeded = true
    } else if result.failed == nil {
      (result.failed, result.crash) = (record, launch.crash)
    }
  }
}

/// The progress of a check on standard error: a line that changes on a terminal; otherwise a new line, at most one for
/// each launch and every five seconds.
struct CheckProgress {
  private static let interval: Int64 = 5_000_000_000

  private let tool: ToolContext
  private let isQuiet: Bool
  private let live: LiveText?
  private var lastLine = MonotonicClock.now()

  init(tool: ToolContext, isQuiet: Bool) {
    (self.tool, self.isQuiet) = (tool, isQuiet)
    live = LiveText(tool.errors, tool.errorStyle)
  }

  mutating func show(_ words: String) {
    let text = "check: \(words)"
    if let live { return live.draw(line: text) }
    guard !isQuiet, MonotonicClock.now() - lastLine >= Self.interval else { return }
    lastLine = MonotonicClock.now()
    tool.errors.write(text + "\n")
  }

  func finish() { live?.finish() }
}

/// A launch in a new process. An earlier launch cannot have loaded or cached anything in it.
struct ColdLaunch {
  /// The command that starts the executable.
  let relaunch: Relaunch
  /// The arguments of `run`.
  let runArguments: [String]
  /// The directory of the process; `nil` for that of the check.
  var directory: String?
  /// The bytes of standard input; `nil` for none.
  let input: [UInt8]?
  /// The path of the file to which the process writes its record.
  let recordFile: String
  /// The command of `--prepare`; `nil` without it.
  let preparation: Preparation?
  let signals: SignalPipe

  /// The name of the variable that has the path of the record's file.
  ///
  /// If a command of the launch starts another launch, that one inherits the variable, but has another record.
  private static let recordVariable = "APPBOOT_CHECK_RECORD"

  /// The name of the variable that has the indices of the steps in start order; empty for the usual order.
  private static let orderVariable = "APPBOOT_CHECK_ORDER"

  /// The start order that the check set for this process; `nil` for the usual order.
  static var order: [Int]? {
    ProcessEnvironment.value(of: orderVariable).map { $0.split(separator: ",").compactMap { Int($0) } }
  }

  /// Returns whether a check started this process to write this record. Such a launch runs no event handlers.
  static func isThis(record: String?) -> Bool {
    record != nil && record == ProcessEnvironment.value(of: recordVariable)
  }

  /// Returns the directory of the launch's journal. The journal remains if the process crashes.
  static func journalDirectory(of recordFile: String) -> String { recordFile + ".journal" }

  /// The record of a launch, and the error about its process if it crashed. The record is then that of its journal.
  typealias End = (record: LaunchRecord, crash: LaunchFailure?)

  /// Runs the command of `--prepare`, starts the process, forwards signals to it, and waits until it ends.
  ///
  /// - Parameter order: The start order of the steps; `nil` for the usual order.
  /// - Throws: ``Interruption`` after a signal, ``LaunchFailure`` if the process leaves neither a record nor a journal;
  ///   errors of the command and of the system.
  func run(order: [Int]? = nil) throws -> End {
    try preparation?.run()
    if FileSystem.exists(recordFile) { try FileSystem.remove(recordFile) }
    let arguments = ["run", "--quiet", "--color=never", "--no-journal", "--record=\(recordFile)"]
    let process = ProcessRequest(
      relaunch.command(arguments + runArguments), directory: directory,
      environment: relaunch.environment.merging([
        Self.recordVariable: recordFile,
        Self.orderVariable: (order ?? []).map(String.init).joined(separator: ","),
      ]) { $1 },
      captureOutput: true, standardInput: input)
    var watch = try ProcessWatch(starting: process, signals)
    let end = try watch.wait()
    guard FileSystem.exists(recordFile) else {
      let failure = LaunchFailure(end: end, output: watch.output.text)
      guard let record = unfinished() else { throw failure }
      return (record, failure)
    }
    let source = SourceText(name: recordFile, bytes: try FileSystem.readFile(recordFile))
    return (try LaunchRecord(json: source), nil)
  }

  /// Returns the record from the journal of a launch whose process crashed; `nil` if there is no journal.
  private func unfinished() -> LaunchRecord? {
    let record = RecordArchive.unfinished(in: Self.journalDirectory(of: recordFile))
      .flatMap { try? RecordArchive.read($0).record }
    return record?.outcome == .running ? record : nil
  }
}

/// The command of `--prepare`: a command line for the shell that runs before each launch of a check.
///
/// It is not timed. It can drop the system's caches, or remove files, so that each launch starts cold.
struct Preparation {
  let command: String
  let signals: SignalPipe
  let secrets: Secrets

  /// Runs the command to its end, and forwards signals to it.
  ///
  /// - Throws: ``ToolError`` if the command fails, ``Interruption`` after a signal; errors of the system.
  func run() throws {
    let request = ProcessRequest(["/bin/sh", "-c", command], captureOutput: true)
    var watch = try ProcessWatch(starting: request, signals, signalsGroup: true)
    let end = try watch.wait()
    if end == .exited(0) { return }
    let line = secrets.masking(command).split(whereSeparator: \.isNewline).joined(separator: "; ")
    let shown = LaunchFailure.shown(secrets.masking(watch.output.text), preferringErrors: true)
    throw ToolError(
      "the command of --prepare \(end.words): \(line)\(shown)",
      help: "if its failure does not matter, append ` || true` to the command")
  }
}

/// An error that reports that the process of a launch crashed or was killed.
struct LaunchFailure: ReportableError {
  let end: ProcessEnd
  let output: String

  var message: String { message("and left no record") }
  var exit: ToolExit { .commandFailed }

  /// Returns a message with the process's exit code or signal, and lines of its output.
  ///
  /// - Parameter place: Words for the moment at which the process ended, for example with the step that was running.
  func message(_ place: String) -> String {
    let isInvalid = end == .exited(ToolExit.invalidManifest.code)
    return "a launch's process \(end.words) \(place)\(Self.shown(output, preferringErrors: isInvalid))"
  }

  /// Returns lines of a process's output for the end of a message. Empty without output.
  ///
  /// - Parameter preferringErrors: True for the first errors, as of a compiler; the last lines are shown without any.
  static func shown(_ output: String, preferringErrors: Bool) -> String {
    let all = output.split(whereSeparator: \.isNewline)
    let errors = preferringErrors ? all.filter { $0.contains(": error: ") }.prefix(3) : []
    let lines = errors.isEmpty ? all.suffix(5) : errors
    return lines.isEmpty ? "" : "; output: \(lines.joined(separator: " | "))"
  }
}
