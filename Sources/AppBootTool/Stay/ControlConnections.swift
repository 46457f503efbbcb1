import AppBoot
import AppBootSystem

/// The connections of a control socket. One thread serves all of them, and never blocks because of one.
///
///     reading → answering → sending → closed
///
/// Requests are ordered by the time at which their line is complete. Each read takes all available bytes. A request
/// that was complete before another client connected therefore comes first.
struct ControlConnections {
  private enum Stage {
    case reading([UInt8])
    /// The app has received the request, and has not answered it yet.
    case answering
    case sending(ArraySlice<UInt8>)
  }

  private struct Connection {
    let socket: StreamSocket
    var stage: Stage
    /// The time on the monotonic clock at which the connection times out; `nil` while the app handles the request.
    var deadline: Int64?
  }

  /// The maximum number of connections that are served at the same time.
  static let capacity = 32
  /// The seconds that a client has to send its request, and again to receive the answer.
  private static let timeout: Int64 = 10

  private let poller: Poller
  private let manifest: String?
  private let ask: (UInt64, ControlRequest) -> Void
  private var connections: [UInt64: Connection] = [:]
  private var last: UInt64 = 0
  private var isOver = false

  /// Creates a set without connections. The poller reports a connection by its number.
  ///
  /// - Parameters:
  ///   - manifest: The path of the app's manifest; `nil` for none.
  ///   - ask: A function that passes a request to the app. The app calls ``answer(_:_:)`` now or later.
  init(poller: Poller, manifest: String?, ask: @escaping (UInt64, ControlRequest) -> Void) {
    self.poller = poller
    self.manifest = manifest
    self.ask = ask
  }

  /// The earliest time at which a connection times out; `nil` if none can.
  var deadline: Int64? { connections.values.compactMap(\.deadline).min() }

  /// Adds a connection. If there are too many connections, sends a refusal and closes it.
  mutating func add(_ socket: StreamSocket) {
    last += 1
    if connections.count >= Self.capacity { dropAbandoned() }
    let isFull = connections.count >= Self.capacity
    connections[last] = Connection(socket: socket, stage: .reading([]), deadline: Self.nextDeadline)
    if isFull { return send(last, .refused("too many requests are waiting: try again later")) }
    do throws(SystemError) {
      try poller.add(socket.pollDescriptor, token: last)
    } catch {
      send(last, .refused(error.description))
    }
  }

  /// Closes the connections whose client has left before the answer. The poller does not report them.
  private mutating func dropAbandoned() {
    for (number, connection) in connections {
      if case .answering = connection.stage, connection.socket.isAbandoned { drop(number) }
    }
  }

  /// Continues reading from a connection, or sending to it. The poller has reported that this is possible.
  mutating func attend(to number: UInt64) {
    switch connections[number]?.stage {
    case .reading(let line): read(number, after: line)
    case .sending(let rest): send(number, rest)
    case .answering, nil: break
    }
  }

  /// Sends the app's answer to a connection. Does nothing if the connection is closed.
  mutating func answer(_ number: UInt64, _ text: String) {
    guard case .answering = connections[number]?.stage else { return }
    var line = Array("\(text)\n".utf8)
    if line.count > Control.limit {
      let size = "the answer has \(line.count) bytes, more than the limit of \(Control.limit)"
      line = Array("\(ControlError.refused(size).json)\n".utf8)
    }
    connections[number]?.deadline = Self.nextDeadline
    send(number, line[...])
  }

  /// Closes the connections whose time is over. A client that has not sent a complete request gets an error.
  mutating func expire(at time: Int64) {
    for (number, connection) in connections {
      guard let deadline = connection.deadline, deadline <= time else { continue }
      switch connection.stage {
      case .reading: send(number, .malformed("it is incomplete after \(Self.timeout) s"))
      case .sending, .answering: drop(number)
      }
    }
  }

  /// Refuses waiting and later requests. Returns true while answers are still being sent; call it again then.
  mutating func end() -> Bool {
    isOver = true
    for (number, connection) in connections {
      switch connection.stage {
      case .reading(let line):
        read(number, after: line)
        if case .reading = connections[number]?.stage { drop(number) }
      case .answering: send(number, .refused(ControlError.ending))
      case .sending: break
      }
    }
    return !connections.isEmpty
  }

  // MARK: - Reading

  private mutating func read(_ number: UInt64, after start: [UInt8]) {
    guard let socket = connections[number]?.socket else { return }
    var line = start
    do throws(SystemError) {
      while line.count <= Control.limit {
        // The deadline has passed, so the read does not block.
        let bytes = try socket.read(until: 0)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
          line += bytes
          if bytes.isEmpty { return line.isEmpty ? drop(number) : take(number, line) }
          continue
        }
        return take(number, line + bytes[..<end])
      }
      send(number, .malformed("it is longer than \(Control.limit) bytes"))
    } catch {
      if error.isTimeout { connections[number]?.stage = .reading(line) } else { drop(number) }
    }
  }

  private mutating func take(_ number: UInt64, _ line: [UInt8]) {
    do throws(ControlError) {
      guard line.count <= Control.limit else { throw .malformed("it is longer than \(Control.limit) bytes") }
      let request = try ControlRequest(json: line, manifest: manifest)
      guard !isOver else { throw .refused(ControlError.ending) }
      // The poller would report a client that leaves meanwhile again and again.
      if let socket = connections[number]?.socket { poller.remove(socket.pollDescriptor) }
      connections[number]?.stage = .answering
      connections[number]?.deadline = nil
      ask(number, request)
    } catch {
      send(number, error)
    }
  }

  // MARK: - Sending

  private mutating func send(_ number: UInt64, _ error: ControlError) {
    connections[number]?.deadline = Self.nextDeadline
    send(number, Array("\(error.json)\n".utf8)[...])
  }

  private mutating func send(_ number: UInt64, _ rest: ArraySlice<UInt8>) {
    guard let socket = connections[number]?.socket else { return }
    do throws(SystemError) {
      let rest = rest.dropFirst(try socket.writeSome(rest))
      guard !rest.isEmpty else { return drop(number) }
      poller.remove(socket.pollDescriptor)
      try poller.add(socket.pollDescriptor, token: number, for: .writable)
      connections[number]?.stage = .sending(rest)
    } catch {
      // The client has left.
      drop(number)
    }
  }

  private mutating func drop(_ number: UInt64) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    poller.remove(connection.socket.pollDescriptor)
    connection.socket.shutdown()
    connection.socket.close()
  }

  private static var nextDeadline: Int64 { MonotonicClock.now() + timeout * 1_000_000_000 }
}
