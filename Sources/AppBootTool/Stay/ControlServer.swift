import AppBoot
import AppBootSystem

/// The server of the control socket in the state directory. A request is one line of JSON, and so is its answer.
///
/// A single thread accepts, reads and sends (``ControlConnections``), so requests have one order. A running server
/// holds a file lock next to the socket. A new server replaces the socket that a killed process left.
final class ControlServer: Sendable {
  /// A function that takes a request and returns without waiting. It calls the reply now or later, from any thread.
  typealias Handler = @Sendable (ControlRequest, _ reply: @escaping @Sendable (String) -> Void) -> Void

  private struct State {
    /// The answers that wait to be sent, with the number of their connection, and the lines for all watchers.
    var outgoing: [(connection: UInt64?, text: @Sendable () -> String)] = []
    /// The number of connections that receive the lines.
    var watchers = 0
    var isOver = false
    /// True after the socket was removed and unlocked. Another process may then listen at its path.
    var isReleased = false
  }

  /// The nanoseconds to wait after a failed `accept`, for example if no descriptor was free.
  private static let pause: Int64 = 100_000_000
  /// The lines of an app for the clients that watch it.
  struct Watching: Sendable {
    /// A function that calls `begin` with the first line of a watcher, which is made later. The lines that are
    /// published after that call follow it.
    let start: @Sendable (_ begin: (@escaping @Sendable () -> String) -> Void) -> Void
    /// A function that returns a line every two seconds. It is called while there are watchers.
    let measure: @Sendable () -> String?
  }

  /// The nanoseconds between two measurements for watchers.
  private static let interval: Int64 = 2_000_000_000
  /// The number with which the poller reports the listener. Connections have the numbers from 1.
  private static let listenerToken: UInt64 = 0

  private let lock: FileLock
  private let listener: SocketListener
  private let poller: Poller
  private let manifest: String?
  private let handler: Handler
  private let watching: Watching?
  private let state = Lock(State())
  private let thread = Lock<Thread?>(nil)

  /// Creates the control socket in a state directory and listens on it. The server's thread starts later.
  ///
  /// - Parameters:
  ///   - manifest: The path of the app's manifest; `nil` for none. The server refuses requests to another one.
  ///   - watching: The lines for watchers; `nil` to refuse them.
  /// - Throws: ``StayError`` if another process listens, or if another file has the socket's path; `SystemError`.
  init(
    in directory: String, manifest: String? = nil, watching: Watching? = nil, _ handler: @escaping Handler
  ) throws {
    lock = try Self.lock(directory, for: manifest)
    self.manifest = manifest
    (self.handler, self.watching) = (handler, watching)
    listener = try Self.listen(in: directory)
    do {
      poller = try Poller()
      try poller.add(listener.readDescriptor, token: Self.listenerToken)
    } catch {
      listener.remove()
      throw error
    }
  }

  /// Locks a state directory for an app.
  ///
  /// - Throws: ``StayError`` if another app uses it.
  static func lock(_ directory: String, for manifest: String?) throws -> FileLock {
    let lock = try FileLock.acquire(FileSystem.join(directory, Control.lockName))
    guard let lock else { throw conflict(in: directory, with: manifest) }
    return lock
  }

  /// Returns the error about the app that uses the directory. It names the manifest of the app if that is another one.
  private static func conflict(in directory: String, with manifest: String?) -> any Error {
    do {
      _ = try ControlClient(directory: directory, manifest: manifest).ask(.status, timeout: 1_000_000_000)
    } catch StayError.otherManifest(let running, let asked, let directory) {
      return StayError.otherManifest(running, asked: asked, directory: directory)
    } catch {}
    return StayError.alreadyRunning(directory: directory)
  }

  /// Returns the error about the process that listens at the socket, although it has not locked the directory.
  private static func listener(at path: String, in directory: String) -> StayError {
    do {
      let answer = try ControlClient(directory: directory, manifest: nil).ask(.status, timeout: 1_000_000_000)
      // A program can send the request back.
      if answer["status"] == nil { return .foreignSocket(path: path) }
    } catch let error as ControlFailure where [.garbled, .ended, .longAnswer].contains(error) {
      return .foreignSocket(path: path)
    } catch {}
    // An app whose lock file was removed. It may be suspended.
    return .alreadyRunning(directory: directory)
  }

  private static func listen(in directory: String) throws -> SocketListener {
    let path = FileSystem.join(directory, Control.socketName)
    do {
      if let kind = FileSystem.kind(of: path, followingLinks: false) {
        guard kind == .socket else { throw StayError.notASocket(path: path, kind: kind) }
        guard !(try isAnswered(path)) else { throw listener(at: path, in: directory) }
        try FileSystem.remove(path)
      }
      return try SocketListener(path: path, mode: 0o600)
    } catch let error as SystemError {
      throw StayError.socket(error, in: directory)
    }
  }

