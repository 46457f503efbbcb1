import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The subcommand `status`, which shows a running launch, or the status of an app that stays, even after its end.
enum StatusSubcommand: Subcommand {
  static let name = "status"
  static let abstract = "Shows a running launch or app: what it waits for, its services and screens."
  static let discussion = """
    During a launch it shows the running steps, and what each waiting step waits for. If nothing is running, it shows \
    the last known status of an app that stayed, and how the last launch ended.

    --ready is for probes of containers: it succeeds while the launch has succeeded and each service with \
    "onExit": "fail" is ready and healthy.
    """
  static var operands: [Operand] { [.source] }
  static var options: [any OptionDeclaration] { [ready, watch, all, format, .state, .color] }

  static let format = Option<Format>.format(
    "The output format: text, one object, or with --watch each event as it happens. Default: text.")

  enum Format: String, CaseIterable {
    case text, json, jsonl
  }

  static let ready = Option(
    "ready", .flag, "Print only whether the app is ready: exit with 0 if it is, and with 1 if not.")
  static let all = Option(
    "all", short: "a", .flag, "All apps of this user that run on this machine, with their directories.")
  static let watch = Option(
    "watch", short: "w", .flag,
    "Repeat the status every second until the launch or app ends; in a pipe, only after a change.")

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded:
      "A launch or an app is running, or with --ready: it is ready; with --watch, also when it has ended.",
    .commandFailed: "With --ready: it is not ready, not running, or does not answer.",
    .preconditionMissing:
      "Nothing is running, another manifest is, or the journal of the launch is damaged.",
    .deadlinePassed: "The app does not answer within 10 s.",
  ]

  /// The output of `status` at one moment.
  private struct View {
    let text: String
    /// The part of the text that changes only with an event.
    var key = ""
    let isRunning: Bool
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    try arguments.check(all, excludes: ready, watch, .state)
    if arguments.isSet(all) {
      if !arguments.operands.isEmpty { throw UsageError.conflict(all.spelling, "SOURCE") }
      let list = AppList()
      tool.output.write(arguments[format] == .json ? list.json : list.text(tool.outputStyle))
      return list.isEmpty ? .preconditionMissing : .succeeded
    }
    let source = try StateSource(arguments)
    try arguments.check(ready, excludes: watch)
    if arguments[format] == .jsonl {
      guard arguments.isSet(watch) else {
        throw UsageError.needs("\(format.spelling) \(Format.jsonl.rawValue)", option: watch.spelling)
      }
      return try stream(source, tool)
    }
    if arguments.isSet(ready) { return try checkReady(source, arguments, tool) }
    let view = try view(of: source, arguments, tool)
    guard view.isRunning, arguments.isSet(watch) else {
      tool.output.write(view.text)
      return view.isRunning ? .succeeded : .preconditionMissing
    }
    return try show(view, untilEndOf: source, arguments, tool)
  }

  /// The nanoseconds between two polls of `--watch`.
  private static let interval: Int64 = 1_000_000_000

  /// Prints each event as a line until the launch or app ends, or until the reader does.
  private static func stream(_ source: StateSource, _ tool: ToolContext) throws -> ToolExit {
    guard let stream = try WatchStream(source) else {
      throw StayError.notRunning(directory: source.directory)
    }
    let poller = try Poller()
    if let descriptor = stream.descriptor { try poller.add(descriptor, token: 0) }
    while true {
      for line in stream.lines() { tool.output.write(line + "\n") }
      try tool.output.flush()
      guard !stream.isOver, !tool.output.isClosed else { return .succeeded }
      let interval = stream.descriptor == nil ? WatchStream.interval : Self.interval
      _ = try poller.wait(deadline: MonotonicClock.now() + interval)
      if tool.output.waitForReaderEnd(until: 0) { return .succeeded }
    }
  }

  private static func show(
    _ first: View, untilEndOf source: StateSource, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> ToolExit {
    let live = arguments[format] == .json ? nil : LiveText(tool.output, tool.outputStyle)
    var (view, shown) = (first, String?.none)
    while true {
      if let live {
        live.draw(view.text)
      } else if view.key != shown {
        tool.output.write((shown == nil || arguments[format] == .json ? "" : "\n") + view.text)
      }
      shown = view.key
      try tool.output.flush()
      guard view.isRunning, !tool.output.waitForReaderEnd(until: MonotonicClock.now() + interval) else {
        return .succeeded
      }
      do {
        view = try self.view(of: source, arguments, tool)
      } catch let error where error as? ControlFailure == .ended || error as? ControlError == .ending {
        // The app is ending: the next look finds its last status.
      }
    }
  }

  private static func view(
    of source: StateSource, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> View {
    let style = tool.outputStyle
    do {
      guard let status = try answer(of: source) else { throw ControlFailure.garbled }
      let launch =
        phase(of: status) == LaunchPhase.launching.rawValue ? try? RunningLaunch(of: source) : nil
      let text =
        arguments[format] == .json
        ? json(of: status, launch)
        : StatusText(status: status, style: style).text + (launch.map { "\n" + $0.text(style) } ?? "")
      let timeless = StatusText(status: status, style: TextStyle(), showsMeasurements: false).text
      return View(text: text, key: timeless + (launch?.timelessText ?? ""), isRunning: true)
    } catch StayError.notRunning {
      guard let launch = try RunningLaunch(of: source) else {
        return View(text: try last(of: source, arguments, tool), isRunning: false)
      }
      let text = arguments[format] == .json ? json(of: nil, launch) : launch.text(style)
      return View(text: text, key: launch.timelessText, isRunning: true)
    }
  }

  /// Asks the app for its status.
  private static func answer(of source: StateSource) throws -> JSONValue? {
    do {
      return try ControlClient(source).ask(.status, timeout: 10_000_000_000)["status"]
    } catch let error as ControlFailure where error == .timedOut {
      throw ControlFailure.silent
    }
  }

  private static func phase(of status: JSONValue) -> String? { status["state"]?["phase"]?.string }

  private static func checkReady(
    _ source: StateSource, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> ToolExit {
    var phase = "not running"
    do {
      phase = try answer(of: source).flatMap(self.phase) ?? phase
    } catch StayError.notRunning {
      if try RunningLaunch(of: source) != nil { phase = LaunchPhase.launching.rawValue }
    } catch let error as ControlFailure where error == .silent {
      phase = "not answering"
    }
    let isReady = [LaunchPhase.active, .inactive, .background].contains { $0.rawValue == phase }
    if arguments[format] == .json {
      let json = JSONWriter.object { writer in
        writer.member("ready", isReady)
        writer.member("phase", phase)
      }
      tool.output.write(json + "\n")
    } else {
      tool.output.write(isReady ? "ready\n" : "not ready: \(phase)\n")
    }
    return isReady ? .succeeded : .commandFailed
  }

  // MARK: - The last status

  /// Returns the last status of an app that has ended, the end of the last launch, and the mode of the next one.
  ///
  /// - Throws: ``StayError/notRunning(directory:)`` if nothing is known.
  private static func last(
    of source: StateSource, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> String {
    let status = try lastStatus(source)
    let manifest = status == nil ? source.manifest : status?["manifest"]?.string
    let guardState = GuardState.reading(source.directory, of: manifest)
    let process = (try? status?["process"]?.integer(as: Int32.self)).flatMap(\.self)
    let interrupted =
      process.map { RecordArchive.interruptedHandlers(in: source.directory, process: $0) } ?? []
    var launch = lastRecord(arguments, tool)
    // With a status, only a failure of the app's launch, or of a later one, says more.
    if let status, let known = launch, known.succeeded || known.startedAt < status["startedAt"]?.string ?? ""
    {
      launch = nil
    }
    if arguments[format] == .json { return json(status, launch, guardState, interrupted) }
    let style = tool.outputStyle
    let end = launch.map { self.text(of: $0, style) }
    guard let status else {
      guard launch != nil || guardState.words != nil else {
        throw StayError.notRunning(directory: source.directory)
      }
      let mode = guardState.words.map { "; \(style.visible($0))" } ?? ""
      return "no launch or app is running\(mode)\n" + (end ?? "")
    }
    var text = StatusText(status: status, style: style, isLast: true)
    text.next =
      guardState.safeMode.map { "in safe mode: \($0.reason)" }
      ?? (["not in safe mode", guardState.words].compactMap(\.self).joined(separator: "; "))
    text.interrupted = interrupted
    return text.text + (end.map { "\n" + $0 } ?? "")
  }

  /// Returns the last status of an app that stayed; `nil` without one, or if the app had another manifest.
  private static func lastStatus(_ source: StateSource) throws -> JSONValue? {
    guard let bytes = try DirectoryStateStore(path: source.directory).read(Control.stateName),
      let status = try? JSONDocument(parsing: SourceText(name: Control.stateName, bytes: bytes)).root,
      source.manifest.map({ ManifestScope.isSame($0, status["manifest"]?.string) }) ?? true
    else { return nil }
    return status
  }

  /// Returns the record of the last launch, also of one that crashed; `nil` without one.
  private static func lastRecord(_ arguments: ParsedArguments, _ tool: ToolContext) -> LaunchRecord? {
    guard let source = try? RecordSource(arguments), RecordArchive.isState(source.path) else { return nil }
    let crashed = RecordArchive.unfinished(in: source.path).flatMap { try? RecordArchive.read($0).record }
    if let crashed, source.has(crashed) { return crashed }
    return try? RecordSets.newest(in: source) { tool.warn($0) }
  }

  /// Returns when a launch began, its failures, the reason for safe mode, and the verdict.
  private static func text(of launch: LaunchRecord, _ style: TextStyle) -> String {
    let report = TextReport(style: style, detail: .failures)
    return "last launch, at \(style.visible(launch.startedAt)):\n" + report.text(of: launch)
      + report.safeMode(of: launch) + report.verdict(of: launch) + "\n"
  }

  // MARK: - JSON

  /// Returns the status of a running app, of a running launch, or of both as one object.
  private static func json(of status: JSONValue?, _ launch: RunningLaunch?) -> String {
    JSONWriter.object { writer in
      if let status {
        for member in status.members {
          writer.member(member.key.string, json: member.value.text)
        }
      } else {
        writer.member("running", true)
      }
      if let launch {
        writer.member("launch", json: launch.json)
      }
    } + "\n"
  }

  private static func json(
    _ last: JSONValue?, _ launch: LaunchRecord?, _ guardState: GuardState, _ interrupted: [EventRecord]
  ) -> String {
    JSONWriter.object { writer in
      writer.member("running", false)
      if let last {
        writer.member("last", json: last.text)
      }
      if let launch {
        writer.member("launch", json: launch.json(pretty: false))
      }
      writer.member("guard", json: guardState.json())
      guard !interrupted.isEmpty else { return }
      writer.array("interrupted") { writer in
        for event in interrupted {
          writer.object { writer in
            writer.member("event", event.event)
            if let scene = event.scene { writer.member("scene", scene) }
          }
        }
      }
    } + "\n"
  }
}
