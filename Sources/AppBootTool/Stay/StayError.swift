import AppBoot
import AppBootSystem

/// An error about the app that uses a state directory, or about its control socket.
enum StayError: ReportableError {
  case alreadyRunning(directory: String)
  case notRunning(directory: String)
  /// The running app has another manifest than the command line.
  case otherManifest(String, asked: String, directory: String)
  /// The journal of the running launch cannot be read.
  case damagedJournal(reason: String)
  /// The path of the control socket belongs to a file of another kind.
  case notASocket(path: String, kind: FileSystem.Kind)
  /// The control socket's path is longer than the system allows.
  case pathTooLong(String)
  /// Event handlers emit events without end. `event` is the last one that was handled.
  case endlessEvents(event: String, limit: Int)

  var message: String {
    switch self {
    case .alreadyRunning(let directory):
      "an app is already running with the state directory \"\(directory)\""
    case .notRunning(let directory): "no app is running with the state directory \"\(directory)\""
    case .otherManifest(let running, let asked, let directory):
      "the state directory \"\(directory)\" is in use by \(running), not by \(asked)"
    case .damagedJournal(let reason): "a launch is running, but its journal is damaged: \(reason)"
    case .notASocket(let path, let kind):
      "\"\(path)\" is \(kind.words), not a control socket; it was not changed"
    case .pathTooLong(let path): "the path of the control socket is too long: \"\(path)\""
    case .endlessEvents(let event, let limit):
      "the event handlers emit events in a loop: stopped at \(event), after \(limit) events"
    }
  }

  var exit: ToolExit {
    if case .endlessEvents = self { .commandFailed } else { .preconditionMissing }
  }

  func help(tool: String) -> String? {
    switch self {
    case .alreadyRunning:
      "`\(tool) status` shows it, TERM ends it, and --state DIR selects another state directory"
    case .notRunning:
      "start it with `\(tool) run --stay`, or with services in its plan; or select its state with --state DIR or its "
        + "manifest"
    case .otherManifest: "name the manifest of that launch, or select another directory with --state DIR"
    case .damagedJournal:
      "wait until the launch ends, or send USR1 to its process: it prints the running and waiting steps"
    case .notASocket: "move or remove it, or select another directory with --state DIR"
    case .pathTooLong(let path):
      "it has \(path.utf8.count) bytes, of about 100: select a directory with a shorter path with --state DIR"
    case .endlessEvents: "remove an emit that closes the loop, or use --stay for an app that keeps running"
    }
  }

  /// Returns ``pathTooLong(_:)`` if that is the cause of an error of the control socket; otherwise the error itself.
  static func socket(_ error: SystemError, in directory: String) -> any Error {
    guard error.isNameTooLong else { return error }
    return StayError.pathTooLong(FileSystem.join(directory, Control.socketName))
  }
}

extension FileSystem.Kind {
  /// The kind with its article, for example `a directory`.
  fileprivate var words: String {
    switch self {
    case .regular: "a regular file"
    case .directory: "a directory"
    case .link: "a symbolic link"
    case .socket: "a socket"
    case .other: "a pipe or a device"
    }
  }
}
