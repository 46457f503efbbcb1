import AppBoot
import AppBootReports
import AppBootSystem

/// `report`: a record in a form for people or for another program.
enum ReportSubcommand: Subcommand {
  static let name = "report"
  static let abstract =
    "Shows a launch's record as text, Markdown, JUnit, annotations, trace, picture or page."
  static var discussion: String {
    """
    A record is what `run --record FILE` or `check --record FILE` wrote, or a journal. Of a directory, such as the state, the \
    newest launch is shown, also one that died; of a file with several records, one a line, that of the median time.

    trace opens in Perfetto and chrome://tracing, otlp is OpenTelemetry's JSON of traces, html is one file without \
    network.

    Exit codes: 0 shown; 3 the file is not a record, or one of a newer version; 4 it cannot be read or written.
    """
  }
  static var operands: [Operand] {
    [
      Operand(
        name: "RECORD",
        help:
          "A record's file or a directory; - is standard input. Default: the state, APPBOOT_STATE or .appboot."
      )
    ]
  }
  static var options: [OptionDeclaration] { [format, .output, .color] }

  static let format = OptionDeclaration(
    "format", .choice(ReportFormat.allCases.map(\.rawValue)), "The form. Default: text.")

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let path = arguments.operands.first ?? state
    let format = arguments.choice(format, as: ReportFormat.self) ?? .text
    let file = try ResultFile(.output, of: arguments)
    try ResultFile.checkApart([(.output, file)], from: [(path, "the record")])
    let record = try record(at: path, tool, arguments.color)
    if let file {
      try file.write(text(of: record, as: format))
    } else if format == .text {
      tool.output.write(TextReport(style: tool.outputStyle(arguments.color), detail: .full).text(of: record))
    } else {
      tool.output.write(text(of: record, as: format))
    }
    return .succeeded
  }

  private static func text(of record: StartupRecord, as format: ReportFormat) -> String {
    guard format == .github else { return format.render(record) }
    return GitHubAnnotations(fileNamed: GitHubActions.path).text(of: record)
  }

  private static var state: String {
    let directory = ProcessEnvironment.value(of: "APPBOOT_STATE") ?? ""
    return directory.isEmpty ? ".appboot" : directory
  }

  private static func record(at path: String, _ tool: ToolContext, _ color: ColorChoice) throws
    -> StartupRecord
  {
    let warn: (String) -> Void = { tool.warn($0, color: color) }
    if path != "-", FileSystem.isDirectory(path) {
      if let dead = dead(in: path, tool, color, warn) { return dead }
      return try RecordSets.newest(inDirectory: path, warn: warn)
    }
    let records = try RecordSets.read(path, warn: warn)
    guard let record = records.median else { throw ToolError.noRecords(path: path) }
    if records.count > 1 {
      let number = (records.firstIndex { $0.startedAt == record.startedAt } ?? 0) + 1
      tool.errors.write(
        "\(tool.name): \(records.count) records; shown is number \(number), whose duration is the median\n")
    }
    return record
  }
}

extension ReportSubcommand {
  /// The last launch of a state directory, where its process died before the end.
  private static func dead(
    in directory: String, _ tool: ToolContext, _ color: ColorChoice, _ warn: (String) -> Void
  )
    -> StartupRecord?
  {
    guard let path = RecordArchive.unfinished(in: directory) else { return nil }
    let entry: RecordArchive.Entry
    do throws(RecordError) {
      entry = try RecordArchive.read(path)
    } catch {
      let place = error.location.map { ":\($0)" } ?? ""
      warn("\(path)\(place) cannot be read, and is passed over: \(error.summary)")
      return nil
    }
    if let damage = entry.damage.words { warn("\(path) is damaged, and read without \(damage)") }
    let record = entry.record
    let style = tool.errorStyle(color)
    tool.errors.write(
      "\(tool.name): shown is the last launch, whose process died \(style.visible(record.lastRunning))\n")
    return record
  }
}

extension [StartupRecord] {
  /// The record whose duration is in the middle; of an even number the faster of the two.
  var median: StartupRecord? {
    guard !isEmpty else { return nil }
    let order = indices.sorted { (self[$0].duration, $0) < (self[$1].duration, $1) }
    return self[order[(count - 1) / 2]]
  }
}
