import AppBoot
import AppBootRecords
import AppBootCommands
import AppBootReports
import AppBootSystem

/// The subcommand `run`, which runs a launch.
enum RunSubcommand: Subcommand {
  static let name = "run"
  static let abstract = "Runs the manifest's commands, shows progress and records the launch."
  static let discussion = """
    With -- COMMAND, a launch that succeeds is followed by the command, which replaces appboot. As PID 1 of a \
    container, appboot stays above it. A launch that fails does not start it.

    The first INT, TERM or HUP cancels the launch and shows its record so far. A second one, or QUIT, ends it at once. \
    USR1 prints the running and waiting steps on standard error.

    `up` is another name for this subcommand.

    If OTEL_EXPORTER_OTLP_ENDPOINT is set, the launch is sent to that OpenTelemetry collector when it ends.
    """
  static var operands: [Operand] { [.manifest, .steps] }
  static var takesCommand: Bool { true }
  static let options: [any OptionDeclaration] = [
    dryRun, detach, ui, stay, thenStop, noWatch, .fileBesideSteps, .environment, .environmentFiles, .only,
    .to, .skip, .jobs,
    .shuffle,
    .timeout, record, junit, format, .state,
    .quiet, .verbose, .color, .event.advanced, .payload.advanced, .scene.advanced, .launch.advanced,
    .url.advanced,
    .label.advanced, .safeMode.advanced, .noState.advanced, noJournal.advanced,
  ]

  static let dryRun = Option("dry-run", short: "n", .flag, "Show the plan, as list does, and run nothing.")
  static let detach = Option(
    "detach", short: "d", .flag,
    "Run in the background. Return when the launch has booted or failed, with its exit code."
  )
  static let ui = Option(
    "ui", .flag, "Show the launch and the app on the whole screen. Leaving asks whether to stop them.")
  static let stay = Option(
    "stay", .flag, "Keep running after the launch, for signals, emit and status, until TERM.")
  static let thenStop = Option(
    "then-stop", .flag, "Stop the services after the launch, and exit with the launch's code.")
  static let noWatch = Option(
    "no-watch", .flag, "Do not restart services after changes of the files that they \"watch\".")
  static let record = Option(
    "record", .file("FILE"),
    "Write the record as JSON to a file, or under a unique name to an existing directory DIR/.")
  static let junit = Option(
    "junit", .file("FILE"), "Write the record to a file, as JUnit XML for a CI server.")
  static let noJournal = Option(
    "no-journal", .flag, "Write no journal, and ignore crashes of earlier launches.")
  static let format = Option<Format>.format(
    "The output format: text, the record, or each event as it happens. Default: text.")

