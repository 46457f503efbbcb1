import AppBoot
import AppBootSystem

/// A subcommand that reads the output of processes that steps leave running, and appends it to the logs.
///
/// The tool starts it in another process of this executable, which outlives the launch. A process left running is thus
/// never killed by a broken pipe, and never waits at a full pipe. The reader ends when no process holds the pipes any
/// more.
enum LeftoverOutput: Subcommand {
  static let name = "drain-output"
  static let abstract = "Reads the output of processes that a launch left running; the tool starts it."
  static var operands: [Operand] {
    [
      Operand(name: "DIRECTORY", help: "The directory of the log; without it, the output is discarded."),
      Operand(name: "NAME", help: "The name of the log."), Operand(name: "SIZE", help: "Its most bytes."),
      Operand(name: "FILES", help: "Its most files."),
      Operand(name: "CONTINUES", help: "true to append to the current file."),
    ]
  }

  /// Returns a function that starts a reader process for a step's pipes; without logs, the reader discards the output.
  static func drain(to logs: OutputLogs?, _ tool: ToolContext) -> OutputDrain {
    { descriptors, step in
      defer { StreamDrain.close(descriptors) }
      // If this executable cannot be started again, the pipes are closed, as they are without a drain.
      guard let relaunch = try? Relaunch(arguments: tool.arguments) else { return }
      try? logs?.prepare()
      let log = logs?.location(ofStep: step)
      let arguments = log.map { log in
        [log.directory, log.name, "\(log.limits.maxSize)", "\(log.limits.files)", "\(log.continues)"]
      }
      _ = try? ProcessRequest(relaunch.command([name] + (arguments ?? [])), passing: descriptors).start()
    }
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    for signal in Signals.terminating { Signals.ignore(signal) }
    let operands = arguments.operands
    var log: RotatingFile?
    if operands.count == 5, let size = Int(operands[2]), let files = Int(operands[3]) {
      let limits = RotatingFile.Limits(maxSize: max(1, size), files: max(1, files))
      log = RotatingFile(in: operands[0], name: operands[1], limits: limits, continues: operands[4] == "true")
    }
    StreamDrain.readStandardPipes { bytes in
      do { try log?.append(bytes) } catch { log = nil }
    }
    return .succeeded
  }
}
