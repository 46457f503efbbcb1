import AppBoot
import AppBootSystem

/// One launch in a process of its own, as a person's is: nothing is loaded, cached or decided before it.
struct ColdLaunch {
  let relaunch: Relaunch
  let request: CheckRequest
  /// Where the process leaves its record.
  let recordFile: String
  let signals: SignalPipe

  /// Tells a launch by its record's file that it is a check's own, and not one that a command of it starts.
  private static let recordVariable = "APPBOOT_CHECK_RECORD"

  /// Whether this process is the launch of a check, which runs no lists for events.
  static func isThis(record: String?) -> Bool {
    record != nil && record == ProcessEnvironment.value(of: recordVariable)
  }

  /// Where such a launch writes its journal, which tells of one whose process dies.
  static func journalDirectory(of recordFile: String) -> String { recordFile + ".journal" }

  /// Starts the process, and waits for its end; signals are handed on to it.
  ///
  /// - Throws: `LaunchFailure` where it leaves neither record nor journal, and what the system refuses.
  func run() throws -> LaunchEnd {
    if FileSystem.exists(recordFile) { try FileSystem.remove(recordFile) }
    let arguments = ["run", "--quiet", "--color=never", "--no-journal", "--record=\(recordFile)"]
    let process = try ProcessRequest(
      relaunch.command(arguments + request.runArguments),
      environment: relaunch.environment.merging([Self.recordVariable: recordFile]) { $1 },
      captureOutput: true, standardInput: request.input
    ).start()
    var watch = try ProcessWatch(process, signals)
    let end = try watch.wait()
    if let signal = watch.signal { return .interrupted(signal) }
    guard FileSystem.exists(recordFile) else {
      let failure = LaunchFailure(end: end, output: watch.output.text)
      guard let record = unfinished() else { throw failure }
      return .crashed(record, failure)
    }
    return .recorded(
      try StartupRecord(json: SourceText(name: recordFile, bytes: FileSystem.readFile(recordFile))))
  }

  /// What the journal of a launch says whose process died.
  private func unfinished() -> StartupRecord? {
    let record = RecordArchive.unfinished(in: Self.journalDirectory(of: recordFile))
      .flatMap { try? RecordArchive.read($0).record }
    return record?.outcome == .running ? record : nil
  }
}

/// How one launch of a check ended.
enum LaunchEnd {
  case recorded(StartupRecord)
  /// Its process died, and left what its journal says.
  case crashed(StartupRecord, LaunchFailure)
  /// The check was told to stop by this signal.
  case interrupted(Int32)
}

/// A launch's process that did not reach its end: it crashed, or was killed.
struct LaunchFailure: ReportableError {
  let end: ProcessEnd
  let output: String

  var message: String { message("and left no record") }
  var exit: ToolExit { .commandFailed }

  /// How it ended, where, if its journal says, and the last that it said.
  func message(_ place: String) -> String {
    let words =
      switch end {
      case .exited(let code): "ended with code \(code)"
      case .signalled(let signal): "was ended by \(Signals.name(signal))"
      }
    let lines = output.split(whereSeparator: \.isNewline).suffix(5)
    let said = lines.isEmpty ? "" : "; it said: \(lines.joined(separator: " | "))"
    return "a launch's process \(words) \(place)\(said)"
  }
}

/// Waits for a process, drains its output, and hands signals on to it.
private struct ProcessWatch {
  private enum Source: UInt64 {
    case exit, output, signal
  }

  private let process: Subprocess
  private let signals: SignalPipe
  private let poller: Poller
  private(set) var output = OutputTail()
  /// The first signal that came meanwhile.
  private(set) var signal: Int32?

  init(_ process: Subprocess, _ signals: SignalPipe) throws {
    self.process = process
    self.signals = signals
    poller = try Poller()
    try poller.add(signals.readDescriptor, token: Source.signal.rawValue)
    if let descriptor = process.outputDescriptor { try poller.add(descriptor, token: Source.output.rawValue) }
    try poller.add(process.exitDescriptor(), token: Source.exit.rawValue)
  }

  mutating func wait() throws -> ProcessEnd {
    while true {
      for token in try poller.wait() {
        switch Source(rawValue: token) {
        case .signal: handSignalsOn()
        case .output: drain()
        case .exit:
          guard let end = process.end() else { continue }
          drain()
          process.finish()
          return end
        case nil: continue
        }
      }
    }
  }

  private mutating func drain() {
    guard let descriptor = process.outputDescriptor else { return }
    var tail = output
    let isOpen = process.readOutput { tail.append($0) }
    output = tail
    if !isOpen { poller.remove(descriptor) }
  }

  private mutating func handSignalsOn() {
    for number in signals.drain() {
      signal = signal ?? number
      Signals.send(number, to: process.processIdentifier)
    }
  }
}
