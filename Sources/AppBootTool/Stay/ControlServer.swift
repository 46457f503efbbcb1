import AppBoot
import AppBootSystem

/// The server at the control socket in the state directory, which answers requests of one JSON line each.
///
/// A single thread accepts, reads and sends (``ControlConnections``), which gives the requests one order. A running
/// server holds a file lock next to the socket. A new server replaces the socket that a killed process left.
final class ControlServer: Sendable {
  /// A function that takes a request and returns at once. It calls the reply now or later, from any thread.
  typealias Handler = @Sendable (ControlRequest, _ reply: @escaping @Sendable (String) -> Void) -> Void

  private struct State {
    /// The answers to send, by the connection's number.
    var replies: [UInt64: String] = [:]
    var isOver = false
    /// True once another process may listen at the path.
    var isReleased = false
  }

  /// The pause after a failed `accept`, for example without a free descriptor, in nanoseconds.
  private static let pause: Int64 = 100_000_000
  /// The listener's token; connections are numbered from 1.
  private static let listenerToken: UInt64 = 0

  private let lock: FileLock
  private let listener: SocketListener
  private let poller: Poller
  private let handler: Handler
  private let state = Lock(State())
  private let thread = Lock<Thread?>(nil)

  /// Creates the control socket in a state directory and listens on it, before the server's thread starts.
  ///
  /// - Throws: ``StayError`` if another process listens, or if another file has the socket's path; `SystemError`.
  init(in directory: String, _ handler: @escaping Handler) throws {
    guard let lock = try FileLock.acquire(FileSystem.join(directory, Control.lockName)) else {
      throw StayError.alreadyRunning(directory: directory)
    }
    self.lock = lock
    self.handler = handler
    listener = try Self.listen(in: directory)
    do {
      poller = try Poller()
      try poller.add(listener.readDescriptor, token: Self.listenerToken)
    } catch {
      listener.remove()
      throw error
    }
  }

  private static func listen(in directory: String) throws -> SocketListener {
    let path = FileSystem.join(directory, Control.socketName)
    do {
      if let kind = FileSystem.kind(of: path, followingLinks: false) {
        guard kind == .socket else { throw StayError.notASocket(path: path, kind: kind) }
        guard !(try isAnswered(path)) else { throw StayError.alreadyRunning(directory: directory) }
        try FileSystem.remove(path)
      }
      return try SocketListener(path: path, mode: 0o600)
    } catch let error as SystemError {
      throw StayError.socket(error, in: directory)
    }
  }

  /// Returns true if a process listens at a socket. Its lock file may have been removed.
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

  /// Starts the server's thread. Removes the socket if that fails.
  func start() throws {
    do {
      let started = try Thread.start(name: "control", stackSize: 1 << 19) { [self] in serve() }
      thread.withLock { $0 = started }
    } catch {
      stop {}
      throw error
    }
  }

  /// Removes the socket's file, unless ``stop(_:)`` has done so. For a process that exits without ``stop(_:)``.
  func remove() {
    state.withLock { if !$0.isReleased { listener.remove() } }
  }

  /// Sends the answers that are ready, refuses all other requests, closes the connections, and stops the server.
  ///
  /// - Parameter last: Called before another launch can use the state directory.
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

  // MARK: - On the server's thread

  private func serve() {
    var connections = ControlConnections(poller: poller, ask: ask)
    var resumption: Int64?
    while answer(&connections) {
      let deadline = [connections.deadline, resumption].compactMap(\.self).min()
      guard let ready = try? poller.wait(deadline: deadline) else { return }
      // In the order of the connections, if several requests are complete.
      for number in ready.sorted() where number != Self.listenerToken { connections.attend(to: number) }
      connections.expire(at: MonotonicClock.now())
      if ready.contains(Self.listenerToken), !accept(&connections) {
        poller.remove(listener.readDescriptor)
        resumption = MonotonicClock.now() + Self.pause
      }
      if let time = resumption, time <= MonotonicClock.now() { resumption = resume() }
    }
  }

  /// Passes a request to the handler. The server's thread sends the answer.
  private func ask(_ number: UInt64, _ request: ControlRequest) {
    handler(request) { [self] answer in
      state.withLock { $0.replies[number] = answer }
      poller.wake()
    }
  }

  /// Sends the available answers; returns false after the last one.
  private func answer(_ connections: inout ControlConnections) -> Bool {
    let (replies, isOver) = state.withLock { state in
      defer { state.replies = [:] }
      return (state.replies, state.isOver)
    }
    for (number, answer) in replies { connections.answer(number, answer) }
    guard isOver else { return true }
    accept(&connections)
    return connections.end()
  }

  /// Accepts all waiting connections; returns false if one fails.
  ///
  /// The listener then stays readable, and the poller would report it without end.
  @discardableResult
  private func accept(_ connections: inout ControlConnections) -> Bool {
    do throws(SystemError) {
      while let socket = try listener.accept(until: MonotonicClock.now()) { connections.add(socket) }
      return true
    } catch {
      return false
    }
  }

  /// Polls the listener again; returns the time of the next attempt if that fails.
  private func resume() -> Int64? {
    do {
      try poller.add(listener.readDescriptor, token: Self.listenerToken)
      return nil
    } catch {
      return MonotonicClock.now() + Self.pause
    }
  }
}
