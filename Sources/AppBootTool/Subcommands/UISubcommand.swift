import AppBoot
import AppBootSystem

/// The subcommand `ui`, which shows a running launch or app on the whole screen of a terminal.
enum UISubcommand: Subcommand {
  static let name = "ui"
  static let abstract = "Shows a running launch or app on the whole screen: its steps, services and logs."
  static let discussion = """
    During a launch each step has a row, and afterwards the services come first. Below is the log of the selected row. \
    Press ? for the keys, and q to leave, which stops nothing. `run --ui` starts a launch and its view together.

    In a program, use `status --watch --format jsonl`, which prints the events that this view shows.
    """
  static var operands: [Operand] { [.source] }
  static var options: [any OptionDeclaration] { [.state, .color] }

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "The user left.",
    .usage: "Standard output is no terminal that can be redrawn.",
    .preconditionMissing: "Nothing is running, or another manifest is.",
    .signalled(0): "Ended by signal n.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let source = try StateSource(arguments)
    _ = try LiveView.terminal(tool)
    guard let stream = try WatchStream(source) else {
      throw StayError.notRunning(directory: source.directory)
    }
    var view = try LiveView(tool, source, stream, ownsLaunch: false)
    let end = try view.run()
    if case .left = end { return .succeeded }
    return .signalled(end.signal)
  }
}
