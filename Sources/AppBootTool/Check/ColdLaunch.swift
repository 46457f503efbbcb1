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
  typealias End = (record: StartupRecord, crash: LaunchFailure?)

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
    return (try StartupRecord(json: source), nil)
  }

  /// Returns the record from the journal of a launch whose process crashed; `nil` if there is no journal.
  private func unfinished() -> StartupRecord? {
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
