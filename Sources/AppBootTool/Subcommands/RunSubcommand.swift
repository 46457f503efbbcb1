import AppBoot
import AppBootReports
import AppBootSystem

/// `run`: boots.
enum RunSubcommand: Subcommand {
  static let name = "run"
  static let abstract = "Boots: executes the commands, shows progress, records."
  static var discussion: String {
    """
    Exit codes: 0 booted; 1 a command failed; 2 usage; 3 the manifest is invalid; 4 a file or a permission is \
    missing; 124 the time limit passed; 128+n ended by signal n. A failure that the manifest allows \
    ("onFailure": "continue") still boots.

    The first INT, TERM or HUP stops the launch and shows what was done; a second one ends it at once, \
    and so does QUIT. USR1 explains on standard error what runs and what waits.
    """
  }
  static var operands: [Operand] { [.manifest] }
  static var options: [OptionDeclaration] {
    [
      dryRun, stay, .event, .payload, .scene, .only, .skip, .launch, .url, .jobs, .timeout, record, junit,
      format, .safeMode, .state, .noState, noJournal, .quiet, .verbose, .color,
    ]
  }

  static let dryRun = OptionDeclaration(
    "dry-run", .none, "Show what would run, as list does, and run nothing.")
  static let stay = OptionDeclaration(
    "stay", .none, "Stay after the launch, for signals, emit and status, until TERM.")
  static let record = OptionDeclaration("record", .text("FILE"), "Write the record as JSON to a file.")
  static let junit = OptionDeclaration(
    "junit", .text("FILE"), "Write the launch as JUnit XML to a file, for a CI server.")
  static let noJournal = OptionDeclaration(
    "no-journal", .none, "Write no journal, and do not go by how the last launches ended.")
  static let format = OptionDeclaration(
    "format", .choice(Format.allCases.map(\.rawValue)),
    "text; json: the record; jsonl: each event as it happens. Default: text.")

  enum Format: String, CaseIterable {
    case text, json, jsonl
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let request = try LaunchRequest(arguments)
    if arguments.isSet(stay), request.event != nil { throw UsageError.conflict("--stay", "--event") }
    let format = arguments.choice(format, as: Format.self) ?? .text
    if arguments.isSet(dryRun) {
      // A plan has no events.
      if format == .jsonl { throw UsageError.conflict("--dry-run", "--format jsonl") }
      return try ListSubcommand.list(
        request, as: format == .text ? .text : .json, color: arguments.color, tool)
    }
    let files = try RecordFiles(arguments)
    try ResultFile.checkApart(
      [(record, files.record), (junit, files.junit)], from: [(request.manifest, "the manifest")])
    let presentation = Presentation(tool, arguments, format, files: files)
    var boot = Boot(
      tool: tool, request: request, color: arguments.color,
      showsText: format == .text && !arguments.isSet(.quiet), present: presentation.show)
    boot.keepsJournal = !arguments.isSet(noJournal)
    boot.wantsFullRecord = format == .json || !files.isEmpty
    boot.showsSaid = arguments.isSet(.verbose) && format == .text
    if format == .jsonl { boot.observers.append(EventLines(output: tool.output)) }
    if ColdLaunch.isThis(record: files.record?.path) {
      boot.journalDirectory = files.record.map { ColdLaunch.journalDirectory(of: $0.path) }
    } else {
      boot.followUp = presentation.followUp(stays: arguments.isSet(stay))
    }
    return try boot.run()
  }

  /// Shows a record as the arguments want it.
  private struct Presentation: Sendable {
    let tool: ToolContext
    let color: ColorChoice
    let format: Format
    let detail: TextReport.Detail
    let files: RecordFiles

    init(_ tool: ToolContext, _ arguments: ParsedArguments, _ format: Format, files: RecordFiles) {
      self.tool = tool
      self.format = format
      self.files = files
      color = arguments.color
      detail = arguments.isSet(.quiet) ? .failures : arguments.isSet(.verbose) ? .full : .normal
    }

    func show(_ record: StartupRecord) -> ToolExit {
      switch format {
      case .text: showText(record)
      case .json:
        tool.output.write(record.json(pretty: true) + "\n")
        showVerdict(record)
      case .jsonl: showVerdict(record)
      }
      let exit = record.succeeded == record.succeededWithEvents ? ToolExit(record.outcome) : .commandFailed
      return write(record) || exit != .succeeded ? exit : .preconditionMissing
    }

    /// The same for an app that goes on: text as it comes, JSON at the end.
    func followUp(stays: Bool) -> FollowUp {
      FollowUp(
        stays: stays,
        showLaunch: { record in
          if format == .text { showText(record) }
          _ = write(record)
          try? tool.output.flush()
        },
        showEvent: { event in
          if format == .text {
            if detail != .failures { tool.output.write("\n") }
            showText(event)
          }
          try? tool.output.flush()
        },
        end: { record in
          if format == .json { tool.output.write(record.json(pretty: true) + "\n") }
          return write(record) ? .succeeded : .preconditionMissing
        })
    }

    private func showText(_ event: EventRecord) {
      let output = detail == .failures ? tool.errors : tool.output
      let style = detail == .failures ? tool.errorStyle(color) : tool.outputStyle(color)
      output.write(TextReport(style: style, detail: detail).text(of: event))
    }

    private func showText(_ record: StartupRecord) {
      guard detail == .failures else {
        tool.output.write(TextReport(style: tool.outputStyle(color), detail: detail).text(of: record))
        return
      }
      tool.errors.write(TextReport(style: tool.errorStyle(color), detail: .failures).text(of: record))
      if !record.succeeded, record.failures.isEmpty { showVerdict(record) }
    }

    /// Says on standard error why a launch did not boot: standard output is for programs, or quiet.
    private func showVerdict(_ record: StartupRecord) {
      guard !record.succeeded else { return }
      let report = TextReport(style: tool.errorStyle(color))
      tool.errors.write("\(tool.name): \(report.verdict(of: record))\n")
    }

    private func write(_ record: StartupRecord) -> Bool {
      let errors = files.write(record)
      for error in errors { tool.report(.system(error), color: color) }
      return errors.isEmpty
    }
  }
}

/// The files that a launch's record is written to.
struct RecordFiles: Sendable {
  /// Where the record goes, as JSON.
  let record: ResultFile?
  /// Where it goes as JUnit XML.
  let junit: ResultFile?

  /// The files that were asked for.
  ///
  /// - Throws: `SystemError` where one cannot be written, which is found out before the launch.
  init(_ arguments: ParsedArguments) throws(SystemError) {
    record = try ResultFile(RunSubcommand.record, of: arguments)
    junit = try ResultFile(RunSubcommand.junit, of: arguments)
  }

  var isEmpty: Bool { record == nil && junit == nil }

  /// Writes them; the answer is what went wrong.
  func write(_ launch: StartupRecord) -> [SystemError] {
    ResultFile.write([
      (record, { launch.json(pretty: true) + "\n" }), (junit, { JUnitReport().text(of: launch) }),
    ])
  }
}
