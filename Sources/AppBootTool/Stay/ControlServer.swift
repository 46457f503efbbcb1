import AppBoot
import AppBootSystem

/// Answers requests at a socket in the state directory: one line of JSON each, on a thread for each connection.
///
/// A lock beside the socket says whether somebody listens; a socket without a holder of the lock is left over from
/// a process that was killed, and is replaced.
final class ControlServer: Sendable {
  /// Answers a request; called on a connection's thread, and may wait.
  typealias Handler = @Sendable (ControlRequest) -> String

  private struct State {
    var threads: [Int: Thread] = [:]
    var connections: [Int: StreamSocket] = [:]
    var next = 0
    var isOver = false
    /// Whether another process may listen at the path by now.
    var isReleased = false
  }

  /// How many connections are served at once.
  private static let capacity = 32
  /// How long a connection may take to send its request, or to take its answer, in nanoseconds.
  private static let patience: Int64 = 10_000_000_000
  /// How long it waits where no connection can be accepted (no descriptor is left), in nanoseconds.
  private static let pause: Int64 = 100_000_000

  private let path: String
  private let lock: FileLock
  private let listener: SocketListener
  private let poller: Poller
  private let handler: Handler
  private let state = Lock(State())
  private let accepting = Lock<Thread?>(nil)

  /// Listens in a state directory.
  ///
  /// - Throws: ``ToolError/stays(directory:)`` where another process does; `SystemError`.
  init(in directory: String, _ handler: @escaping Handler) throws {
    path = FileSystem.join(directory, Control.socketName)
    guard let lock = try FileLock.acquire(FileSystem.join(directory, Control.lockName)) else {
      throw ToolError.stays(directory: directory)
    }
    self.lock = lock
    self.handler = handler
    if FileSystem.kind(of: path, followingLinks: false) != nil { try FileSystem.remove(path) }
    do throws(SystemError) {
      listener = try SocketListener(path: path, mode: 0o600)
    } catch {
      throw ToolError(socket: error, in: directory)
    }
    do {
      poller = try Poller()
      try poller.add(listener.readDescriptor, token: 0)
    } catch {
      try? FileSystem.remove(path)
      throw error
    }
  }

  /// Begins to answer; where it cannot, the socket is gone again.
  func start() throws {
    do {
      let thread = try Thread.start(name: "control", stackSize: 1 << 18) { [self] in accept() }
      accepting.withLock { $0 = thread }
    } catch {
      stop {}
      throw error
    }
  }

  /// Takes the socket away, for a process that ends at once; after the end it is another's, and stays.
  func remove() {
    state.withLock { if !$0.isReleased { try? FileSystem.remove(path) } }
  }

  /// Answers no more; returns when the answers under way have been sent.
  ///
  /// - Parameter last: What is done before another process may take the directory over.
  func stop(_ last: () -> Void) {
    let connections = state.withLock { state in
      state.isOver = true
      return state.connections.values.map(\.self)
    }
    poller.wake()
    accepting.withLock { $0 }?.join()
    // Who has not asked yet is not waited for.
    for connection in connections { connection.shutdownReading() }
    while let thread = state.withLock({ $0.threads.popFirst()?.value }) { thread.join() }
    remove()
    listener.close()
    last()
    state.withLock { $0.isReleased = true }
    lock.release()
  }

  private func accept() {
    while !state.withLock({ $0.isOver }) {
      guard (try? poller.wait()) != nil else { return }
      do throws(SystemError) {
        while !state.withLock({ $0.isOver }), let socket = try listener.accept(until: MonotonicClock.now()) {
          serve(socket)
        }
      } catch {
        rest()
      }
    }
  }

  /// Waits a moment: who is not accepted keeps the listener readable, and the poller would report it for ever.
  private func rest() {
    poller.remove(listener.readDescriptor)
    repeat {
      _ = try? poller.wait(deadline: MonotonicClock.now() + Self.pause)
      if (try? poller.add(listener.readDescriptor, token: 0)) != nil { return }
    } while !state.withLock { $0.isOver }
  }

  private func serve(_ socket: StreamSocket) {
    let number = state.withLock { state -> Int? in
      guard state.connections.count < Self.capacity, !state.isOver else { return nil }
      state.next += 1
      state.connections[state.next] = socket
      return state.next
    }
    guard let number else {
      return send(ControlError.refused("too many others are asking").json, on: socket)
    }
    do {
      let thread = try Thread.start(name: "control \(number)", stackSize: 1 << 19) { [self] in
        answer(socket)
        state.withLock { state in
          state.connections[number] = nil
          // The thread ends with this; only `stop()` still has to wait for it.
          if !state.isOver { state.threads[number] = nil }
        }
      }
      state.withLock { if $0.connections[number] != nil { $0.threads[number] = thread } }
    } catch {
      state.withLock { $0.connections[number] = nil }
      send(ControlError.refused(error.description).json, on: socket)
    }
  }

  private func answer(_ socket: StreamSocket) {
    let deadline = MonotonicClock.now() + Self.patience
    guard let line = try? Control.readLine(socket, until: deadline) else {
      return send(
        ControlError.malformed("it is longer than \(Control.limit) bytes, or unfinished").json, on: socket)
    }
    guard !line.isEmpty else { return }
    do throws(ControlError) {
      send(handler(try ControlRequest(json: line)), on: socket)
    } catch {
      send(error.json, on: socket)
    }
  }

  /// Whoever has left does not hear the answer.
  private func send(_ answer: String, on socket: StreamSocket) {
    var line = Array("\(answer)\n".utf8)
    if line.count > Control.limit {
      let size = "the answer has \(line.count) bytes, and at most \(Control.limit) are sent"
      line = Array("\(ControlError.refused(size).json)\n".utf8)
    }
    try? socket.write(line, until: MonotonicClock.now() + Self.patience)
    socket.shutdown()
  }
}
