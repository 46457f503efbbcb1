import AppBoot
import AppBootReports
import AppBootSystem

/// The launches of a check: a warm-up, then the requested number.
///
/// If the comparison with the baseline needs more launches, further ones follow, until the result is certain. After a
/// failed launch the others follow too, so that the check can count the failures. It ends early if the first two
/// launches fail.
struct CheckLaunches {
  let tool: ToolContext
  let request: CheckRequest
  let secrets: Secrets
  let color: ColorChoice

  /// The result of the launches: their records, the comparison with the baseline, and the reason for an early end.
  struct Result {
    /// The records of the launches after the warm-up, and that of the warm-up if it failed.
    var records: [StartupRecord] = []
    /// The record of the first launch that failed, which may be the warm-up; `nil` if none failed.
    var failed: StartupRecord?
    /// The error about that launch's process if the process crashed; otherwise `nil`.
    var crash: LaunchFailure?
    var comparison: Comparison?
    /// The number of the signal that interrupted the check; `nil` if none did.
    var signal: Int32?
    /// The number of launches that the check wanted so far, without the warm-up.
    var goal = 0
    /// True if each launch had its own process.
    var isCold = true
    /// True if a launch succeeded, which may be the warm-up.
    var hasSucceeded = false
    /// The manifest of the first launch, which is the warm-up; `nil` before it.
    var manifest: CheckedManifest?

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
      return try run(isCold: false) {
        if let signal = try prepare(signals) { return .interrupted(signal) }
        return .recorded(try WarmLaunch(tool: tool, request: request, color: color).run())
      }
    }
    let directory = try CheckDirectory()
    defer { directory.remove() }
    let launch = ColdLaunch(
      relaunch: relaunch, request: request, recordFile: directory.file("record.json"), signals: signals)
    return try run(isCold: true) {
      if let signal = try prepare(signals) { return .interrupted(signal) }
      return try launch.run()
    }
  }

  /// Runs the command of `--prepare` if there is one. Returns the signal that interrupted it, or `nil`.
  private func prepare(_ signals: SignalPipe) throws -> Int32? {
    guard let command = request.prepare else { return nil }
    return try Preparation(command: command, signals: signals, secrets: secrets).run()
  }

  private func run(isCold: Bool, _ launch: () throws -> LaunchEnd) throws -> Result {
    let looks = CheckLooks(runs: request.runs, limit: request.limit)
    var result = Result()
    (result.isCold, result.goal) = (isCold, looks.first)
    let progress = CheckProgress(tool: tool, color: color)
    defer { progress.finish() }
    progress.show("warming up")
    guard try take(launch(), calibrations: [], isWarmUp: true, &result) else { return result }
    var patience = CPUCalibration.patience
    let former = (request.baseline ?? []).flatMap(\.self)
    while true {
      while result.records.count < result.goal, !result.failsAlways {
        progress.show("launch \(result.records.count + 1) of \(result.goal)")
        let limits = idleLimits(former, result.records)
        let before = CPUCalibration.measure(within: limits, patience: &patience)
        let end = try launch()
        let calibrations = zip(before, CPUCalibration.measure()).map { min($0, $1) }
        guard try take(end, calibrations: calibrations, isWarmUp: false, &result) else { return result }
      }
      guard result.failed == nil, let sessions = request.baseline else { return result }
      let comparison = Comparison(
        base: sessions, head: result.records, launchLimit: request.limit, options: request.options)
      result.comparison = comparison
      guard let next = looks.next(after: comparison) else { return result }
      result.goal = next
    }
  }

  /// Returns the maximum calibration times on an idle machine in nanoseconds, from earlier launches on this machine.
  ///
  /// Returns an empty array before the first launch.
  private func idleLimits(_ former: [StartupRecord], _ records: [StartupRecord]) -> [Int64] {
    guard let host = records.last?.header.host else { return [] }
    return MachineIdleness.limits(of: former.filter { $0.header.host == host } + records)
  }

  /// Adds a launch to the result. Returns false if a signal interrupted it.
  ///
  /// - Throws: ``ChangedManifest`` if the launch has another manifest than the first one.
  private func take(
    _ end: LaunchEnd, calibrations: [Int64], isWarmUp: Bool, _ result: inout Result
  ) throws -> Bool {
    switch end {
    case .interrupted(let signal):
      result.signal = signal
      return false
    case .recorded(let record):
      try add(record, calibrations, isWarmUp: isWarmUp, &result)
    case .crashed(let record, let crash):
      if result.failed == nil { result.crash = crash }
      try add(record, calibrations, isWarmUp: isWarmUp, &result)
    }
    return true
  }

  private func add(
    _ launched: StartupRecord, _ calibrations: [Int64], isWarmUp: Bool, _ result: inout Result
  ) throws(ChangedManifest) {
    if let manifest = result.manifest {
      try manifest.check(launched.outline)
    } else {
      result.manifest = CheckedManifest(launched.outline)
    }
    var record = launched
    record.header.tool = .init(name: tool.name, version: tool.version)
    record.header.host = record.header.host ?? .current()
    record.header.calibrations = calibrations
    if !isWarmUp || !record.succeeded { result.records.append(record) }
    if record.succeeded { result.hasSucceeded = true } else { result.failed = result.failed ?? record }
  }
}

/// A launch in the process of the check, for executables that cannot be started again. Loaded libraries stay loaded.
struct WarmLaunch {
  let tool: ToolContext
  let request: CheckRequest
  let color: ColorChoice

  func run() throws -> StartupRecord {
    let kept = Lock<StartupRecord?>(nil)
    var launch = ToolLaunch(tool: tool, request: request.launch, color: color, showsText: false) { record in
      kept.withLock { $0 = record }
      return ToolExit(record)
    }
    launch.isCheck = true
    launch.wantsFullRecord = true
    _ = try launch.run()
    guard let record = kept.withLock({ $0 }) else { throw LaunchFailure(end: .exited(0), output: "") }
    return record
  }
}

/// The progress line of a check. It is shown only if standard error is a terminal.
struct CheckProgress {
  let tool: ToolContext
  let color: ColorChoice

  private var isVisible: Bool { Terminal.isTerminal(tool.errors.descriptor) && Terminal.type != "dumb" }

  func show(_ words: String) {
    guard isVisible else { return }
    tool.errors.write("\r\(tool.errorStyle(color).paint("check: \(words)", .faint))\u{1B}[K")
  }

  func finish() {
    if isVisible { tool.errors.write("\r\u{1B}[K") }
  }
}
