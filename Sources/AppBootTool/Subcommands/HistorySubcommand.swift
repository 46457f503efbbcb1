import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The subcommand `history`, which shows the stored launches of a manifest and whether they became slower.
enum HistorySubcommand: Subcommand {
  static let name = "history"
  static let abstract = "Shows the stored launches: times, failures, retries, and since when they are slower."
  static let discussion = """
    SOURCE is a manifest, or a state directory. The history has the recorded launches of `run`, but none of `check`. \
    The manifest's "history" limits their number. SOURCE can also be a directory of records, for example those of many \
    machines: then percentiles of all launches come first, and the rest is about the newest \(RecordedLaunches.most).

    Each line has the times of the launches as bars, the newest time, the median, and under "last 10" the median of \
    the last ten launches minus the median of the earlier ones.

    Below the table is a lasting change, if there is one. It counts only launches with the manifest, the steps and the \
    label "branch" of the newest successful one. A change is an alarm only if no earlier one was as large. \
    Docs/check.md describes the method.
    """
  static var operands: [Operand] { [.source] }
  static var options: [any OptionDeclaration] {
    [format, by, last, step, exitCode, .open, .output, .state, .color]
  }

  static let format = Option<Format>.format()
  static let by = Option("by", .text("LABEL"), "One line for each value of a label, for example branch.")
  static let last = Option("last", .count("N"), "Only the last N launches, each with its result.")
  static let step = Option(
    "step", .list("ID,…"), "Show these steps instead of those with the largest change; written as for --only."
  )
  static let exitCode = Option("exit-code", .flag, "Exit with 5 if the launches became slower.")

