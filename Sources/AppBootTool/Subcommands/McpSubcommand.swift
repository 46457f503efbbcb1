import AppBoot
import AppBootSystem

/// The subcommand `mcp`, which lets an agent ask about a manifest and its launches.
enum McpSubcommand: Subcommand {
  static let name = "mcp"
  static let abstract = "Answers an agent on standard input and output, with the Model Context Protocol."
  static let discussion = """
    The tools are plan, validate, status, logs, report, why, whatif, history and compare. No tool runs a step. Secrets \
    are masked. An answer has at most 8 KB; the argument "offset" reads on.

    The tools read only the manifest, the state directory and the directory of records of this command line: an agent \
    that was misled by the text of a log cannot read other files with them. They include only files below the \
    manifest's directory.
    """
  static let operands = [
    Operand(name: "MANIFEST", help: "The manifest. Default: commands.json, or commands.jsonc.")
  ]
  static var options: [any OptionDeclaration] { [allowControl, records, .state] }

  static let allowControl = Option(
    "allow-control", .flag, "Add the tools restart and stop, for the services of the running app.")
  static let records = Option(
    "records", .directory("DIR"), "The directory of records to compare. Default: the state directory.")

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Standard input ended.",
    .preconditionMissing: "A message is longer than 1 MiB, or this executable cannot be started again.",
  ]

  /// The tools that change nothing.
  private static var reading: [AgentTool] {
    [
      AgentTool("plan", ListSubcommand.self, [ListSubcommand.format, ListSubcommand.all, .only, .to, .skip]),
      AgentTool("validate", ValidateSubcommand.self, answers: [.invalidManifest]),
      AgentTool("status", StatusSubcommand.self, [.textOrJSON], answers: [.preconditionMissing]),
      AgentTool("logs", LogsSubcommand.self, [LogsSubcommand.timestamps]),
      AgentTool("report", ReportSubcommand.self, [ReportSubcommand.format], source: .records),
      AgentTool(
        "why", ReportSubcommand.self,
        required: .init(ReportSubcommand.why, requiredAs: "step", help: "The step's id."),
        help: "Shows why a step started when it did: what it waited for, back to the launch's start.",
        source: .records),
      AgentTool("whatif", WhatIfSubcommand.self, ChangeText.options + [.textOrJSON], source: .records),
      AgentTool(
        "history", HistorySubcommand.self,
        [HistorySubcommand.format, HistorySubcommand.by, HistorySubcommand.last, HistorySubcommand.step]),
      AgentTool(
        "compare", CompareSubcommand.self, [CompareSubcommand.format, CheckOptions.maxSlowdown],
        source: .files),
    ]
  }

  /// The tools that control services.
  private static var control: [AgentTool] {
    let subcommands: [any Subcommand.Type] = [RestartSubcommand.self, StopSubcommand.self]
    return subcommands.map { subcommand in
      var tool = AgentTool(subcommand.name, subcommand)
      // Clients wait a minute for an answer.
      tool.fixed = ["--timeout=55s"]
      tool.changesApp = true
      return tool
    }
  }

  static func tools(control allowsControl: Bool) -> [AgentTool] { reading + (allowsControl ? control : []) }

  /// The maximum number of bytes of a message.
  private static let limit = 1 << 20

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let manifest = arguments.manifest()
    guard manifest != "-" else { throw UsageError.conflict("MANIFEST -", "messages on standard input") }
    guard let relaunch = try Relaunch(arguments: tool.arguments) else { throw Relaunch.missing(for: name) }
    let state = LaunchRequest.stateDirectory(arguments, manifest: manifest)
    let server = AgentServer(
      name: tool.name, version: tool.version, tools: tools(control: arguments.isSet(allowControl)),
      place: AgentPlace(
        manifest: arguments.usesPlan ? nil : manifest, state: state, records: arguments[records] ?? state),
      run: { try answer(relaunch.command($0), relaunch.environment) })
    var buffer: [UInt8] = []
    while !tool.output.isClosed {
      while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        guard line.contains(where: { $0 > 0x20 }) else { continue }
        do {
          if let answer = try server.answer(to: line) { tool.output.write(answer) }
        } catch {
          return .signalled(error.signal)
        }
        try tool.output.flush()
      }
      guard buffer.count <= limit else {
        throw ToolError(
          "a message has more than \(limit) bytes without a line end: write each message of JSON-RPC on one line"
        )
      }
      let bytes = try Descriptor.readAvailable(0, named: "standard input")
      if bytes.isEmpty, buffer.isEmpty { break }
      // The last message may have no line end.
      buffer += bytes.isEmpty ? [UInt8(ascii: "\n")] : bytes
    }
    return .succeeded
  }

  /// Runs a command line to its end. A signal for the server ends it too.
  ///
  /// - Throws: ``Interruption`` after a signal; errors of the system.
  private static func answer(
    _ command: [String], _ environment: [String: String]
  ) throws -> (output: [UInt8], end: ProcessEnd) {
    let signals = try SignalPipe.install(Signals.terminating)
    let environment = environment.merging([Manifest.onlyBelowVariable: "1"]) { $1 }
    let request = ProcessRequest(command, environment: environment, captureOutput: true)
    var watch = try ProcessWatch(starting: request, signals, outputLimit: 1 << 24)
    let end = try watch.wait()
    signals.stopReporting(Signals.terminating)
    if let signal = signals.drain().first { throw Interruption(signal: signal) }
    return (watch.output.bytes, end)
  }
}
