import AppBoot
import AppBootSystem

/// A subcommand that reads the output of processes which steps left running, and appends it to the logs.
///
/// The tool starts it in another process of this executable, which outlives the launch. A process that was left running
/// is thus never killed by a broken pipe, and never waits because its pipe is full. The reader ends when no process has
/// the pipes open.
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

  /// Returns a function that starts a reader process for a step's pipes. Without logs, the reader discards the output.
  static func drain(to logs: OutputLogs?, hiding secrets: Secrets, _ tool: ToolContext) -> OutputDrain {
    { output, step in
      defer { StreamDrain.close(output.descriptors) }
      // If this executable cannot be started again, the pipes are closed, as they are without a drain.
      guard let relaunch = try? Relaunch(arguments: tool.arguments) else { return }
      try? logs?.prepare()
      let filter = DrainFilter(secrets, output)
      // Output that could show a secret is discarded.
      let log = filter.isComplete ? logs?.location(ofStep: step) : nil
      let arguments = log.map { log in
        [log.directory, log.name, "\(log.limits.maxSize)", "\(log.limits.files)", "\(log.continues)"]
      }
      var request = ProcessRequest(
        relaunch.command([name] + (arguments ?? [])), passing: output.descriptors)
      request.environment = log == nil ? nil : filter.environment
      _ = try? request.start()
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
    let write = { (bytes: UnsafeRawBufferPointer) in
      do { try log?.append(bytes) } catch { log = nil }
    }
    var filters = DrainFilter.filters()
    StreamDrain.readStandardPipes { descriptor, bytes in
      filters[descriptor == 0 ? 0 : 1].append(bytes, write)
    }
    for index in filters.indices { filters[index].finish(write) }
    return .succeeded
  }
}

/// The secrets of a launch, passed in environment variables to the process that reads the leftover output.
///
/// Other users can read a process's arguments, but not its environment variables.
private struct DrainFilter {
  private static let secretsName = "APPBOOT_DRAIN_SECRETS"
  private static let unfinishedName = "APPBOOT_DRAIN_UNFINISHED"
  /// The maximum number of bytes of a variable. Linux allows 128 KiB (execve(2)).
  private static let limit = 100_000

  /// The environment variables for the reader process; `nil` if there are no secrets.
  let environment: [String: String]?
  /// False if the secrets are too long for a variable.
  let isComplete: Bool

  init(_ secrets: Secrets, _ output: LeftOutput) {
    let values = secrets.values.map { Hexadecimal.text(of: Array($0.utf8)) }.joined(separator: ",")
    let unfinished = output.unfinished.map { Hexadecimal.text(of: $0) }.joined(separator: ",")
    environment =
      secrets.isEmpty ? nil : [Self.secretsName: values, Self.unfinishedName: unfinished]
    isComplete = values.utf8.count < Self.limit && unfinished.utf8.count < Self.limit
  }

  /// Returns the filters of the reader process for its two pipes, its standard input and its standard output.
  static func filters() -> [SecretFilter] {
    let secrets = Secrets()
    for value in list(secretsName) { secrets.add(String(decoding: value, as: UTF8.self)) }
    let unfinished = list(unfinishedName)
    return [0, 1].map { index in
      SecretFilter(secrets, held: index < unfinished.count ? unfinished[index] : [])
    }
  }

  private static func list(_ variable: String) -> [[UInt8]] {
    guard let text = ProcessEnvironment.value(of: variable), !text.isEmpty else { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map {
      Hexadecimal.bytes(of: String($0)) ?? []
    }
  }
}
