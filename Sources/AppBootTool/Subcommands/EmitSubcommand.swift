import AppBoot
import AppBootReports
import AppBootSystem

/// The subcommand `emit`, which sends an event to an app that stays.
enum EmitSubcommand: Subcommand {
  static let name = "emit"
  static let abstract = "Sends an event to a running app (run --stay), and waits for the answer."
  static let discussion = """
    The app runs the event's handlers, and notifies its listeners and responders.
    """
  static let operands: [Operand] = [
    Operand(
      name: "EVENT", help: "The event, for example openURL or one that the app declares.", isRequired: true,
      value: .event("EVENT")),
    .source,
  ]
  static var options: [any OptionDeclaration] {
    [.payload, url, .scene, timeout, .textOrJSON, .state, .quiet, .color]
  }

  static let url = Option("url", .text("URL"), "The event's URL.")
  static let timeout = Option(
    "timeout", .duration("DURATION"), "How long to wait for the answer. Default: 60s.")

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Handled.",
    .commandFailed: "A command failed, or the answer is false.",
    .usage: "The event or its payload, URL or scene is wrong.",
    .preconditionMissing: "No app is running, or it refused the event.",
    .deadlinePassed: "No answer within --timeout.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    guard let name = arguments.operands.first else {
      throw UsageError.missingArgument("EVENT", subcommand: Self.name)
    }
    let event = EventRequest(name: name, arguments)
    let answerTimeout = (arguments[timeout] ?? .seconds(60)).nanoseconds
    let request = ControlRequest.emit(
      event: name, payload: try event.payloadText(), url: event.url, scene: event.scene)
    let answer = try ControlClient(StateSource(arguments, at: 1)).ask(request, timeout: answerTimeout)
    guard let outcome = answer["outcome"] else { throw ControlFailure.garbled }
    let succeeded = outcome["succeeded"]?.bool == true
    if arguments.wantsJSON {
      tool.output.write(outcome.text + "\n")
    } else {
      show(outcome, succeeded, arguments, tool)
    }
    return succeeded ? .succeeded : .commandFailed
  }

  private static func show(
    _ outcome: JSONValue, _ succeeded: Bool, _ arguments: ParsedArguments, _ tool: ToolContext
  ) {
    let style = tool.outputStyle
    if !arguments.isSet(.quiet) {
      let event = style.visible(outcome["event"]?.string ?? "")
      tool.output.write("\(style.paint(event, succeeded ? .success : .failure)): \(facts(outcome, style))\n")
    }
    for member in ["failures", "problems"] {
      for line in outcome[member]?.elements.compactMap(\.string) ?? [] {
        tool.errors.write("\(tool.name): \(style.visible(line))\n")
      }
    }
  }

  private static func facts(_ outcome: JSONValue, _ style: TextStyle) -> String {
    var facts: [String] = []
    if let answer = outcome["answer"], !answer.isNull {
      facts.append("answered \(style.visible(answer.string ?? answer.text))")
    }
    let commands = outcome["commands"]?.string
    facts.append(commands.map { "commands \(style.visible($0))" } ?? "no handlers")
    return facts.joined(separator: ", ")
  }
}
