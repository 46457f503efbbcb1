import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// `logs`: shows the output of the steps.
enum LogsSubcommand: Subcommand {
  static let name = "logs"
  static let abstract = "Shows the output of the steps, from the logs in the state directory."
  static let discussion = """
    With STEP, it shows all stored output of the step, also of earlier launches. Without STEP, it shows the output of \
    all steps in the latest launch, in chronological order, with the step's id before each line. A step has a log if \
    one of its processes printed something.
    """
  static let operands = [
    Operand(name: "STEP", help: "The step's id. Default: all steps.", value: .step("ID")), .source,
  ]
  static var options: [any OptionDeclaration] { [follow, timestamps, .state, .color] }

  static let follow = Option("follow", short: "f", .flag, "Keep showing new lines, until INT or TERM.")
  static let timestamps = Option("timestamps", short: "t", .flag, "Begin each line with its time (UTC).")

  /// The nanoseconds between two reads of the logs.
  private static let interval: Int64 = 100_000_000
  /// The number of pauses after which the beginning of a line is shown without its end.
  private static let pausesInLine = 10

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Shown.",
    .preconditionMissing: "There is no log, or it cannot be read.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    var step = arguments.operands.first
    var state = try StateSource(arguments, at: 1).directory
    if arguments.operands.count == 1, let source = step, !arguments.isSet(.state), StateSource.isState(source)
    {
      (step, state) = (nil, try StateSource(arguments).directory)
    }
    var known = try OutputLogs.steps(in: state)
    if let step, arguments.isSet(follow), !has(step, in: known) {
      known = try waitForOutput(of: step, in: state, tool)
    }
    guard !known.isEmpty, step.map({ has($0, in: known) }) ?? true else {
      let missing = step.map { "is no log of a step \"\($0)\"" } ?? "are no logs"
      throw ToolError(
        "there \(missing) in \"\(OutputLogs.directory(in: state))\"",
        help: known.isEmpty
          ? "a launch logs the output of its processes; select its state with --state DIR or its manifest"
          : "steps with a log: \(known.joined(separator: ", "))")
    }
    tool.warnIfUntrusted(state, "logs")
    var logs = LogMerge(state: state, step: step, follows: arguments.isSet(follow))
    var printer = LogPrinter(tool, hasPrefix: step == nil, hasTimes: arguments.isSet(timestamps))
    guard arguments.isSet(follow) else {
      _ = try read(&logs, &printer)
      return .succeeded
    }
    var pauses = 0
    while !tool.output.isClosed {
      let hasRead = try read(&logs, &printer)
      if pauses == pausesInLine { logs.finish { printer.print($0) } }
      try tool.output.flush()
      pauses = hasRead ? 0 : pauses + 1
      if !hasRead, tool.output.waitForReaderEnd(until: MonotonicClock.now() + interval) { break }
    }
    return .succeeded
  }

  /// Returns whether a step has a log. A long id is known by the name of its log.
  private static func has(_ step: String, in known: [String]) -> Bool {
    known.contains(step) || known.contains(OutputLogs.name(ofStep: step))
  }

  /// Waits for the first output of a step while a launch with this step runs. Returns the steps with a log.
  private static func waitForOutput(
    of step: String, in state: String, _ tool: ToolContext
  ) throws -> [String] {
    var known = try OutputLogs.steps(in: state)
    while !has(step, in: known), runs(step, in: state) {
      if tool.output.waitForReaderEnd(until: MonotonicClock.now() + interval) { break }
      known = try OutputLogs.steps(in: state)
    }
    return known
  }

  /// Returns whether a launch or an app is running with a state directory, and has a step.
  private static func runs(_ step: String, in state: String) -> Bool {
    if let record = try? RecordArchive.running(in: state)?.record {
      return record.outline.contains { $0.id == step }
    }
    let answer = try? ControlClient(directory: state).ask(.status, timeout: 1_000_000_000)
    return answer?["status"]?["services"]?.elements.contains { $0["id"]?.string == step } ?? false
  }

  private static func read(_ logs: inout LogMerge, _ printer: inout LogPrinter) throws -> Bool {
    try logs.beginRound()
    printer.widen(for: logs.steps)
    return try logs.readRound { printer.print($0) }
  }
}
