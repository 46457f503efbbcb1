import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A run in the background (`run --detach`): this executable again, with its output in a file of the state directory.
///
/// The run reports that it has booted in the protocol of sd_notify(3), as to a service manager.
struct DetachedRun {
  /// The process of a run, and its output.
  struct Started {
    let process: Subprocess
    fileprivate let log: DetachedLog
    fileprivate let file: ReadFile

    /// The output so far. It is read from the open file, because another run can replace or remove its path.
    fileprivate var output: String {
      String(decoding: (try? file.read(from: 0, limit: file.size)) ?? [], as: UTF8.self)
    }
  }

  let tool: ToolContext
  let stateDirectory: String
  /// The value of `--state`; `nil` without the option.
  let state: String?
  /// True to print failures only.
  let isQuiet: Bool

  /// Starts the run, waits until it has booted or ended, and shows what it has printed. Returns its exit.
  ///
  /// A signal cancels the launch, as in the foreground.
  func start() throws -> ToolExit {
    let socket = try NotificationSocket()
    let signals = try SignalPipe.install(Signals.terminating)
    let run = try begin(["NOTIFY_SOCKET": socket.path])
    let poller = try Poller()
    try poller.add(socket.readDescriptor, token: 0)
    let isReady = { socket.assignments().contains("READY=1") }
    if let exit = try wait(for: run, signals, poller, until: isReady) { return exit }
    tool.output.write(run.output)
    tool.flush()
    leave(run.process)
    return .succeeded
  }

  /// Waits for a run, and passes signals on to it. Returns its exit if it ends, and `nil` if the wait ends before.
  ///
  /// A signal can come too late for the launch. It then ends the app that has booted.
  func wait(
    for run: Started, _ signals: SignalPipe, _ poller: Poller, forwarded: Set<Int32> = [],
    until isOver: () -> Bool = { false }
  ) throws -> ToolExit? {
    var forwarded = forwarded
    var first: Int32?
    let process = run.process
    try poller.add(process.exitDescriptor(), token: 1)
    try poller.add(signals.readDescriptor, token: 2)
    while true {
      _ = try poller.wait(deadline: nil)
      for signal in signals.drain() where Signals.terminating.contains(signal) {
        first = first ?? signal
        forwarded.insert(signal)
        Signals.send(signal, to: process.processIdentifier)
      }
      if process.end() != nil {
        let end = exit(of: run, forwarded: forwarded)
        // An app that a signal has ended does not run in the background.
        return end == .succeeded ? first.map(ToolExit.signalled) ?? end : end
      }
      guard isOver() else { continue }
      if first == nil { return nil }
      // To an app that stays, HUP is a request to reload.
      if forwarded == [Signals.hangup] {
        forwarded.insert(Signals.terminate)
        Signals.send(Signals.terminate, to: process.processIdentifier)
      }
    }
  }

  /// Starts the process of the run.
  func begin(_ variables: [String: String]) throws -> Started {
    try DirectoryStateStore(path: stateDirectory).prepare()
    guard let relaunch = try Relaunch(arguments: tool.arguments) else {
      throw Relaunch.missing(for: "--detach")
    }
    let output = try AppendFile(temporaryBesides: FileSystem.join(stateDirectory, DetachedLog.name))
    defer { output.close() }
    let log = DetachedLog(temporaryPath: output.path, columns: tool.outputStyle.width)
    let file = try ReadFile(output.path)
    var request = ProcessRequest(
      relaunch.command(argumentsHere), environment: variables.merging(log.variables) { $1 })
    request.passing = [-1, output.openDescriptor, output.openDescriptor]
    return Started(process: try request.start(), log: log, file: file)
  }

  /// Shows the output of a run that ended, and returns its exit.
  ///
  /// - Parameter forwarded: The signals that it got from this process.
  func exit(of run: Started, forwarded: Set<Int32>) -> ToolExit {
    let process = run.process
    let end = process.wait()
    process.finish()
    // The log of a run that became the app has another name.
    try? FileSystem.remove(run.log.temporaryPath)
    let output = run.output
    if end == .exited(0) {
      tool.output.write(output)
      return .succeeded
    }
    tool.errors.write(output)
    let problem = "the run in the background, process \(process.processIdentifier), \(end.words)"
    switch end {
    case .exited(let code):
      if output.isEmpty {
        let help = "the disk of \"\(stateDirectory)\" may be full: to see the output, run it without "
        tool.report(ToolError("\(problem), and its output is missing", help: help + "--detach or --ui"))
      }
      return .own(code)
    case .signalled(let signal) where forwarded.contains(signal): return .signalled(signal)
    case .signalled(let signal):
      tool.report(ToolError(problem))
      return .own(128 + signal)
    }
  }

  /// Leaves the run to itself, and says how to reach it.
  func leave(_ process: Subprocess) {
    process.outlive()
    if isQuiet { return }
    let place = state.map { " --state \(ShellText.word($0))" } ?? ""
    // Only an app that stays takes requests.
    let takesRequests =
      (try? ControlClient(directory: stateDirectory).ask(.status, timeout: 1_000_000_000)) != nil
    let stop = takesRequests ? "\(tool.name) down\(place)" : "kill \(process.processIdentifier)"
    tool.inform(
      "process \(process.processIdentifier) runs in the background: `\(tool.name) status\(place)` shows it, "
        + "`\(tool.name) logs\(place)` its output, and `\(stop)` stops it")
  }

  /// The arguments without `-C DIR`: this process is in that directory already.
  private var argumentsHere: [String] {
    var arguments = tool.arguments[...]
    while arguments.first == "-C" { arguments = arguments.dropFirst(2) }
    return Array(arguments)
  }
}
