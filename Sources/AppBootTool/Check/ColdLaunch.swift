import AppBoot
import AppBootRecords
import AppBootSystem

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

  /// Starts the process, forwards signals to it, and waits until it ends.
  ///
  /// - Parameter order: The start order of the steps; `nil` for the usual order.
  /// - Throws: `LaunchFailure` if the process leaves neither a record nor a journal; errors of the system.
  func run(order: [Int]? = nil) throws -> LaunchEnd {
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
    if let signal = watch.signal { return .interrupted(signal) }
    guard FileSystem.exists(recordFile) else {
      let failure = LaunchFailure(end: end, output: watch.output.text)
      guard let record = unfinished() else { throw failure }
      return .crashed(record, failure)
    }
    return .recorded(
      try StartupRecord(json: SourceText(name: recordFile, bytes: FileSystem.readFile(recordFile))))
  }

  /// Returns the record from the journal of a launch whose process crashed; `nil` if there is no journal.
  private func unfinished() -> StartupRecord? {
    let record = RecordArchive.unfinished(in: Self.journalDirectory(of: recordFile))
      .flatMap { try? RecordArchive.read($0).record }
    return record?.outcome == .running ? record : nil
  }
}

/// The end of one launch of a check.
enum LaunchEnd {
  case recorded(StartupRecord)
  /// The process crashed. The record is read from its journal.
  case crashed(StartupRecord, LaunchFailure)
  /// A signal interrupted the check. The value is its number.
  case interrupted(Int32)

  /// The reason why the launch did not succeed; `nil` if it succeeded or was interrupted.
  var reasonForFailure: String? {
    switch self {
    case .interrupted: return nil
    case .recorded(let record):
      guard !record.succeeded else { return nil }
      let cause = record.failures.first?.state.failure.map { ": \($0.message)" } ?? ""
      return TextReport(style: TextStyle()).verdict(of: record) + cause
    case .crashed(let record, let crash): return crash.message(record.lastRunning)
    }
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
