import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootSystem

/// `logs`: shows the output of the steps.
enum LogsSubcommand: Subcommand {
  static let name = "logs"
  static let abstract = "Shows the output of the steps, from the logs in the state directory."
  static let discussion = """
    It shows the output of the named steps, or of all steps, in their latest launch, oldest line first. Without STEP, \
    while an app is running, it shows the launch of the app and those since then. With --all, it also shows what the \
    steps printed in earlier launches. With several steps, each line begins with the step's id. A step has a log if \
    one of its processes printed something. With --format json, each line is an object with time, step, launch, \
    stream and text.
    """
  static let operands = [
    Operand(
      name: "STEP", help: "The id of a step; repeatable. Default: all steps.", isRepeated: true,
      value: .step("ID")),
    .source,
    Operand(name: "-N", help: "The launch to show: -2 is the one before the latest, as in `report`."),
  ]
  static var options: [any OptionDeclaration] {
    [
      follow, tail, since, until, grep, regex, launch, all, timestamps, .textOrJSON, .state, .color,
    ]
  }

  static let follow = Option("follow", short: "f", .flag, "Keep showing new lines, until INT or TERM.")
  static let tail = Option(
    "tail", short: "n", .count("N"), "Only the last N lines, and with --follow the new ones.")
  static let since = Option(
    "since", .duration("DURATION"), "Only lines that were printed within this time, for example 10m.")
  static let until = Option(
    "until", .duration("DURATION"), "Only lines that are older than this, for example 5m.")
  static let grep = Option("grep", .text("TEXT"), "Only lines that contain this text.")
  static let regex = Option(
    "regex", .text("PATTERN"), "Only lines that match this extended regular expression (grep -E).")
  static let launch = Option(
    "launch", .text("ID"), "Show this launch, not the latest. `logs STEP --all` shows the ids.")
  static let all = Option("all", short: "a", .flag, "With STEP: also the output of earlier launches.")
  static let timestamps = Option("timestamps", short: "t", .flag, "Begin each line with its time (UTC).")

