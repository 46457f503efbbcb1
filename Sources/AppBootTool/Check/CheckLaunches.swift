import AppBootAnalysis
import AppBoot
import AppBootReports
import AppBootSystem

/// The launches of a check: a warm-up, then the requested number.
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

  /// The result of the launches: their records, the comparison with the baseline, and the reason for an early end.
  struct Result {
    /// The records of the launches after the warm-up, and that of the warm-up if it failed.
    var records: [StartupRecord] = []
    /// The nanoseconds for which tasks waited for a processor during each of these launches; `nil` if unknown.
    var waits: [Int64?] = []
    /// The share of a launch for which tasks waited for a processor; `nil` if it is unknown.
    var waitShare: Double? {
      let known = waits.compactMap(\.self)
      let time = records.map(\.elapsedTime).median
      return known.isEmpty || time == 0 ? nil : min(1, Double(known.median) / Double(time))
    }
    /// The launches of the base and of the head that ran one after the other.
    var pairs: [(base: StartupRecord, head: StartupRecord)] = []
    /// The record of the first launch that failed, which may be the warm-up; `nil` if none failed.
    var failed: StartupRecord?
    /// The error about that launch's process if the process crashed; otherwise `nil`.
    var crash: LaunchFailure?
    var comparison: Comparison?
    /// The search for undeclared dependencies; `nil` if there was none.
    var search: OrderSearch?
    /// The number of the signal that interrupted the check; `nil` if none did.
    var signal: Int32?
    /// The number of launches that the check wanted so far, without the warm-up.
    var goal = 0
    /// True if each launch had its own process.
    var isCold = true
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
  func run() throws -> Result {
    let relaunch = try Relaunch(arguments: tool.arguments)
    let signals = try SignalPipe.install(Signals.terminating)
    defer { signals.stopReporting(Signals.terminating) }
    guard let relaunch else {
      if request.base != nil { throw Relaunch.missing(for: "--against") }
      return try run(isCold: false, base: nil) { order in
        if let signal = try prepare(signals) { return .interrupted(signal) }
        return .recorded(try WarmLaunch(tool: tool, request: request, order: order).run())
      }
    }
    let directory = try CheckDirectory()
    defer { directory.remove() }
    let recordFile = directory.file("record.json")
    let launch = ColdLaunch(
      relaunch: relaunch, runArguments: state("head", directory) + request.runArguments, input: request.input,
      recordFile: recordFile, signals: signals)
    let former = request.base.map { base in
      ColdLaunch(
        relaunch: base.program.map(relaunch.replacing) ?? relaunch,
        runArguments: state("base", directory) + request.baseArguments, directory: base.directory,
        input: base.manifest == "-" ? request.input : nil, recordFile: recordFile, signals: signals)
    }
    return try run(isCold: true, base: former) { order in
      if let signal = try prepare(signals) { return .interrupted(signal) }
      return try launch.run(order: order)
    }
  }

  /// Returns the option with the state directory of a side. With a base, each side has its own.
  private func state(_ side: String, _ directory: CheckDirectory) -> [String] {
    guard request.base != nil, request.launch.stateDirectory != nil else { return [] }
    return ["--state=\(directory.file("state-\(side)"))"]
  }

  /// Runs the command of `--prepare` if there is one. Returns the signal that interrupted it, or `nil`.
  private func prepare(_ signals: SignalPipe) throws -> Int32? {
    guard let command = request.prepare else { return nil }
    // A launch in this process restores the default actions.
    try signals.report(Signals.terminating)
    return try Preparation(command: command, signals: signals, secrets: secrets).run()
  }

  /// - Parameter launch: A function that launches in an order of the steps; `nil` for the usual order.
  private func run(
    isCold: Bool, base: ColdLaunch?, _ launch: (_ order: [Int]?) throws -> LaunchEnd
  ) throws -> Result {
    let looks = CheckLooks(runs: request.runs, limit: request.limit)
    var result = Result()
    result.isCold = isCold
    result.goal = looks.first
    var progress = CheckProgress(tool: tool, isQuiet: request.isQuiet)
    defer { progress.finish() }
    if search != nil { return try shuffle(&progress, result, launch) }
    progress.show("warming up")
    if let base {
      guard try baseRecord(base, &result) != nil || result.signal == nil else {
        return result
      }
    }
    guard try take(launch(nil), isWarmUp: true, &result) else { return result }
    while true {
      while result.records.count < result.goal, !result.failsAlways {
        progress.show("launch \(result.records.count + 1) of \(result.goal)")
        let isBaseFirst = Bool.random()
        var former: StartupRecord?
        if let base, isBaseFirst { former = try baseRecord(base, &result) }
        guard result.signal == nil else { return result }
        let waited = CPUPressure.total()
        guard try take(launch(nil), isWarmUp: false, &result) else { return result }
        result.waits.append(waited.flatMap { start in CPUPressure.total().map { $0 - start } })
        if let base, !isBaseFirst { former = try baseRecord(base, &result) }
        guard result.signal == nil else { return result }
        if let former, let head = result.records.last { result.pairs.append((former, head)) }
        if CheckFinding.isCertainlyOverBudget(result.records, of: result.goal) { return result }
      }
      guard result.failed == nil, let comparison = comparison(result) else { return result }
      result.comparison = comparison
      guard let next = looks.next(after: comparison, goal: result.goal) else { return result }
      result.goal = next
    }
  }

  /// Runs the launches of the search for undeclared dependencies, without a warm-up.
  private func shuffle(
    _ progress: inout CheckProgress, _ started: Result, _ launch: (_ order: [Int]?) throws -> LaunchEnd
  ) throws -> Result {
    var (result, search) = (started, search)
    result.goal = request.limit
    do {
      try search?.run(most: request.limit) { order in
        progress.show("launch \(result.records.count + 1), in another order")
        guard try take(launch(order), isWarmUp: false, &result) else { throw CancellationError() }
        return result.records.last?.succeeded == true
      }
    } catch is CancellationError {}
    result.search = search
    return result
  }

  /// Returns the comparison of all launches so far; `nil` if there is nothing to compare with.
  private func comparison(_ result: Result) -> Comparison? {
    if request.base != nil {
      return Comparison(
        pairs: result.pairs, launchLimit: request.limit, waitShare: result.waitShare, options: request.options
      )
    }
    return request.baseline.map {
      Comparison(base: $0, head: result.records, launchLimit: request.limit, options: request.options)
    }
  }

  /// Runs a launch of the base and returns its record; `nil` if a signal interrupted it.
  ///
  /// - Throws: ``ToolError`` if it fails.
  private func baseRecord(_ launch: ColdLaunch, _ result: inout Result) throws -> StartupRecord? {
    if let signal = try prepare(launch.signals) {
      result.signal = signal
      return nil
    }
    let end: LaunchEnd
    do {
      end = try launch.run()
    } catch let failure as LaunchFailure {
      throw request.base.map { $0.cannotBoot(failure.message) } ?? failure
    }
    if let base = request.base, let reason = end.reasonForFailure { throw base.cannotBoot(reason) }
    switch end {
    case .interrupted(let signal):
      result.signal = signal
      return nil
    case .crashed: return nil
    case .recorded(let record): return record.succeeded ? record : nil
    }
  }

  /// Adds a launch to the result. Returns false if a signal interrupted it.
  ///
  /// - Throws: ``ToolError`` if the launch has another manifest than the first one.
  private func take(
    _ end: LaunchEnd, isWarmUp: Bool, _ result: inout Result
  ) throws -> Bool {
    switch end {
    case .interrupted(let signal):
      result.signal = signal
      return false
    case .recorded(let record):
      try add(record, isWarmUp: isWarmUp, &result)
    case .crashed(let record, let crash):
      if result.failed == nil { result.crash = crash }
      try add(record, isWarmUp: isWarmUp, &result)
    }
    return true
  }

  private func add(
    _ launched: StartupRecord, isWarmUp: Bool, _ result: inout Result
  ) throws {
    // The check counts by step. The record of a launch in code has no digest.
    let first = result.outline ?? launched.outline
    result.outline = first
    guard Set([first, launched.outline].compactMap(\.manifestDigest)).count < 2,
      first.count == launched.outline.count
    else { throw ToolError("the manifest changed during the check; check again") }
    var record = launched
    record.header.tool = .init(name: tool.name, version: tool.version)
    record.header.host = record.header.host ?? .current()
    if !isWarmUp || !record.succeeded { result.records.append(record) }
    if record.succeeded { result.hasSucceeded = true } else { result.failed = result.failed ?? record }
  }
}

