import AppBoot
import AppBootSystem

/// Asks the process that stays with a state directory.
struct ControlClient {
  let directory: String

  /// Sends a request and returns the answer's members.
  ///
  /// - Parameter limit: How long the answer may take, in nanoseconds; `nil` waits as long as the process runs.
  /// - Throws: ``ToolError/nothingStays(directory:)``; ``ControlFailure``; `SystemError`.
  func ask(_ request: ControlRequest, limit: Int64?) throws -> JSONValue {
    let line = Array("\(request.json)\n".utf8)
    guard line.count <= Control.limit else { throw ControlFailure.tooLong(line.count) }
    let deadline = limit.map(MonotonicClock.deadline)
    let socket = try connect(until: deadline)
    do {
      try send(line, on: socket, until: deadline)
      guard let answer = try Control.readLine(socket, until: deadline) else {
        throw ControlFailure.longAnswer
      }
      guard !answer.isEmpty else { throw ControlFailure.ended }
      return try Self.read(answer)
    } catch let error as SystemError where error.isTimeout {
      throw ControlFailure.late
    } catch let error as SystemError where error.isBrokenConnection {
      throw ControlFailure.ended
    }
  }

  /// Sends the request; an app that refused it before it was read whole has answered, and hears no more of it.
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
      return try StreamSocket.connect(path: path, until: deadline)
    } catch {
      if error.isNotFound || error.isRefused { throw ToolError.nothingStays(directory: directory) }
      if error.isTimeout { throw ControlFailure.unheard }
      throw ToolError(socket: error, in: directory)
    }
  }

  private static func read(_ answer: [UInt8]) throws -> JSONValue {
    guard let root = try? JSONDocument(parsing: SourceText(name: "answer", bytes: answer)).root else {
      throw ControlFailure.garbled
    }
    if let error = root["error"],
      let known = ControlError(kind: error["kind"]?.string, message: error["message"]?.string ?? "")
    {
      throw known
    }
    return root
  }
}

/// What can go wrong on the way to a process that stays and back.
enum ControlFailure: Error, Sendable, Hashable {
  case tooLong(Int)
  case unheard
  case late
  case ended
  case garbled
  case longAnswer

  var message: String {
    switch self {
    case .tooLong(let count): "the request has \(count) bytes, and at most \(Control.limit) are taken"
    case .unheard: "no answer in time: too many others are asking, and the app has not heard of it"
    case .late: "no answer in time; the app goes on with it"
    case .ended: "the app ended before it answered"
    case .garbled: "the answer cannot be understood"
    case .longAnswer: "the answer has more than \(Control.limit) bytes, and no more are taken"
    }
  }

  var exit: ToolExit {
    switch self {
    case .tooLong: .usage
    case .unheard, .late: .deadlinePassed
    case .ended: .commandFailed
    case .garbled, .longAnswer: .preconditionMissing
    }
  }
}
