import AppBootRecords
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
    .usage: "Standard output is not a terminal that can be redrawn.",
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
    return if case .signalled(let signal) = try view.run() { .signalled(signal) } else { .succeeded }
  }
}

extension DetachedRun {
  /// Starts the run, and shows it in a live view until the user leaves, who decides whether the run is stopped.
  ///
  /// A signal to the view ends the run too, as in the foreground.
  func show() throws -> ToolExit {
    var view = try LiveView(tool, StateSource(directory: stateDirectory), nil, ownsLaunch: true)
    // The view would show the launch or the app that is running, and act on it.
    try DirectoryStateStore(path: stateDirectory).prepare()
    let lock = try FileLock.acquire(FileSystem.join(stateDirectory, Control.lockName))
    lock?.release()
    if lock == nil || RecordArchive.isRunning(in: stateDirectory) {
      throw StayError.alreadyRunning(directory: stateDirectory)
    }
    let run = try begin([:])
    let process = run.process
    let end = try view.run(until: process)
    if process.end() != nil { return exit(of: run, forwarded: []) }
    switch end {
    case .left(stops: false):
      leave(process)
      return .succeeded
    case .left(stops: true):
      tool.inform("stopping")
      Signals.send(Signals.terminate, to: process.processIdentifier)
      // It was asked to end.
      return try wait(for: run, view.signals, Poller(), forwarded: [Signals.terminate]) ?? .succeeded
    case .signalled(let signal):
      // To an app that stays, HUP is a request to reload.
      Signals.send(signal == Signals.hangup ? Signals.terminate : signal, to: process.processIdentifier)
      process.outlive()
      return .signalled(signal)
    }
  }
}
