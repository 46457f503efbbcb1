import AppBoot
import AppBootCommands
import AppBootSystem

/// A subcommand that reads the output of processes which steps left running, and appends it to the logs.
///
/// The tool starts it in another process of this executable, which outlives the launch. A process that was left running
/// is thus never killed by a broken pipe, and never waits because its pipe is full. The reader ends when no process has
/// the pipes open.
enum LeftoverOutput: Subcommand {
  static let name = "drain-output"
  static let abstract = "Reads the output of processes that a launch left running; the tool starts it."
  static let operands: [Operand] = [
    Operand(name: "DIRECTORY", help: "The directory of the logs; without it, the output is discarded."),
    Operand(name: "NAME", help: "The name of the log."),
    Operand(name: "LAUNCH", help: "The id of the launch."),
    Operand(name: "SIZE", help: "The maximum size of a log file in bytes."),
    Operand(name: "FILES", help: "The maximum number of log files."),
    Operand(name: "OPEN", help: "The stream of an unfinished last line: 0 (stdout), 1 (stderr) or none."),
  ]

  /// Returns a function that starts a reader process for a step's pipes. Without logs, the reader discards the output.
  static func drain(to logs: OutputLogs?, hiding secrets: Secrets, _ tool: ToolContext) -> OutputDrain {
    { output, step in
      let filter = DrainFilter(secrets, output)
      let drain = { @Sendable (log: OutputLogs.Location?) in
        do {
          try start(tool, on: output, log, filter)
        } catch {
          tool.warn("the output that processes of \"\(step)\" still have open is closed: \(error)")
        }
      }
      // Output that could show a secret is discarded.
      guard filter.isComplete, let logs else { return drain(nil) }
      logs.handOver(ofStep: step, launch: output.launch, to: drain)
    }
  }

  private static func start(
    _ tool: ToolContext, on output: LeftOutput, _ log: OutputLogs.Location?, _ filter: DrainFilter
  ) throws {
    defer { StreamDrain.close(output.descriptors) }
    // If this executable cannot be found again, the pipes are closed, as they are without a drain.
    guard let relaunch = try Relaunch(arguments: tool.arguments) else { return }
    let arguments = log.map { log in
      let open = log.open.map { $0 == .output ? "0" : "1" } ?? "none"
      return [log.directory, log.name, log.launch, "\(log.limits.maxSize)", "\(log.limits.files)", open]
    }
    var request = ProcessRequest(relaunch.command([name] + (arguments ?? [])), passing: output.descriptors)
    request.environment = log == nil ? nil : filter.environment
    try request.start().outlive()
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    for signal in Signals.terminating { Signals.ignore(signal) }
    var log = DrainLog(arguments.operands)
    var filters = DrainFilter.filters()
    StreamDrain.readStandardPipes {
      log?.attend()
    } _: { descriptor, bytes in
      let index = descriptor == 0 ? 0 : 1
      filters[index].append(bytes) { log?.append($0, from: CapturedStream.allCases[index]) }
    }
    for (index, stream) in CapturedStream.allCases.enumerated() {
      filters[index].finish { log?.append($0, from: stream) }
    }
    log?.finish()
    return .succeeded
  }
}

/// The log of leftover output.
private struct DrainLog {
  /// The milliseconds after which the beginning of a line is written without its end.
  private static let lineTime: Int32 = 200

  private var file: RotatingFile?
  /// Keeps the files while processes can write to them.
  private let lock: FileLock?
  private var joiner: LineJoiner
  private var bytes: [UInt8] = []

  init?(_ operands: [String]) {
    guard operands.count == 6, let size = Int(operands[3]), let files = Int(operands[4]) else { return nil }
    file = RotatingFile(
      launch: operands[2], name: operands[1], in: operands[0],
      limits: LogLimits(maxSize: max(1, size), files: max(1, files)), isShared: true)
    lock = LogFile.lock(launch: operands[2], in: operands[0])
    joiner = LineJoiner(open: operands[5] == "0" ? .output : operands[5] == "1" ? .errors : nil)
  }

  mutating func append(_ new: UnsafeRawBufferPointer, from stream: CapturedStream) {
    joiner.append(new, from: stream, at: MonotonicClock.now(), into: &bytes)
    write(stream)
  }

  /// Writes a line whose end does not come. Returns the milliseconds after which the next one is due.
  mutating func attend() -> Int32? {
    let limit = MonotonicClock.now() - Int64(Self.lineTime) * 1_000_000
    flush(heldBy: limit)
    return joiner.heldSince.map { Int32(clamping: ($0 - limit) / 1_000_000 + 1) }
  }

  mutating func finish() { flush() }

  private mutating func flush(heldBy limit: Int64 = .max) {
    for stream in CapturedStream.allCases {
      joiner.flush(stream, heldBy: limit, into: &bytes)
      write(stream)
    }
  }

  /// Writes the bytes; after an error, later output is discarded.
  private mutating func write(_ stream: CapturedStream) {
    guard !bytes.isEmpty else { return }
    let mark = LogTimes.Mark(offset: 0, time: WallClock.now() / 1000, stream: stream)
    do { try bytes.withUnsafeBytes { try file?.append($0, [mark]) } } catch { file = nil }
    bytes.removeAll(keepingCapacity: true)
  }
}

/// The secrets of a launch for the process that reads its leftover output, in variables of that process.
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
