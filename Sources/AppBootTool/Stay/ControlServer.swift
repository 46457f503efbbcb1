import AppBoot
import AppBootSystem

/// Answers requests at a socket in the state directory: one line of JSON each.
///
/// One thread accepts, reads and sends (``ControlConnections``), so that requests have one order. A lock beside the
/// socket says whether somebody listens; a socket that nobody listens at is left over from a process that was
/// killed, and is replaced.
final class ControlServer: Sendable {
  /// Takes a request in and returns at once; the reply is given from any thread, then or later.
  typealias Handler = @Sendable (ControlRequest, _ reply: @escaping @Sendable (String) -> Void) -> Void

  private struct State {
    /// What is to be sent, by the connection's number.
    var replies: [UInt64: String] = [:]
    var isOver = false
    /// Whether another process may listen at the path by now.
    var isReleased = false
  }

  /// How long it waits where no connection can be accepted (no descriptor is left), in nanoseconds.
  private static let pause: Int64 = 100_000_000
  /// The listener's token; connections are numbered from 1.
  private static let listenerToken: UInt64 = 0

  private let lock: FileLock
  private let listener: SocketListener
  private let poller: Poller
  private let handler: Handler
  private let state = Lock(State())
  private let thread = Lock<Thread?>(nil)

  /// Listens in a state directory.
  ///
  /// - Throws: ``ToolError/stays(directory:)`` where another process does; ``ToolError/noSocket(path:kind:)`` where
  ///   something else stands in its place; `SystemError`.
  init(in directory: String, _ handler: @escaping Handler) throws {
    guard let lock = try FileLock.acquire(FileSystem.join(directory, Control.lockName)) else {
      throw ToolError.stays(directory: directory)
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
        guard kind == .socket else { throw ToolError.noSocket(path: path, kind: kind) }
        guard !(try isAnswered(path)) else { throw ToolError.stays(directory: directory) }
        try FileSystem.remove(path)
      }
      return try SocketListener(path: path, mode: 0o600)
    } catch let error as SystemError {
      throw ToolError(socket: error, in: directory)
    }
  }

  /// Whether somebody listens at a socket, though the lock was free: it may have been removed.
  private static func isAnswered(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try StreamSocket.connect(path: path, until: MonotonicClock.now())
      return true
    } catch {
      if error.isRefused || error.isNotFound { return false }
      // Its queue is full.
      if error.isTimeout { return true }
      throw error
    }
  }

  /// Begins to answer; where it cannot, the socket is gone again.
  func start() throws {
    do {
      let started = try Thread.start(name: "control", stackSize: 1 << 19) { [self] in serve() }
      thread.withLock { $0 = started }
    } catch {
      stop {}
      throw error
    }
  }

  /// Takes the socket away, for a process that ends at once; one that is another's by now stays.
  func remove() {
    state.withLock { if !$0.isReleased { listener.remove() } }
  }

  /// Takes no more requests; returns when the answers under way have been sent.
  ///
  /// Who was not answered by now is told that the app is ending; who has not asked yet is not waited for.
  ///
  /// - Parameter last: What is done before another process may take the directory over.
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
      // Tokens in order: what is complete at the same look goes by who connected first.
      for number in ready.sorted() where number != Self.listenerToken { connections.attend(to: number) }
      connections.expire(at: MonotonicClock.now())
      if ready.contains(Self.listenerToken), !accept(&connections) {
        poller.remove(listener.readDescriptor)
        resumption = MonotonicClock.now() + Self.pause
      }
      if let time = resumption, time <= MonotonicClock.now() { resumption = resume() }
    }
  }

  /// Hands a request on; its answer is sent by the server's thread, whichever brings it.
  private func ask(_ number: UInt64, _ request: ControlRequest) {
    handler(request) { [self] answer in
      state.withLock { $0.replies[number] = answer }
      poller.wake()
    }
  }

  /// Sends what answers there are; false after the last one.
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

  /// Accepts everybody who waits; false where one cannot be: the listener stays readable, and the poller would report
  /// it for ever.
  @discardableResult
  private func accept(_ connections: inout ControlConnections) -> Bool {
    do throws(SystemError) {
      while let socket = try listener.accept(until: MonotonicClock.now()) { connections.add(socket) }
      return true
    } catch {
      return false
    }
  }

  /// Looks at the listener again; the time for the next attempt where that fails.
  private func resume() -> Int64? {
    do {
      try poller.add(listener.readDescriptor, token: Self.listenerToken)
      return nil
    } catch {
      return MonotonicClock.now() + Self.pause
    }
  }
}
