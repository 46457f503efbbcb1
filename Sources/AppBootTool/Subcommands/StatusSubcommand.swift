import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The subcommand `status`, which shows a running launch, or the status of an app that stays, even after its end.
enum StatusSubcommand: Subcommand {
  static let name = "status"
  static let abstract = "Shows a running launch or app: what it waits for, its services and screens."
  static var discussion: String {
    """
    During a launch it shows the running steps, and what each waiting step waits for. If nothing is running, it shows \
    the last known status of an app that stayed.

    --ready is for probes of containers: it succeeds while the launch has succeeded and no service with \
    "onExit": "fail" is down.
    """
  }
  static var operands: [Operand] { [.source] }
  static var options: [OptionDeclaration] { [ready, .textOrJSON, .state, .color] }

  static let ready = OptionDeclaration(
    "ready", .flag, "Print only whether the app is ready: exit with 0 if it is, and with 1 if not.")

  static var exits: KeyValuePairs<ToolExit, String> {
    [
      .succeeded: "A launch or an app is running, or with --ready: it is ready.",
      .commandFailed: "With --ready: it is not ready, or not running.",
      .preconditionMissing: "Nothing is running.",
    ]
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let source = try StateSource(arguments)
    if arguments.isSet(ready) { return try checkReady(source, tool) }
    do {
      let answer = try ControlClient(source).ask(.status, timeout: 10_000_000_000)
      guard let status = answer["status"] else { throw ControlFailure.garbled }
      show(status, arguments, tool)
      if !arguments.wantsJSON, phase(of: status) == LaunchPhase.launching.rawValue,
        let launch = RunningLaunch(of: source)
      {
        tool.output.write("\n" + launch.text(tool.outputStyle(arguments.color)))
      }
      return .succeeded
    } catch StayError.notRunning {
      if let launch = RunningLaunch(of: source) {
        tool.output.write(
          arguments.wantsJSON ? launch.json : launch.text(tool.outputStyle(arguments.color)))
        return .succeeded
      }
      return try showLast(of: source, arguments, tool)
    }
  }

  private static func phase(of status: JSONValue) -> String? { status["state"]?["phase"]?.string }

  private static func checkReady(_ source: StateSource, _ tool: ToolContext) throws -> ToolExit {
    var phase = "not running"
    do {
      let answer = try ControlClient(source).ask(.status, timeout: 10_000_000_000)
      phase = answer["status"].flatMap(self.phase) ?? phase
    } catch StayError.notRunning {
      if RunningLaunch(of: source) != nil { phase = LaunchPhase.launching.rawValue }
    }
    let isReady = [LaunchPhase.active, .inactive, .background].contains { $0.rawValue == phase }
    tool.output.write(isReady ? "ready\n" : "not ready: \(phase)\n")
    return isReady ? .succeeded : .commandFailed
  }

  private static func show(_ status: JSONValue, _ arguments: ParsedArguments, _ tool: ToolContext) {
    if arguments.wantsJSON {
      tool.output.write(status.text + "\n")
    } else {
      tool.output.write(StatusText(status: status, style: tool.outputStyle(arguments.color)).text)
    }
  }

  private static func showLast(
    of source: StateSource, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> ToolExit {
    let isJSON = arguments.wantsJSON
    let directory = source.directory
    guard let bytes = try DirectoryStateStore(path: directory).read(Control.stateName),
      let last = try? JSONDocument(parsing: SourceText(name: Control.stateName, bytes: bytes)).root,
      isOf(source.manifest, last)
    else { return try showGuard(of: source, arguments, tool) }
    let guardState = GuardState.reading(directory, of: last["manifest"]?.string)
    let process = (try? last["process"]?.integer(as: Int32.self)).flatMap(\.self)
    let interrupted = process.map { RecordArchive.interruptedHandlers(in: directory, process: $0) } ?? []
    if isJSON {
      tool.output.write(json(last, guardState, interrupted) + "\n")
    } else {
      var text = StatusText(status: last, style: tool.outputStyle(arguments.color), isLast: true)
      text.next =
        guardState.safeMode.map { "in safe mode: \($0.reason)" }
        ?? (["not in safe mode", guardState.words].compactMap(\.self).joined(separator: "; "))
      text.interrupted = interrupted
      tool.output.write(text.text)
    }
    return .preconditionMissing
  }

  /// Returns whether a status belongs to an app with this manifest. A `nil` manifest matches every status.
  private static func isOf(_ manifest: String?, _ status: JSONValue) -> Bool {
    manifest.map { ManifestScope.isSame($0, status["manifest"]?.string) } ?? true
  }

  /// Shows the mode of the next launch if launches crashed. It is for a state directory without a status.
  private static func showGuard(
    of source: StateSource, _ arguments: ParsedArguments, _ tool: ToolContext
  ) throws -> ToolExit {
    let isJSON = arguments.wantsJSON
    let guardState = GuardState.reading(source.directory, of: source.manifest)
    if isJSON {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("running", false)
        writer.key("guard")
        writer.raw(guardState.json().utf8)
      }
      tool.output.write(writer.text + "\n")
    } else {
      guard let words = guardState.words else { throw StayError.notRunning(directory: source.directory) }
      let style = tool.outputStyle(arguments.color)
      tool.output.write("no launch or app is running; \(style.visible(words))\n")
    }
    return .preconditionMissing
  }

  private static func json(_ last: JSONValue, _ guardState: GuardState, _ interrupted: [EventRecord])
    -> String
  {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("running", false)
      writer.key("last")
      writer.raw(last.text.utf8)
      writer.key("guard")
      writer.raw(guardState.json().utf8)
      guard !interrupted.isEmpty else { return }
      writer.key("interrupted")
      writer.array { writer in
        for event in interrupted {
          writer.object { writer in
            writer.member("event", event.event)
            if let scene = event.scene { writer.member("scene", scene) }
          }
        }
      }
    }
    return writer.text
  }
}