/// A launch in the process of the check, for executables that cannot be started again. Loaded libraries stay loaded.
struct WarmLaunch {
  let tool: ToolContext
  let request: CheckRequest
  let order: [Int]?

  func run() throws -> StartupRecord {
    let kept = Lock<StartupRecord?>(nil)
    var launch = ToolLaunch(tool: tool, request: request.launch, showsText: false) { record in
      kept.withLock { $0 = record }
      return ToolExit(record)
    }
    launch.isCheck = true
    launch.order = order
    launch.wantsFullRecord = true
    _ = try launch.run()
    guard let record = kept.withLock({ $0 }) else { throw LaunchFailure(end: .exited(0), output: "") }
    return record
  }
}

/// The progress of a check on standard error: a line that changes on a terminal; otherwise a new line, at most one for
/// each launch and every five seconds.
struct CheckProgress {
  private static let interval: Int64 = 5_000_000_000

  private let tool: ToolContext
  private let isQuiet: Bool
  private let isTerminal: Bool
  private var lastLine = MonotonicClock.now()

  init(tool: ToolContext, isQuiet: Bool) {
    self.tool = tool
    self.isQuiet = isQuiet
    isTerminal = Terminal.isTerminal(tool.errors.descriptor) && Terminal.type != "dumb"
  }

  mutating func show(_ words: String) {
    let text = "check: \(words)"
    if isTerminal {
      tool.errors.write("\r\(tool.errorStyle.paint(text, .faint))\u{1B}[K")
    } else if !isQuiet, MonotonicClock.now() - lastLine >= Self.interval {
      lastLine = MonotonicClock.now()
      tool.errors.write(text + "\n")
    }
  }

  func finish() {
    if isTerminal { tool.errors.write("\r\u{1B}[K") }
  }
}
