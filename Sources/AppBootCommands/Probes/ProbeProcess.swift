import AppBootSystem

/// A short-running program. Its children are killed when it ends.
///
/// The owner calls ``advance()`` repeatedly until the program has ended.
final class ProbeProcess: Sendable {
  /// The maximum number of output bytes that are stored. Further bytes are read and dropped.
  private static let limit = 1 << 16

  private let process: Subprocess
  private let stored = Lock<[UInt8]>([])

  /// Starts the program.
  init(_ request: ProcessRequest) throws(SpawnError) { process = try request.start() }

  /// The first bytes of standard output and standard error, in the order in which they were written.
  var output: [UInt8] { stored.withLock(\.self) }

  /// Reads the available output without blocking. Returns the program's exit code or signal; `nil` while it runs.
  func advance() -> ProcessEnd? {
    // The order matters: at the program's end all of its output is in the pipe.
    let end = process.end()
    stored.withLock { stored in
      _ = process.readOutput { stored.append(contentsOf: $0.prefix(Self.limit - stored.count)) }
    }
    if end != nil {
      process.killGroup(Signals.kill)
      process.finish()
    }
    return end
  }

  /// Kills the program and its children.
  func kill() {
    process.killGroup(Signals.kill)
    guard process.end() == nil else { return process.finish() }
    // A killed process may take a moment to end, and has to be reaped then.
    Thread.detach(name: "appboot-reap") { [process] in
      _ = process.wait()
      process.finish()
    }
  }
}