  /// Returns whether a process listens at a socket. This detects a server whose lock file was removed.
  private static func isAnswered(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try StreamSocket.connect(path: path, until: MonotonicClock.now())
      return true
    } catch {
      if error.isRefused || error.isNotFound { return false }
      // The queue of a listener is full.
      if error.isTimeout { return true }
      throw error
    }
  }

  /// Starts the server's thread. Removes the socket if the thread cannot start.
  func start() throws {
    do {
      let started = try Thread.start(name: "appboot-control", stackSize: 1 << 19) { [self] in serve() }
      thread.withLock { $0 = started }
    } catch {
      stop {}
      throw error
    }
  }

  /// Removes the socket's file, unless ``stop(_:)`` has removed it. It is for a process that exits without
  /// ``stop(_:)``.
  func remove() {
    state.withLock { if !$0.isReleased { listener.remove() } }
  }

  /// Sends the answers that are ready, refuses all other requests, closes the connections, and stops the server.
  ///
  /// - Parameter last: A function that is called before another launch can use the state directory.
  func stop(_ last: () -> Void) {
    state.withLock { $0.isOver = true }
    poller.wake()
    thread.withLock { $0 }?.join()
    remove()
    listener.close()
    last()
    state.withLock { $0.isReleased = true }
    lock.release()
  }

  /// True if a client watches the app.
  var isWatched: Bool { state.withLock { $0.watchers > 0 } }

  /// Sends a line to the clients that watch the app. It never waits for them.
  func publish(_ line: String) {
    let isWanted = state.withLock { state in
      if state.watchers > 0 { state.outgoing.append((nil, { line })) }
      return state.watchers > 0
    }
    if isWanted { poller.wake() }
  }

  // MARK: - On the server's thread

  private func serve() {
    var measurement: Int64 = 0
    var connections = ControlConnections(poller: poller, manifest: manifest, ask: ask)
    var resumption: Int64?
    while answer(&connections) {
      let next = isWatched ? measurement : nil
      let deadline = [connections.deadline, resumption, next].compactMap(\.self).min()
      guard let ready = try? poller.wait(deadline: deadline) else { return }
      // In the order of the connections, if several requests are complete.
      for number in ready.sorted() where number != Self.listenerToken { connections.attend(to: number) }
      connections.expire(at: MonotonicClock.now())
      if ready.contains(Self.listenerToken), !accept(&connections) {
        poller.remove(listener.readDescriptor)
        resumption = MonotonicClock.now() + Self.pause
      }
      if isWatched, MonotonicClock.now() >= measurement {
        (watching?.measure()).map(publish)
        measurement = MonotonicClock.now() + Self.interval
      }
      if let time = resumption, time <= MonotonicClock.now() { resumption = resume() }
    }
  }

  /// Passes a request to the handler. The server's thread sends the answer later.
  private func ask(_ number: UInt64, _ request: ControlRequest) {
    guard request == .watch else {
      return handler(request) { [self] answer in
        state.withLock { $0.outgoing.append((number, { answer })) }
        poller.wake()
      }
    }
    guard let watching else {
      return state.withLock {
        $0.outgoing.append((number, { ControlError.refused("nothing to watch").json }))
      }
    }
    watching.start { first in
      state.withLock { state in
        state.outgoing.append((number, first))
        // The lines that follow belong to the watcher.
        state.watchers += 1
      }
    }
  }

  /// Sends the answers that are ready. Returns false if the server has stopped and all answers are sent.
  private func answer(_ connections: inout ControlConnections) -> Bool {
    let (outgoing, isOver) = state.withLock { state in
      defer { state.outgoing = [] }
      return (state.outgoing, state.isOver)
    }
    for (number, text) in outgoing {
      if let number { connections.answer(number, text()) } else { connections.publish(text()) }
    }
    let watchers = connections.watchers
    // A watcher whose first line waits is not counted by the connections yet.
    state.withLock { if $0.outgoing.isEmpty { $0.watchers = watchers } }
    guard isOver else { return true }
    accept(&connections)
    return connections.end()
  }

  /// Accepts all waiting connections. Returns false if accepting fails.
  ///
  /// After a failure the listener stays readable, so the poller would report it again and again.
  @discardableResult
  private func accept(_ connections: inout ControlConnections) -> Bool {
    do throws(SystemError) {
      while let socket = try listener.accept(until: MonotonicClock.now()) { connections.add(socket) }
      return true
    } catch {
      return false
    }
  }

  /// Adds the listener to the poller again. Returns the time of the next attempt if that fails; otherwise `nil`.
  private func resume() -> Int64? {
    do {
      try poller.add(listener.readDescriptor, token: Self.listenerToken)
      return nil
    } catch {
      return MonotonicClock.now() + Self.pause
    }
  }
}

