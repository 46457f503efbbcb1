import AppBoot
import AppBootSystem

/// A client that sends requests to the app which runs with a state directory.
struct ControlClient {
  let directory: String
  /// The path of the manifest that the app must have; `nil` for any app with the state directory.
  var manifest: String?

  init(directory: String, manifest: String? = nil) { (self.directory, self.manifest) = (directory, manifest) }

  /// Creates a client for the app with a state and, if the source has one, with a manifest.
  init(_ source: StateSource) { self.init(directory: source.directory, manifest: source.manifest) }

  /// Sends a request to the app, and returns the answer as JSON.
  ///
  /// - Parameter timeout: The nanoseconds to wait for the answer; `nil` to wait until the app answers or ends.
  /// - Throws: ``StayError``, ``ControlError``, ``ControlFailure`` or `SystemError`.
  func ask(_ request: ControlRequest, timeout: Int64?) throws -> JSONValue {
    do {
      return try send(request, timeout: timeout)
    } catch let error as ControlError where error.kind == .otherManifest {
      throw StayError.otherManifest(error.message, asked: manifest ?? "", directory: directory)
    }
  }

  private func send(_ request: ControlRequest, timeout: Int64?) throws -> JSONValue {
    let line = Array("\(request.json(toAppOf: manifest))\n".utf8)
    guard line.count <= Control.limit else { throw ControlFailure.tooLong(line.count) }
    let deadline = timeout.map(MonotonicClock.deadline)
    let socket = try connect(until: deadline)
    do {
      try send(line, on: socket, until: deadline)
      guard let answer = try Control.readLine(socket, until: deadline) else {
        throw ControlFailure.longAnswer
      }
      guard !answer.isEmpty else { throw ControlFailure.ended }
      return try Self.read(answer)
    } catch let error as SystemError where error.isTimeout {
      throw ControlFailure.timedOut
    } catch let error as SystemError where error.isBrokenConnection {
      throw ControlFailure.ended
    }
  }

  /// Asks the app for its events, and returns the connection. They are only read, so the app may be another user's.
  func watch(until deadline: Int64?) throws -> StreamSocket {
    let socket = try connect(until: deadline, isOwn: false)
    try send(Array("\(ControlRequest.watch.json(toAppOf: manifest))\n".utf8), on: socket, until: deadline)
    return socket
  }

  /// True if the app is this user's, or root's.
  var isOwn: Bool { (try? check()) != nil }

  private var path: String { FileSystem.join(directory, Control.socketName) }

  private func check() throws(SystemError) {
    try FileSystem.checkOwn(directory: directory)
    try FileSystem.checkOwn(socket: path)
  }

  /// Sends the request. The app may refuse it and close the connection before it has read the whole request.
  private func send(_ line: [UInt8], on socket: StreamSocket, until deadline: Int64?) throws(SystemError) {
    do throws(SystemError) {
      try socket.write(line, until: deadline)
    } catch {
      guard error.isBrokenConnection else { throw error }
    }
  }

  private func connect(until deadline: Int64?, isOwn: Bool = true) throws -> StreamSocket {
    do throws(SystemError) {
      if isOwn { try check() }
      return try StreamSocket.connect(path: path, until: deadline)
    } catch {
      if error.isNotFound || error.isRefused { throw StayError.notRunning(directory: directory) }
      if error.isTimeout { throw ControlFailure.notSent }
      throw StayError.socket(error, in: directory)
    }
  }

  /// Reads an answer, or the first line of a stream.
  ///
  /// - Throws: The app's ``ControlError``, or ``ControlFailure`` for what is not JSON.
  static func parse(_ answer: [UInt8]) throws -> JSONValue {
    guard let root = try? JSONDocument(parsing: SourceText(name: "answer", bytes: answer)).root else {
      throw ControlFailure.garbled
    }
    if let error = root["error"], let kind = error["kind"]?.string.flatMap(ControlError.Kind.init) {
      throw ControlError(kind: kind, message: error["message"]?.string ?? "")
    }
    return root
  }

  private static func read(_ answer: [UInt8]) throws -> JSONValue {
    let root = try parse(answer)
    // Another program can listen at the socket.
    guard (try? root["version"]?.integer(as: Int.self)) == Control.version else {
      throw ControlFailure.garbled
    }
    return root
  }
}

/// An error of the communication with the app.
struct ControlFailure: ReportableError, Hashable {
  let message: String
  let exit: ToolExit

  static func tooLong(_ count: Int) -> Self {
    Self(message: "the request has \(count) bytes, more than the limit of \(Control.limit)", exit: .usage)
  }
  static let notSent = Self(
    message: "timed out before the app accepted the request: too many others are waiting",
    exit: .deadlinePassed)
  static let timedOut = Self(
    message: "timed out while waiting for the answer; the app still handles the request",
    exit: .deadlinePassed)
  static let silent = Self(
    message: "the app does not answer: its process may be suspended (Control-Z) or hanging",
    exit: .deadlinePassed)
  static let ended = Self(message: "the app ended before it answered", exit: .commandFailed)
  static let garbled = Self(
    message: "the answer is not JSON of this version", exit: .preconditionMissing)
  static let longAnswer = Self(
    message: "the answer exceeds the limit of \(Control.limit) bytes", exit: .preconditionMissing)
}

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
  /// The process that listens at the path of the control socket does not answer as an app.
  case foreignSocket(path: String)
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
    case .foreignSocket(let path):
      "another program listens at \"\(path)\"; the socket was not changed"
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
      "`\(tool) status` shows it, `\(tool) down` stops it, and `\(tool) run --only STEP` runs another step; "
        + "--state DIR selects another state directory"
    case .notRunning:
      "start it with `\(tool) run --stay`, or with services in its plan; or select its state with --state DIR or its "
        + "manifest"
    case .otherManifest(let running, let asked, _) where !FileSystem.exists(asked):
      "there is no file \(asked), and the argument is a manifest: leave it out, or write \(running)"
    case .otherManifest: "name the manifest of that launch, or select another directory with --state DIR"
    case .damagedJournal:
      "wait until the launch ends, or send USR1 to its process: it prints the running and waiting steps"
    case .foreignSocket: "end that program, or select another directory with --state DIR"
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
