import AppBoot
import AppBootRecords
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

  /// Sends the request. The app may refuse it and close the connection before it has read the whole request.
  private func send(_ line: [UInt8], on socket: StreamSocket, until deadline: Int64?) throws(SystemError) {
    do throws(SystemError) {
      try socket.write(line, until: deadline)
    } catch {
      guard error.isBrokenConnection else { throw error }
    }
  }

  private func connect(until deadline: Int64?) throws -> StreamSocket {
    do throws(SystemError) {
      let path = FileSystem.join(directory, Control.socketName)
      try FileSystem.checkOwn(directory: directory)
      try FileSystem.checkOwn(socket: path)
      return try StreamSocket.connect(path: path, until: deadline)
    } catch {
      if error.isNotFound || error.isRefused { throw StayError.notRunning(directory: directory) }
      if error.isTimeout { throw ControlFailure.notSent }
      throw StayError.socket(error, in: directory)
    }
  }

  private static func read(_ answer: [UInt8]) throws -> JSONValue {
    guard let root = try? JSONDocument(parsing: SourceText(name: "answer", bytes: answer)).root else {
      throw ControlFailure.garbled
    }
    if let error = root["error"], let kind = error["kind"]?.string.flatMap(ControlError.Kind.init) {
      throw ControlError(kind: kind, message: error["message"]?.string ?? "")
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