/// The connections of a control socket. One thread serves all of them, and never blocks because of one.
///
///     reading → answering → sending → closed
///                         ↘ watching → closed
///
/// Requests are ordered by the time at which their line is complete. Each read takes all available bytes. A request
/// that was complete before another client connected therefore comes first.
struct ControlConnections {
  private enum Stage {
    case reading([UInt8])
    /// The app has received the request, and has not answered it yet.
    case answering
    case sending(ArraySlice<UInt8>)
    /// The client receives lines until it leaves. The bytes could not be sent yet; the poller waits if there are any.
    case watching(ArraySlice<UInt8>)

    var isWatching: Bool { if case .watching = self { true } else { false } }
  }

  private struct Connection {
    let socket: StreamSocket
    var stage: Stage
    /// True if the client asked to watch the app.
    var watches = false
    /// The time on the monotonic clock at which the connection times out; `nil` while the app handles the request.
    var deadline: Int64?
  }

  /// The maximum number of connections that are served at the same time.
  static let capacity = 32
  /// The maximum number of bytes that wait for a watcher. A slower one is closed.
  private static let backlog = 1 << 24
  /// The nanoseconds that a watcher has to take the lines that still wait when the app ends.
  private static let lastPatience: Int64 = 200_000_000
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

  /// The number of connections that watch the app.
  var watchers: Int { connections.values.count(where: \.stage.isWatching) }

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
      switch connection.stage {
      case .answering, .watching: if connection.socket.isAbandoned { drop(number) }
      case .reading, .sending: break
      }
    }
  }

  /// Continues reading from a connection, or sending to it. The poller has reported that this is possible.
  mutating func attend(to number: UInt64) {
    switch connections[number]?.stage {
    case .reading(let line): read(number, after: line)
    case .sending(let rest): send(number, rest)
    case .watching(let rest): pass(number, rest[rest.endIndex...], after: rest)
    case .answering, nil: break
    }
  }

  /// Sends the app's answer to a connection. Does nothing if the connection is closed.
  mutating func answer(_ number: UInt64, _ text: String) {
    guard case .answering = connections[number]?.stage else { return }
    if connections[number]?.watches == true {
      connections[number]?.stage = .watching([])
      return pass(number, Array("\(text)\n".utf8)[...], after: [])
    }
    var line = Array("\(text)\n".utf8)
    if line.count > Control.limit {
      let size = "the answer has \(line.count) bytes, more than the limit of \(Control.limit)"
      line = Array("\(ControlError.refused(size).json)\n".utf8)
    }
    connections[number]?.deadline = Self.nextDeadline
    send(number, line[...])
  }

  /// Sends a line to all watchers.
  mutating func publish(_ text: String) {
    let line = Array("\(text)\n".utf8)[...]
    for number in Array(connections.keys) {
      guard case .watching(var rest) = connections[number]?.stage else { continue }
      if rest.isEmpty {
        pass(number, line, after: rest)
        continue
      }
      // The poller reports when the watcher reads again. Taken out of the stage, the bytes grow in place.
      connections[number]?.stage = .watching([])
      rest += line
      connections[number]?.stage = .watching(rest)
      if rest.count > Self.backlog { drop(number) }
    }
  }

  /// Sends as many bytes to a watcher as possible now, and the others when the poller reports room.
  private mutating func pass(_ number: UInt64, _ line: ArraySlice<UInt8>, after waiting: ArraySlice<UInt8>) {
    guard let socket = connections[number]?.socket else { return }
    let bytes = waiting + line
    guard let count = try? socket.writeSome(bytes), bytes.count - count <= Self.backlog else {
      return drop(number)
    }
    let rest = bytes.dropFirst(count)
    connections[number]?.stage = .watching(rest)
    if waiting.isEmpty, !rest.isEmpty {
      try? poller.add(socket.pollDescriptor, token: number, for: .writable)
    } else if !waiting.isEmpty, rest.isEmpty {
      poller.remove(socket.pollDescriptor)
    }
  }

  /// Closes the connections whose time is over. A client that has not sent a complete request gets an error.
  mutating func expire(at time: Int64) {
    for (number, connection) in connections {
      guard let deadline = connection.deadline, deadline <= time else { continue }
      switch connection.stage {
      case .reading: send(number, .malformed("it is incomplete after \(Self.timeout) s"))
      case .sending, .answering, .watching: drop(number)
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
      case .answering: send(number, .ending)
      case .sending: break
      case .watching(let rest):
        // A reader that is suspended must not delay the end.
        guard !rest.isEmpty else { drop(number); continue }
        let deadline = MonotonicClock.now() + Self.lastPatience
        connections[number]?.deadline = connection.deadline ?? deadline
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
      guard !isOver else { throw .ending }
      // The poller would report a client that leaves meanwhile again and again.
      if let socket = connections[number]?.socket { poller.remove(socket.pollDescriptor) }
      connections[number]?.stage = .answering
      connections[number]?.watches = request == .watch
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
