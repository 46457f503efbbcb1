import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The subcommand `report`, which shows a record in a format for people or for other programs.
enum ReportSubcommand: Subcommand {
  static let name = "report"
  static let abstract =
    "Shows a launch's record as text, Markdown, JUnit, annotations, trace, picture, graph or page."
  static let discussion = """
    SOURCE is a manifest, a state directory, a file that `run --record` or `check --record` wrote, a journal, or a \
    directory of these. For a manifest or a directory, it shows the newest launch, even one that crashed. For a file \
    with one record per line, it shows the launch with the median duration.

    A launch that is still running is shown as a page (html), and otherwise only if no launch is stored; the report \
    says that it is running. The page also lists the services of an app.

    trace opens in Perfetto and chrome://tracing. otlp is OpenTelemetry's JSON of traces. html is one file without \
    network access. dot and mermaid draw the steps as a graph with times, states and the critical path.
    """
  static var operands: [Operand] {
    [
      .records,
      Operand(
        name: "-N", help: "The launch to show: -1 is the latest, -2 the one before. `history` lists them."),
    ]
  }
  static var options: [any OptionDeclaration] { [format, why, .output, .open, .state, .color] }

  static let why = Option(
    "why", .step("STEP"),
    "Show why a step started when it did: what it waited for, back to the launch's start; also as JSON.")
  static let format = Option<ReportFormat>.format()

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Shown.",
    .invalidManifest: "The file is not a record, or its version is newer.",
    .preconditionMissing: "A file cannot be read or written.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let source = try RecordSource(arguments)
    let format = arguments[format] ?? (arguments.isSet(.open) ? .html : .text)
    try arguments.check(why, excludes: .output, .open)
    guard !arguments.isSet(why) || [.text, .json].contains(format) else {
      throw UsageError.conflict(why.spelling, "\(Self.format.spelling) \(format.rawValue)")
    }
    let output = try ReportOutput(arguments, isPage: format == .html)
    try ResultFile.checkApart(
      [(.output, output.file)], from: [(source.path, "the record")],
      recordOption: format == .json ? .output : nil)
    let history = RecordArchive.stateDirectory(of: source.path)
    let running = format == .html && source.number == 1 ? history.flatMap(RunningPage.init) : nil
    let record = try running?.launch ?? record(of: source, tool)
    if let step = arguments[why] {
      try explain(step, in: record, asJSON: format == .json, tool)
    } else {
      let text = text(of: record, as: format, in: output.style(tool), comparingIn: history, tool, running)
      try output.write(text, tool)
    }
    return .succeeded
  }

  /// Prints why a step started when it did.
  ///
  /// - Throws: `SelectionError` if the launch has no such step.
  private static func explain(
    _ id: String, in record: LaunchRecord, asJSON: Bool, _ tool: ToolContext
  ) throws {
    guard let step = record.outline.index(ofStep: id) else {
      var error = SelectionError(unknown: [id], known: record.outline.map(\.id))
      error.areArguments = true
      throw error
    }
    let text = StartChainText(style: tool.outputStyle)
    let ended = record.withEstimatedEnd
    tool.output.write(asJSON ? text.json(ofStep: step, in: ended) : text.text(ofStep: step, in: ended))
  }

  /// Returns the record in a format. Text, Markdown and the page have the difference from the launches before.
  ///
  /// - Parameter directory: The state directory of the record; `nil` if it is not in one.
  private static func text(
    of record: LaunchRecord, as format: ReportFormat, in style: TextStyle, comparingIn directory: String?,
    _ tool: ToolContext, _ running: RunningPage?
  ) -> String {
    switch format {
    case .github: return GitHubAnnotations(fileNamed: GitHubActions.path).text(of: record)
    case .text:
      var report = TextReport(style: style, detail: .full)
      report.difference = { LaunchDifference(of: $0, in: directory) }
      return report.text(of: record)
    case .markdown:
      var report = MarkdownReport()
      report.difference = LaunchDifference(of: record, in: directory)
      return report.text(of: record)
    case .html: return page(of: record, in: directory, tool, running)
    case .junit, .trace, .svg, .otlp, .dot, .mermaid, .json: return format.render(record)
    }
  }

  /// Returns the page of a record with the output of its steps and the difference from the launches before.
  static func page(
    of record: LaunchRecord, in directory: String?, _ tool: ToolContext, _ running: RunningPage? = nil
  ) -> String {
    var page = LaunchPage()
    page.running = running?.app(of: record)
    page.difference = LaunchDifference(of: record, in: directory)?.text { $0 }
    page.outputs = LogMerge.outputs(of: record, in: directory, tool: tool.name)
    return page.text(of: record)
  }

  private static func record(of source: RecordSource, _ tool: ToolContext) throws -> LaunchRecord {
    let path = source.path
    let warn: (String) -> Void = { tool.warn($0) }
    if path != "-", FileSystem.isDirectory(path) {
      if RecordArchive.isState(path) { tool.warnIfUntrusted(path, RecordArchive.folder) }
      if source.number == 1, let last = unstored(in: source, tool, warn) { return last }
      return try RecordSets.newest(in: source, warn: warn)
    }
    let records = try RecordSets.read(path, warn: warn)
    guard let record = records.median else { throw RecordSets.noRecords(path) }
    if records.count > 1 {
      let number = (records.firstIndex { $0.startedAt == record.startedAt } ?? 0) + 1
      tool.errors.write(
        "\(tool.name): \(records.count) records; showing number \(number), of median duration\n")
    }
    return record
  }

  /// Returns the last launch of a state directory if it has only a journal; `nil` if the launch has a record.
  ///
  /// A launch has only a journal if its process crashed, or if its record could not be stored.
  private static func unstored(
    in source: RecordSource, _ tool: ToolContext, _ warn: (String) -> Void
  ) -> LaunchRecord? {
    guard let path = RecordArchive.unfinished(in: source.path) else { return nil }
    let entry: RecordArchive.Entry
    do throws(RecordError) {
      entry = try RecordArchive.read(path)
    } catch {
      let place = error.location.map { ":\($0)" } ?? ""
      warn("\(path)\(place) cannot be read; skipping it: \(error.summary)")
      return nil
    }
    if let damage = entry.damage.words { warn("\(path) is damaged; skipping \(damage)") }
    let record = entry.record
    guard source.has(record) else { return nil }
    guard entry.isUnfinished else { return record }
    let style = tool.errorStyle
    // The user ended a launch that was being cancelled: that is no crash.
    let end =
      if case .requested(let reason) = record.cancellation {
        "was ended \(record.lastRunning) while the launch was being cancelled: \(reason)"
      } else { "crashed \(record.lastRunning)" }
    tool.errors.write("\(tool.name): showing the last launch, whose process \(style.visible(end))\n")
    return record
  }
}

/// The facts for a page about a launch or app that is running with a state directory.
struct RunningPage {
  /// The record so far of a launch that has not ended; `nil` after its end.
  let launch: LaunchRecord?
  /// The status of the app; `nil` for a launch without an app.
  private let status: JSONValue?

  /// Returns `nil` if nothing is running.
  init?(state directory: String) {
    let source = StateSource(directory: directory)
    launch = (try? RunningLaunch(of: source))?.record
    status = try? ControlClient(source).ask(.status, timeout: 1_000_000_000)["status"]
    if launch == nil, status == nil { return nil }
  }

  /// Returns the app if the record is that of its launch.
  func app(of record: LaunchRecord) -> RunningApp? {
    guard launch != nil || status?["startedAt"]?.string ?? "~" <= record.startedAt else { return nil }
    let text = status.map { StatusText(status: $0, style: TextStyle()) }
    return RunningApp(
      phase: status?["state"]?["phase"]?.string ?? "launching",
      process: (try? status?["process"]?.integer(as: Int.self)).flatMap(\.self),
      services: text?.services ?? [])
  }
}
