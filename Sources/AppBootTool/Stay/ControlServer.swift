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
    /// The answers that wait to be sent, by the number of their connection.
    var replies: [UInt64: String] = [:]
    var isOver = false
    /// True after the socket was removed and unlocked. Another process may then listen at its path.
    var isReleased = false
  }

  /// The nanoseconds to wait after a failed `accept`, for example if no descriptor was free.
  private static let pause: Int64 = 100_000_000
  /// The number with which the poller reports the listener. Connections have the numbers from 1.
  private static let listenerToken: UInt64 = 0

  private let lock: FileLock
  private let listener: SocketListener
  private let poller: Poller
  private let manifest: String?
  private let handler: Handler
  private let state = Lock(State())
  private let thread = Lock<Thread?>(nil)

  /// Creates the control socket in a state directory and listens on it. The server's thread starts later.
  ///
  /// - Parameter manifest: The path of the app's manifest; `nil` for none. The server refuses requests to another one.
  /// - Throws: ``StayError`` if another process listens, or if another file has the socket's path; `SystemError`.
  init(in directory: String, manifest: String? = nil, _ handler: @escaping Handler) throws {
    guard let lock = try FileLock.acquire(FileSystem.join(directory, Control.lockName)) else {
      throw Self.conflict(in: directory, with: manifest)
    }
    self.lock = lock
    self.manifest = manifest
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

  /// Returns the error about the app that uses the directory. It names the manifest of the app if that is another one.
  private static func conflict(in directory: String, with manifest: String?) -> any Error {
    do {
      _ = try ControlClient(directory: directory, manifest: manifest).ask(.status, timeout: 1_000_000_000)
    } catch StayError.otherManifest(let running, let asked, let directory) {
      return StayError.otherManifest(running, asked: asked, directory: directory)
    } catch {}
    return StayError.alreadyRunning(directory: directory)
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
      let started = try Thread.start(name: "control", stackSize: 1 << 19) { [self] in serve() }
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

  // MARK: - On the server's thread

  private func serve() {
    var connections = ControlConnections(poller: poller, manifest: manifest, ask: ask)
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

  /// Passes a request to the handler. The server's thread sends the answer later.
  private func ask(_ number: UInt64, _ request: ControlRequest) {
    handler(request) { [self] answer in
      state.withLock { $0.replies[number] = answer }
      poller.wake()
    }
  }

  /// Sends the answers that are ready. Returns false if the server has stopped and all answers are sent.
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