  enum Format: String, CaseIterable {
    case text, json, jsonl
  }

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded:
      "The launch succeeded. With \"onFailure\": \"continue\", a command may fail and the launch "
      + "still succeeds.",
    .commandFailed: "A command failed.",
    .usage: "The arguments are wrong.",
    .invalidManifest: "The manifest is invalid.",
    .preconditionMissing: "A file, a permission or what CheckEnvironment looks for is missing.",
    .deadlinePassed: "The launch timed out.",
    .signalled(0): "Ended by signal n.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let isDetached = tool.log != nil
    if tool.ownsProcess || isDetached { ServiceManager.adopt() }
    var request = try LaunchRequest(arguments)
    if request.manifest.hasPrefix("../"), arguments.operands.isEmpty, !arguments.isSet(.quiet) {
      tool.inform("the manifest is \(request.manifest)")
    }
    if arguments.command != nil {
      for option in [detach, ui, stay, thenStop, .event] as [any OptionDeclaration]
      where arguments.isSet(option) {
        throw UsageError.conflict(option.spelling, "-- COMMAND")
      }
    }
    try arguments.check(stay, excludes: thenStop, .event)
    try arguments.check(dryRun, excludes: .shuffle, record, junit)
    try arguments.check(detach, excludes: dryRun, thenStop, .event, .noState, RunSubcommand.format)
    try arguments.check(
      ui, excludes: detach, dryRun, thenStop, .event, .noState, noJournal, RunSubcommand.format)
    if arguments.isSet(detach) || arguments.isSet(ui), !isDetached, let directory = request.stateDirectory {
      if request.manifest == "-" {
        let option = arguments.isSet(ui) ? ui : detach
        throw UsageError.conflict(option.spelling, "a manifest on standard input")
      }
      let run = DetachedRun(
        tool: tool, stateDirectory: directory, state: arguments[.state],
        isQuiet: arguments.isSet(.quiet))
      return try arguments.isSet(ui) ? run.show() : run.start()
    }
    request.fixedVariables = try arguments.variables()
    let format = arguments[format] ?? .text
    if arguments.isSet(dryRun) {
      // A plan has no events to print.
      if format == .jsonl { throw UsageError.conflict("--dry-run", "--format jsonl") }
      return try ListSubcommand.list(request, as: format == .text ? .text : .json, tool)
    }
    let recordFile = try ResultFile.record(record, of: arguments)
    let junitFile = try ResultFile(junit, of: arguments)
    try ResultFile.checkApart(
      [(record, recordFile), (junit, junitFile)], from: [(request.manifest, "the manifest")],
      recordOption: record)
    let keepsHistory = !arguments.isSet(noJournal) && request.event == nil
    var presentation = Presentation(
      tool, arguments, format, recordFile, junitFile, comparingIn: keepsHistory ? request.stateDirectory : nil
    )
    presentation.isDetached = isDetached
    var launch = ToolLaunch(
      tool: tool, request: request,
      showsText: format == .text && !arguments.isSet(.quiet), present: presentation.show)
    launch.keepsJournal = !arguments.isSet(noJournal)
    launch.isReplaced = arguments.command != nil
    launch.wantsFullRecord = format == .json || recordFile != nil || junitFile != nil
    launch.showsOutput = arguments.isSet(.verbose) && format == .text
    if let events = presentation.events {
      launch.observers.append(request.event.map { events.handlers(of: $0.name) } ?? events)
    }
    launch.progress = presentation.progress
    var followUp = presentation.followUp(stays: arguments.isSet(stay))
    followUp.watchesFiles = !arguments.isSet(noWatch)
    if let record = recordFile, ColdLaunch.isThis(record: record.path) {
      launch.order = ColdLaunch.order
      launch.checkDirectory = ColdLaunch.journalDirectory(of: record.path)
      (followUp.thenStops, followUp.handlesEvents) = (true, false)
      return try launch.run(followUp)
    }
    if request.event == nil, TraceEndpoint() != nil, try Relaunch(arguments: tool.arguments) != nil {
      launch.trace = .joining(ProcessEnvironment.value(of: "TRACEPARENT"))
    }
    followUp.thenStops = arguments.isSet(thenStop)
    followUp.command = arguments.command
    followUp.isQuiet = arguments.isSet(.quiet)
    followUp.notifiesManager = tool.ownsProcess && !isDetached
    return try launch.run(followUp)
  }

  /// A presentation of a launch and of its events in the format of the arguments.
  private struct Presentation: Sendable {
    let tool: ToolContext
    let format: Format
    let detail: TextReport.Detail
    /// The file for the record's JSON; `nil` if it is not requested.
    let recordFile: ResultFile?
    /// The file for the JUnit XML; `nil` if it is not requested.
    let junitFile: ResultFile?
    /// The observer that writes each event; `nil` in formats without single events.
    let events: EventLines?
    /// The observer that prints steps when they end; `nil` if the format is not text.
    let progress: ProgressLines?
    /// True for a run in the background, whose services print to their logs only.
    var isDetached = false

    init(
      _ tool: ToolContext, _ arguments: ParsedArguments, _ format: Format, _ recordFile: ResultFile?,
      _ junitFile: ResultFile?, comparingIn stateDirectory: String?
    ) {
      self.tool = tool
      self.format = format
      self.recordFile = recordFile
      self.junitFile = junitFile
      let isQuiet = arguments.isSet(.quiet)
      events = format == .jsonl ? EventLines(output: tool.output) : nil
      detail = isQuiet ? .failures : arguments.isSet(.verbose) ? .full : .normal
      guard format == .text else {
        progress = nil
        return
      }
      let style = isQuiet ? tool.errorStyle : tool.outputStyle
      var report = TextReport(style: style, detail: detail)
      report.difference = { LaunchDifference(of: $0, in: stateDirectory) }
      progress = ProgressLines(output: isQuiet ? tool.errors : tool.output, report: report)
    }

    func show(_ record: LaunchRecord) -> ToolExit {
      switch format {
      case .text: showText(record)
      case .json:
        tool.output.write(record.json(pretty: true) + "\n")
        showVerdict(record)
      case .jsonl: showVerdict(record)
      }
      let exit = record.succeeded == record.succeededWithEvents ? ToolExit(record) : .commandFailed
      return write(record) || exit != .succeeded ? exit : .preconditionMissing
    }

    /// Returns the functions that show the launch and its events. The record's JSON is shown at the end.
    func followUp(stays: Bool) -> FollowUp {
      var showAtOnce: (@Sendable (LaunchRecord) -> Void)?
      if let progress { showAtOnce = { progress.showRest(of: $0) } }
      return FollowUp(
        stays: stays,
        showService: showService,
        showAtOnce: showAtOnce,
        showLaunch: { record in
          if format == .text { showText(record) }
          _ = write(record, isLast: false)
          try? tool.output.flush()
          if isDetached {
            try? tool.output.settle()
            ServiceManager.report(.ready)
          }
        },
        showEvent: { event in
          progress?.show(event)
          try? tool.output.flush()
        },
        end: { record in
          if format == .json { tool.output.write(record.json(pretty: true) + "\n") }
          return write(record) ? .succeeded : .preconditionMissing
        })
    }

    /// Shows an event of a service: in a stream of events the event itself, in text the lines of its output.
    @Sendable private func showService(
      _ event: ServiceEvent, of step: Int, in outline: LaunchOutline, columns: Int
    ) {
      if let events { return events.write(event, step: step, in: outline) }
      guard case .output(let id, _, let lines) = event, format == .text, detail != .failures, !isDetached
      else { return }
      let style = tool.outputStyle
      let texts = lines.map { OutputLines.text(of: $0.text, step, id, columns: columns, style) }
      tool.output.offer(texts.joined())
    }

    private func showText(_ record: LaunchRecord) {
      progress?.showRest(of: record)
      let isExplained = !record.failures.isEmpty && record.header.shuffle == nil
      if detail == .failures, !isExplained { showVerdict(record) }
    }

    /// Writes the reason of a failed launch to standard error. It is called if standard output has JSON, or is quiet.
    private func showVerdict(_ record: LaunchRecord) {
      guard !record.succeeded else { return }
      let report = TextReport(style: tool.errorStyle)
      tool.errors.write("\(tool.name): \(report.verdict(of: record))\n")
    }

    /// Writes the files. An app that stays writes them again at its end, so an open descriptor has to wait for that.
    private func write(_ record: LaunchRecord, isLast: Bool = true) -> Bool {
      let files = [
        (recordFile, { record.json(pretty: true) + "\n" }), (junitFile, { JUnitReport().text(of: record) }),
      ]
      let errors = ResultFile.write(files.filter { isLast || $0.0?.isDescriptor != true }, tool)
      for error in errors { tool.report(error) }
      return errors.isEmpty
    }
  }
}
