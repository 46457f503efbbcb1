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
    A record is what `run --record FILE` or `check --record FILE` wrote. Of a file with several records, one a line, the \
    one whose launch took the median time is shown.

    trace opens in Perfetto and chrome://tracing, otlp is OpenTelemetry's JSON of traces, html is one file without \
    network.

    Exit codes: 0 shown; 3 the file is not a record, or one of a newer version; 4 it cannot be read or written.
    """
  }
  static var operands: [Operand] {
    [Operand(name: "RECORD", help: "The record's file; - is standard input.", isRequired: true)]
  }
  static var options: [OptionDeclaration] { [format, .output, .color] }

  static let format = OptionDeclaration(
    "format", .choice(ReportFormat.allCases.map(\.rawValue)), "The form. Default: text.")

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    guard let path = arguments.operands.first else {
      throw UsageError.missingArgument("RECORD", subcommand: name)
    }
    let format = arguments.choice(format, as: ReportFormat.self) ?? .text
    let file = try ResultFile(.output, of: arguments)
    let record = try record(at: path, tool, arguments.color)
    if let file {
      try file.write(format.render(record))
    } else if format == .text {
      tool.output.write(TextReport(style: tool.outputStyle(arguments.color), detail: .full).text(of: record))
    } else {
      tool.output.write(format.render(record))
    }
    return .succeeded
  }

  private static func record(at path: String, _ tool: ToolContext, _ color: ColorChoice) throws
    -> StartupRecord
  {
    let records = try RecordSets.read(path) { tool.warn($0, color: color) }
    guard let record = records.median else { throw ToolError.noRecords(path: path) }
    if records.count > 1 {
      let number = (records.firstIndex { $0.startedAt == record.startedAt } ?? 0) + 1
      tool.errors.write(
        "\(tool.name): \(records.count) records; shown is number \(number), whose duration is the median\n")
    }
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