  enum Format: String, CaseIterable {
    case text, json, html
  }

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Shown.",
    .usage: "An unknown step or label.",
    .preconditionMissing: "There is no history or record, or it cannot be read.",
    .overBudget: "With --exit-code: the launches became slower, or with --by those of a group.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let format = arguments[format] ?? (arguments.isSet(.open) ? .html : .text)
    for option in [by, step] as [any OptionDeclaration] where format == .html && arguments.isSet(option) {
      throw UsageError.conflict(option.spelling, "\(Self.format.spelling) html")
    }
    let output = try ReportOutput(arguments, isPage: format == .html)
    let source = try StateSource(arguments)
    let report: HistoryReport
    if source.manifest == nil, !arguments.operands.isEmpty, RecordedLaunches.isSource(source.directory) {
      try ResultFile.checkApart([(.output, output.file)], from: [(source.directory, "SOURCE")])
      let records = try RecordedLaunches(
        directory: source.directory, last: arguments[last], by: arguments[by]
      ) { tool.warn($0) }
      report = try Self.report(of: records.newest[...], records.summary, source.directory, arguments)
    } else {
      let history = try history(arguments, source)
      try ResultFile.checkApart([(.output, output.file)], from: [(history.path, "the history")])
      var launches = try launches(of: history, arguments, tool)
      addRecords(of: RecordSource(source), to: &launches)
      report = try Self.report(of: launches, nil, history.path, arguments)
    }
    switch format {
    case .json: try output.write(HistoryJSON().text(of: report), tool)
    case .html:
      try output.write(tool) { file in
        let reports = try file.map { try writeReports(of: report, in: source.directory, beside: $0, tool) }
        return LaunchPage().text(of: report, budget: budget(arguments), reports: reports ?? [:])
      }
    case .text:
      let text = HistoryText(style: output.style(tool), listed: arguments[last] ?? 5)
      try output.write(text.text(of: report), tool)
    }
    return arguments.isSet(exitCode) && report.isSlower ? .overBudget : .succeeded
  }

  /// The most launches with a page beside that of the history, as many as a state directory stores.
  private static let mostReports = RecordArchive.capacity

  /// Writes a page for each of the newest launches with a record, into a folder beside the page of the history.
  ///
  /// Returns the addresses of the pages by the starts of the launches.
  private static func writeReports(
    of report: HistoryReport, in directory: String, beside file: ResultFile, _ tool: ToolContext
  ) throws -> [String: String] {
    guard !file.isDescriptor, FileSystem.isDirectory(directory) else { return [:] }
    let starts = Set(report.launches.suffix(PageTable.limit).map(\.startedAt))
    var reports: [String: String] = [:]
    let name = FileSystem.lastComponent(file.path)
    let folder = (name.hasSuffix(".html") ? String(name.dropLast(5)) : name) + "-launches"
    let place = FileSystem.join(FileSystem.directory(of: file.path), folder)
    for path in try RecordArchive.list(directory).reversed() where reports.count < mostReports {
      guard let record = try? RecordArchive.read(path).record, starts.contains(record.startedAt),
        reports[record.startedAt] == nil
      else { continue }
      if reports.isEmpty { try FileSystem.createDirectory(place, mode: 0o777) }
      let page = ReportSubcommand.page(of: record, in: RecordArchive.stateDirectory(of: path), tool)
      let name = "\(LaunchID.compact(record.startedAt)).html"
      try ResultFile(FileSystem.join(place, name)).write(page, tool)
      reports[record.startedAt] = "\(folder)/\(name)"
    }
    return reports
  }

  private static func launches(
    of history: KeptLaunches, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> ArraySlice<LaunchSummary> {
    tool.warnIfUntrusted(FileSystem.directory(of: history.path), "history")
    let contents = try history.read()
    for problem in problems(of: contents, tool) {
      tool.warn("\(history.path): \(problem)")
    }
    return contents.launches.suffix(arguments[last] ?? .max)
  }

  /// Adds what only the records have: their numbers, and the services that failed after their launches.
  private static func addRecords(of source: RecordSource, to launches: inout ArraySlice<LaunchSummary>) {
    let indices = Dictionary(launches.indices.map { (launches[$0].startedAt, $0) }) { $1 }
    try? RecordSets.forEachNumbered(in: source, warn: { _ in }) { number, record in
      if let index = indices[record.startedAt] {
        launches[index].recordNumber = number
        launches[index].failedLater = record.failedLaterStep.map { record[$0].id }
      }
      return false
    }
  }

  private static func report(
    of launches: ArraySlice<LaunchSummary>, _ summary: HistorySummary?, _ path: String,
    _ arguments: ParsedArguments
  ) throws -> HistoryReport {
    guard let newest = launches.last else {
      throw ToolError("there is no history in \"\(path)\"") {
        "`\($0) run` adds each launch to it; name the manifest, the state directory with --state DIR, or a directory "
          + "of records"
      }
    }
    let steps = arguments[step]
    let known = Set(launches.flatMap { $0.steps.map(\.id) })
    let unknown = (steps ?? []).filter { !known.contains($0) }
    guard unknown.isEmpty else { throw SelectionError(unknown: unknown, known: newest.steps.map(\.id)) }
    if let label = arguments[by], !launches.contains(where: { $0.label(label) != nil }) {
      throw unknownLabel(label, known: Set(launches.flatMap { $0.labels.map(\.name) }).sorted())
    }
    return HistoryReport(of: Array(launches), steps: steps, by: arguments[by], summary: summary)
  }

  /// Returns the error about a label to group by that no launch has.
  private static func unknownLabel(_ label: String, known: [String]) -> ToolError {
    ToolError("no launch in the history has the label \"\(label)\"", exit: .usage) { tool in
      if known.isEmpty { return "no launch has a label: add one with `\(tool) run --label \(label)=VALUE`" }
      let hint = ClosestName.to(label, among: known).map { "did you mean \($0)? " } ?? ""
      return hint + "the labels are \(known.joined(separator: ", "))"
    }
  }

  /// Returns what is wrong with the lines of a history, and what to do.
  private static func problems(of contents: KeptLaunches.Contents, _ tool: ToolContext) -> [String] {
    var problems: [String] = []
    let lines = contents.damaged
    if !lines.isEmpty {
      let numbers = lines.map(String.init).listed(atMost: 5)
      problems.append(
        lines.count == 1
          ? "line \(numbers) is damaged and was skipped: delete it to end this warning"
          : "lines \(numbers) are damaged and were skipped: delete them to end this warning")
    }
    if contents.newer > 0 {
      let launches = contents.newer == 1 ? "1 launch is" : "\(contents.newer) launches are"
      problems.append("\(launches) of a newer version and not shown: update \(tool.name) to see all")
    }
    return problems
  }

  /// Returns the launch's budget in nanoseconds, if the arguments select a manifest that can be read.
  private static func budget(_ arguments: ParsedArguments) -> Int64? {
    (try? Manifest(reading: arguments.manifest()))?.budget?.nanoseconds
  }

  /// Returns the history of the arguments: that of a manifest, or the only one in a state directory.
  private static func history(_ arguments: ParsedArguments, _ source: StateSource) throws -> KeptLaunches {
    guard source.manifest == nil, !arguments.operands.isEmpty else {
      return KeptLaunches(directory: source.directory, manifest: arguments.manifest())
    }
    let all = try KeptLaunches.all(in: source.directory)
    guard all.count > 1 else { return all.first ?? KeptLaunches(directory: source.directory, manifest: nil) }
    let files = all.map { FileSystem.lastComponent($0.path) }.joined(separator: ", ")
    throw ToolError("\"\(source.directory)\" has the histories of several manifests: \(files)") {
      "name the manifest: \($0) history MANIFEST"
    }
  }
}
