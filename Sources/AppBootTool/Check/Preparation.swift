import AppBoot
import AppBootSystem

/// The command of `--prepare`: a command line for the shell that runs before each launch of a check.
///
/// It is not timed. It can drop the system's caches, or remove files, so that each launch starts cold.
struct Preparation {
  let command: String
  let signals: SignalPipe
  let secrets: Secrets

  /// Runs the command to its end, and forwards signals to it. Returns the signal that interrupted it, or `nil`.
  ///
  /// - Throws: ``PreparationError`` if the command fails; errors of the system.
  func run() throws -> Int32? {
    let request = ProcessRequest(["/bin/sh", "-c", command], captureOutput: true)
    var watch = try ProcessWatch(starting: request, signals, signalsGroup: true)
    let end = try watch.wait()
    if let signal = watch.signal { return signal }
    guard end == .exited(0) else {
      throw PreparationError(
        command: secrets.masking(command), end: end, output: secrets.masking(watch.output.text))
    }
    return nil
  }
}

/// An error that reports that the command of `--prepare` failed.
struct PreparationError: ReportableError {
  let command: String
  let end: ProcessEnd
  let output: String

  var message: String {
    let line = command.split(whereSeparator: \.isNewline).joined(separator: "; ")
    let shown = LaunchFailure.shown(output, preferringErrors: true)
    return "the command of --prepare \(end.words): \(line)\(shown)"
  }

  func help(tool: String) -> String? { "if its failure does not matter, append ` || true` to the command" }
}
