import AppBoot
import AppBootLifecycle
import AppBootSystem

/// What keeps the tool from doing what it was asked to: a fact, its words, and its exit code.
enum ToolError: Error {
  case usage(UsageError)
  case manifest(ManifestError)
  case unreadable(ManifestUnreadable)
  case registry(RegistryConflict)
  case exists(path: String)
  /// Another process stays with the state directory.
  case stays(directory: String)
  /// No process stays with the state directory.
  case nothingStays(directory: String)
  /// Something else stands where the control socket belongs.
  case noSocket(path: String, kind: FileSystem.Kind)
  /// The control socket's path is longer than the system takes.
  case socketPath(String)
  case control(ControlError)
  /// Lists that emit one event after the other; the last one is named.
  case endless(event: String, limit: Int)
  case controlFailed(ControlFailure)
  case record(RecordError)
  case noRecords(path: String)
  case launchFailed(LaunchFailure)
  case system(SystemError)
  case other(any Error)

  init(_ error: any Error) {
    self =
      switch error {
      case let error as ToolError: error
      case let error as UsageError: .usage(error)
      case let error as SelectionError: .usage(.unknownStep(error))
      case let error as LifecycleEventError: .usage(.event(error))
      case let error as ManifestError: .manifest(error)
      case let error as ManifestUnreadable: .unreadable(error)
      case let error as RegistryConflict: .registry(error)
      case let error as RecordError: .record(error)
      case let error as LaunchFailure: .launchFailed(error)
      case let error as SystemError: .system(error)
      case let error as ControlError: .control(error)
      case let error as ControlFailure: .controlFailed(error)
      default: .other(error)
      }
  }

  /// What a control socket's error means; for the state directory that it is in.
  init(socket error: SystemError, in directory: String) {
    self = error.isNameTooLong ? .socketPath(FileSystem.join(directory, Control.socketName)) : .system(error)
  }

  /// What is wrong, in one line; `nil` for a text whose problems have places of their own.
  var message: String? {
    switch self {
    case .usage(let error): error.message
    case .manifest: nil
    case .unreadable(let error): error.description
    case .registry(let error): error.description
    case .exists(let path): "\"\(path)\" exists already, and is left as it is"
    case .stays(let directory): "another launch with the state directory \"\(directory)\" stays running"
    case .nothingStays(let directory): "nothing stays running with the state directory \"\(directory)\""
    case .noSocket(let path, let kind):
      "\"\(path)\" is \(kind.words), and no control socket: it is left as it is"
    case .socketPath(let path): "the path of the control socket is too long for the system: \"\(path)\""
    case .control(let error): error.message
    case .endless(let event, let limit):
      "the lists of events emit one after the other without end: stopped at \(event), after \(limit) lists"
    case .controlFailed(let error): error.message
    case .record(.notJSON), .record(.damaged): nil
    case .record(let error): error.description
    case .launchFailed(let failure): failure.message()
    case .noRecords(let path): "there is no record in \"\(path)\""
    case .system(let error): error.description
    case .other(let error): "\(error)"
    }
  }

  /// What to do, in one line.
  func help(tool: String) -> String? {
    switch self {
    case .usage(let error): error.help(tool: tool)
    case .unreadable(let error):
      error.path == "commands.json" ? "`\(tool) init` writes a commands.json to start from" : nil
    case .exists: "name another file: \(tool) init FILE"
    case .stays: "`\(tool) status` says which; TERM ends it; --state DIR keeps this one apart"
    case .nothingStays: "`\(tool) run --stay` starts it; --state DIR or the manifest says where"
    case .noSocket: "move or remove it, or name another directory with --state DIR"
    case .socketPath(let path):
      "it has \(path.utf8.count) bytes, and about 100 fit: name a directory with a shorter path with --state DIR"
    case .record, .launchFailed: nil
    case .noRecords: "`\(tool) check --record FILE` and `\(tool) run --record FILE` write records"
    case .endless: "let no list emit an event that leads back to it, or use --stay for an app that goes on"
    case .manifest, .registry, .system, .control, .controlFailed, .other: nil
    }
  }

  /// The places of what is wrong in a text, where the error has some.
  var problems: (diagnostics: [Diagnostic], source: SourceText)? {
    switch self {
    case .manifest(let error): (error.diagnostics, error.source)
    case .record(.notJSON(let diagnostics, let source)): (diagnostics, source)
    case .record(.damaged(let diagnostic, let source)): ([diagnostic], source)
    case .usage, .unreadable, .registry, .exists, .record, .noRecords, .launchFailed, .stays, .nothingStays,
      .noSocket, .socketPath, .control, .controlFailed, .endless, .system, .other:
      nil
    }
  }

  var exit: ToolExit {
    switch self {
    case .usage: .usage
    case .record(.unreadable): .preconditionMissing
    case .manifest, .record: .invalidManifest
    case .launchFailed: .commandFailed
    case .control(.malformed), .control(.usage): .usage
    case .controlFailed(let error): error.exit
    case .endless: .commandFailed
    case .unreadable, .registry, .exists, .noRecords, .stays, .nothingStays, .noSocket, .socketPath,
      .control(.refused), .system, .other:
      .preconditionMissing
    }
  }
}

extension FileSystem.Kind {
  /// What it is, with its article.
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