  /// The nanoseconds between two reads of the logs.
  private static let interval: Int64 = 100_000_000
  /// The number of pauses after which the beginning of a line is shown without its end.
  private static let pausesInLine = 10

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Shown.",
    .preconditionMissing: "There is no log, or it cannot be read.",
  ]

  static func run(_ given: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    var arguments = given
    let number = arguments.takeLaunchNumber()
    try arguments.check(until, excludes: follow)
    try arguments.check(launch, excludes: all)
    let (steps, source) = try source(arguments)
    let state = source.directory
    let launch = try number.map { try id(ofLaunch: $0, in: source, arguments, tool) } ?? arguments[launch]
    if steps.isEmpty, arguments.isSet(all) { throw UsageError.needs(all.spelling, option: "STEP") }
    var known = try OutputLogs.steps(in: state)
    if arguments.isSet(follow), let step = steps.first(where: { !has($0, in: known) }) {
      known = try waitForOutput(of: step, in: state, tool)
    }
    let unknown = steps.first { !has($0, in: known) }
    guard !known.isEmpty, unknown == nil else {
      let missing = unknown.map { "is no log of a step \"\($0)\"" } ?? "are no logs"
      throw ToolError(
        "there \(missing) in \"\(OutputLogs.directory(in: state))\"",
        help: known.isEmpty
          ? "a launch logs the output of its processes; select its state with --state DIR or its manifest"
          : "steps with a log: \(known.joined(separator: ", "))")
    }
    tool.warnIfUntrusted(state, "logs")
    if let launch { try check(launch: launch, hasLogOf: steps, in: state) }
    var logs = LogMerge(
      state: state, steps: steps, readsAll: arguments.isSet(all), launch: launch,
      recorded: launch == nil ? latestRecorded(in: source) : nil,
      app: launch == nil ? runningApp(in: source) : nil,
      leavingOut: launch == nil ? launchesOfOthers(in: source) : [], follows: arguments.isSet(follow))
    var printer = LogPrinter(tool, hasPrefix: steps.count != 1, hasTimes: arguments.isSet(timestamps))
    (printer.isJSON, printer.namesFirst) = (arguments.wantsJSON, arguments.isSet(all))
    printer.since = arguments[since].map { (WallClock.now() - $0.nanoseconds) / 1000 }
    printer.until = arguments[until].map { (WallClock.now() - $0.nanoseconds) / 1000 }
    printer.text = arguments[grep]
    printer.expression = try arguments[regex].map(expression)
    if let count = arguments[tail] {
      try logs.beginRound()
      var last = LastLines(count)
      _ = try logs.readRound { if printer.shows($0) { last.add($0) } }
      printer.widen(for: logs.steps)
      for item in last.items { printer.print(item) }
    } else {
      _ = try read(&logs, &printer)
    }
    guard arguments.isSet(follow) else {
      guard logs.steps.isEmpty else { return .succeeded }
      let what = steps.isEmpty ? "there are no logs" : "there is no log of \(steps.quoted)"
      throw ToolError("\(what) \(source.manifest.map { "of a launch of \"\($0)\"" } ?? "in \"\(state)\"")")
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

  private static func expression(_ pattern: String) throws -> SearchExpression {
    do {
      return try SearchExpression(pattern)
    } catch {
      throw UsageError.notAnExpression(option: regex.spelling, value: pattern, problem: "\(error)")
    }
  }

  /// Returns the id of the launch with a number, from 1 for the latest one, as `report` counts them.
  ///
  /// - Throws: ``UsageError`` for another option that selects launches; ``ToolError`` if no such launch has a log.
  private static func id(
    ofLaunch number: Int, in source: StateSource, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> String {
    for option in [launch, all] as [any OptionDeclaration] where arguments.isSet(option) {
      throw UsageError.conflict("-\(number)", option.spelling)
    }
    let record = try RecordSets.numbered(in: RecordSource(source, number: number)) { tool.warn($0) }
    let logs = OutputLogs.directory(in: source.directory)
    if let id = LogFile.launch(startedAt: LaunchID.compact(record.startedAt), in: logs) { return id }
    throw ToolError("there is no log of the launch -\(number), at \(record.startedAt)")
  }

  /// Returns the beginnings of the ids of the launches of other manifests, if the arguments name a manifest.
  private static func launchesOfOthers(in source: StateSource) -> Set<String> {
    guard let manifest = source.manifest else { return [] }
    let paths =
      ((try? RecordArchive.list(source.directory)) ?? []) + [RecordArchive.journal(in: source.directory)]
    return paths.reduce(into: []) { others, path in
      guard let record = try? RecordArchive.read(path).record,
        !ManifestScope.isSame(manifest, record.outline.manifestName)
      else { return }
      others.insert(LaunchID.compact(record.startedAt))
    }
  }

  /// Returns the beginning of the id of the latest recorded launch; `nil` without records.
  private static func latestRecorded(in source: StateSource) -> String? {
    (try? RecordSets.newest(in: RecordSource(source)) { _ in }).map { LaunchID.compact($0.startedAt) }
  }

  /// Returns the beginning of the id of the launch of the running app; `nil` if the source has no running app.
  private static func runningApp(in source: StateSource) -> String? {
    guard let record = RecordArchive.runningApp(in: source.directory), RecordSource(source).has(record) else {
      return nil
    }
    return LaunchID.compact(record.startedAt)
  }

  /// Throws an error if the launch, or a step in it, has no log.
  private static func check(launch id: String, hasLogOf steps: [String], in state: String) throws {
    let files = try LogFile.all(in: OutputLogs.directory(in: state))
    let all = files.values.joined().map(\.launch)
    if all.contains(id) {
      let quiet = steps.first { step in
        files[OutputLogs.name(ofStep: step)]?.contains { $0.launch == id } != true
      }
      guard let quiet else { return }
      throw ToolError("there is no log of the step \"\(quiet)\" in the launch \"\(id)\"")
    }
    let newest = Set(all).sorted().suffix(5).joined(separator: ", ")
    throw ToolError(
      "there is no log of a launch \"\(id)\"", help: "the newest launches with a log: \(newest)")
  }

  /// Returns the steps of the arguments, and the source of the state. The last argument can be the source.
  ///
  /// A folder with a state of its own can have the name of a step.
  private static func source(_ arguments: ParsedArguments) throws -> (steps: [String], source: StateSource) {
    let (steps, count) = (arguments.operands, arguments.operands.count)
    let state = try StateSource(arguments, at: count)
    guard let last = steps.last, StateSource.isState(last),
      try count > 1 || !arguments.isSet(.state) && !has(last, in: OutputLogs.steps(in: state.directory))
    else { return (steps, state) }
    return (Array(steps.dropLast()), try StateSource(arguments, at: count - 1))
  }

  /// Returns whether a step has a log. A long id is known by the name of its log.
  private static func has(_ step: String, in known: [String]) -> Bool {
    known.contains(step) || known.contains(OutputLogs.name(ofStep: step))
  }

  /// Waits for the first output of a step while a launch with this step runs. Returns the steps with a log.
  private static func waitForOutput(
    of step: String, in state: String, _ tool: ToolContext
  ) throws -> [String] {
    while true {
      // In this order: the output of a launch that has just ended is there.
      let isRunning = runs(step, in: state)
      let known = try OutputLogs.steps(in: state)
      if has(step, in: known) || !isRunning { return known }
      if tool.output.waitForReaderEnd(until: MonotonicClock.now() + interval) { return known }
    }
  }

  /// Returns whether a launch or an app with a step is running with a state directory. After the launch its process
  /// still writes logs, and may stay.
  private static func runs(_ step: String, in state: String) -> Bool {
    var records = [try? RecordArchive.running(in: state)?.record, RecordArchive.runningApp(in: state)]
    if let latest = (try? RecordArchive.list(state))?.last, let entry = try? RecordArchive.read(latest),
      entry.process.map(Host.isRunning) == true
    {
      records.append(entry.record)
    }
    return records.contains { $0?.outline.contains { $0.id == step } == true }
  }

  private static func read(_ logs: inout LogMerge, _ printer: inout LogPrinter) throws -> Bool {
    try logs.beginRound()
    printer.widen(for: logs.steps)
    return try logs.readRound { printer.print($0) }
  }
}

/// The last lines of the logs, with what concerns them.
private struct LastLines {
  private let most: Int
  private var lines: [LogMerge.Item] = []
  private var next = 0
  private var others: [LogMerge.Item] = []

  init(_ most: Int) { self.most = most }

  /// The items in their order: first what is no line.
  var items: [LogMerge.Item] { others + lines[next...] + lines[..<next] }

  mutating func add(_ item: LogMerge.Item) {
    guard case .line = item else { return others.append(item) }
    if lines.count < most { return lines.append(item) }
    lines[next] = item
    next = (next + 1) % most
  }
}
