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
  /// - Throws: ``ToolError`` if the command fails; errors of the system.
  func run() throws -> Int32? {
    let request = ProcessRequest(["/bin/sh", "-c", command], captureOutput: true)
    var watch = try ProcessWatch(starting: request, signals, signalsGroup: true)
    let end = try watch.wait()
    if let signal = watch.signal { return signal }
    guard end == .exited(0) else {
      let line = secrets.masking(command).split(whereSeparator: \.isNewline).joined(separator: "; ")
      let shown = LaunchFailure.shown(secrets.masking(watch.output.text), preferringErrors: true)
      throw ToolError(
        "the command of --prepare \(end.words): \(line)\(shown)",
        help: "if its failure does not matter, append ` || true` to the command")
    }
    return nil
  }
}
