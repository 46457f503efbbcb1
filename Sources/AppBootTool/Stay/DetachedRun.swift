import AppBoot
import AppBootRecords
import AppBootSystem

/// A run in the background (`run --detach`): this executable again, with its output in a file of the state directory.
///
/// The run reports that it has booted in the protocol of sd_notify(3), as to a service manager.
struct DetachedRun {
  static let logName = "detached.log"
  /// The variable that marks the run in the background.
  private static let variable = "APPBOOT_DETACHED"

  let tool: ToolContext
  let stateDirectory: String
  /// The value of `--state`; `nil` without the option.
  let state: String?
  /// True to print failures only.
  let isQuiet: Bool

  /// Returns whether this process is the run in the background. Steps do not inherit the mark.
  static func isThis() -> Bool {
    guard ProcessEnvironment.value(of: variable) != nil else { return false }
    ProcessEnvironment.set(variable, to: nil)
    return true
  }

  /// Starts the run, waits until it has booted or ended, and shows what it has printed. Returns its exit.
  ///
  /// A signal cancels the launch, as in the foreground.
  func start() throws -> ToolExit {
    let socket = try NotificationSocket()
    let signals = try SignalPipe.install(Signals.terminating)
    let process = try begin(["NOTIFY_SOCKET": socket.path])
    let poller = try Poller()
    try poller.add(socket.readDescriptor, token: 0)
    let isReady = { socket.assignments().contains("READY=1") }
    if let exit = try wait(for: process, signals, poller, until: isReady) { return exit }
    tool.output.write(output)
    tool.flush()
    leave(process)
    return .succeeded
  }

  /// Waits for a run, and passes signals on to it. Returns its exit if it ends, and `nil` if the wait ends before.
  func wait(
    for process: Subprocess, _ signals: SignalPipe, _ poller: Poller, forwarded: Set<Int32> = [],
    until isOver: () -> Bool = { false }
  ) throws -> ToolExit? {
    var forwarded = forwarded
    try poller.add(process.exitDescriptor(), token: 1)
    try poller.add(signals.readDescriptor, token: 2)
    while true {
      _ = try poller.wait(deadline: nil)
      for signal in signals.drain() where Signals.terminating.contains(signal) {
        forwarded.insert(signal)
        Signals.send(signal, to: process.processIdentifier)
      }
      if process.end() != nil { return exit(of: process, forwarded: forwarded) }
      if isOver() { return nil }
    }
  }

  /// Starts the process of the run.
  func begin(_ variables: [String: String]) throws -> Subprocess {
    try DirectoryStateStore(path: stateDirectory).prepare()
    if let lock = try FileLock.acquire(FileSystem.join(stateDirectory, Control.lockName)) {
      lock.release()
    } else {
      throw StayError.alreadyRunning(directory: stateDirectory)
    }
    guard let relaunch = try Relaunch(arguments: tool.arguments) else {
      throw Relaunch.missing(for: "--detach")
    }
    // A new file, because an earlier run may still write to the old one.
    try? FileSystem.remove(path)
    let log = try AppendFile(own: path)
    defer { log.close() }
    var request = ProcessRequest(
      relaunch.command(argumentsHere), environment: variables.merging([Self.variable: "1"]) { $1 })
    request.passing = [-1, log.openDescriptor, log.openDescriptor]
    return try request.start()
  }

  private var path: String { FileSystem.join(stateDirectory, Self.logName) }
  /// The output of the run so far.
  private var output: String { String(decoding: (try? FileSystem.readFile(path)) ?? [], as: UTF8.self) }

  /// Shows the output of a run that ended, and returns its exit.
  ///
  /// - Parameter forwarded: The signals that it got from this process.
  func exit(of process: Subprocess, forwarded: Set<Int32>) -> ToolExit {
    let end = process.wait()
    process.finish()
    if end == .exited(0) {
      tool.output.write(output)
      return .succeeded
    }
    tool.errors.write(output)
    switch end {
    case .exited(let code): return .own(code)
    case .signalled(let signal) where forwarded.contains(signal): return .signalled(signal)
    case .signalled(let signal):
      tool.report(ToolError("the run in the background, process \(process.processIdentifier), \(end.words)"))
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
