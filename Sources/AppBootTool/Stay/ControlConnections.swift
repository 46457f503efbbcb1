import AppBoot
import AppBootSystem

/// The connections of a control socket, which one thread serves without ever waiting for one of them.
///
///     reading → answering → sending → gone
///
/// A request takes its place in the order when its line is complete. A connection is read as far as it goes at each
/// look, so that a request that was sent whole before another one connected comes before it.
struct ControlConnections {
  private enum Stage {
    case reading([UInt8])
    /// The request was handed on; nothing is expected from the connection.
    case answering
    case sending(ArraySlice<UInt8>)
  }

  private struct Connection {
    let socket: StreamSocket
    var stage: Stage
    /// When it has taken too long; `nil` while it waits for the app.
    var deadline: Int64?
  }

  /// How many connections are served at once.
  static let capacity = 32
  /// How long a connection may take to send its request, or to take its answer, in seconds.
  private static let patience: Int64 = 10

  private let poller: Poller
  private let ask: (UInt64, ControlRequest) -> Void
  private var connections: [UInt64: Connection] = [:]
  private var last: UInt64 = 0
  private var isOver = false

  /// Serves connections that the poller reports by their numbers.
  ///
  /// - Parameter ask: Hands a request on; ``answer(_:_:)`` brings the answer, then or later.
  init(poller: Poller, ask: @escaping (UInt64, ControlRequest) -> Void) {
    self.poller = poller
    self.ask = ask
  }

  /// When ``expire(at:)`` has something to do; `nil` for never.
  var deadline: Int64? { connections.values.compactMap(\.deadline).min() }

  /// Takes a connection in, or tells it that there are too many.
  mutating func add(_ socket: StreamSocket) {
    last += 1
    if connections.count >= Self.capacity { dropAbandoned() }
    let isFull = connections.count >= Self.capacity
    connections[last] = Connection(socket: socket, stage: .reading([]), deadline: Self.limit)
    if isFull { return send(last, .refused("too many others are asking")) }
    do throws(SystemError) {
      try poller.add(socket.pollDescriptor, token: last)
    } catch {
      send(last, .refused(error.description))
    }
  }

  /// Lets go of who has left while the app was asked: the poller does not tell of those.
  private mutating func dropAbandoned() {
    for (number, connection) in connections {
      if case .answering = connection.stage, connection.socket.isAbandoned { drop(number) }
    }
  }

  /// Goes on with a connection that has become ready.
  mutating func attend(to number: UInt64) {
    switch connections[number]?.stage {
    case .reading(let line): read(number, after: line)
    case .sending(let rest): send(number, rest)
    case .answering, nil: break
    }
  }

  /// Sends the app's answer; one that has come too late is nothing.
  mutating func answer(_ number: UInt64, _ text: String) {
    guard case .answering = connections[number]?.stage else { return }
    var line = Array("\(text)\n".utf8)
    if line.count > Control.limit {
      let size = "the answer has \(line.count) bytes, and at most \(Control.limit) are sent"
      line = Array("\(ControlError.refused(size).json)\n".utf8)
    }
    connections[number]?.deadline = Self.limit
    send(number, line[...])
  }

  /// Lets go of who has taken too long.
  mutating func expire(at time: Int64) {
    for (number, connection) in connections {
      guard let deadline = connection.deadline, deadline <= time else { continue }
      switch connection.stage {
      case .reading: send(number, .malformed("it is unfinished after \(Self.patience) s"))
      case .sending, .answering: drop(number)
      }
    }
  }

  /// Hands on no more requests, and refuses those that wait; false when every answer has been sent.
  mutating func end() -> Bool {
    isOver = true
    for (number, connection) in connections {
      switch connection.stage {
      case .reading(let line):
        read(number, after: line)
        if case .reading = connections[number]?.stage { drop(number) }
      case .answering: send(number, .refused("the app is ending"))
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
        // Without waiting: the deadline has passed.
        let bytes = try socket.read(until: 0)
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
          line += bytes
          if bytes.isEmpty { return line.isEmpty ? drop(number) : hear(number, line) }
          continue
        }
        return hear(number, line + bytes[..<end])
      }
      send(number, .malformed("it is longer than \(Control.limit) bytes"))
    } catch {
      if error.isTimeout { connections[number]?.stage = .reading(line) } else { drop(number) }
    }
  }

  private mutating func hear(_ number: UInt64, _ line: [UInt8]) {
    do throws(ControlError) {
      guard line.count <= Control.limit else { throw .malformed("it is longer than \(Control.limit) bytes") }
      let request = try ControlRequest(json: line)
      guard !isOver else { throw .refused("the app is ending") }
      // Whoever leaves while it waits would be reported again and again.
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
    connections[number]?.deadline = Self.limit
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
      // Whoever has left does not hear the answer.
      drop(number)
    }
  }

  private mutating func drop(_ number: UInt64) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    poller.remove(connection.socket.pollDescriptor)
    connection.socket.shutdown()
    connection.socket.close()
  }

  private static var limit: Int64 { MonotonicClock.now() + patience * 1_000_000_000 }
}
