import AppBootLibC

/// The watcher: a process that kills the process groups of the steps if the process of the launch is killed.
///
/// It replaces the ``Keeper`` on systems without one.
///
/// ```
/// shell ─ appboot ─┬─ watcher
///                  └─ processes of the steps
/// ```
///
/// `appboot` writes each group that it starts, and each group that has ended, to a pipe. Only `appboot` has that end
/// of the pipe, so the pipe closes when `appboot` ends. The watcher then kills each group that has not ended.
///
/// It does not find a process that left its group, or a group that started microseconds before the kill.
package enum GroupWatcher {
  #if os(Linux) || os(macOS)

  /// Starts the watcher.
  ///
  /// - Parameter command: The program and its arguments. It has to call ``watchStandardInput()``.
  package static func start(_ command: [String]) throws(SpawnError) {
    let pipe: (read: Int32, write: Int32)
    do throws(SystemError) { pipe = try Descriptor.makePipe() } catch { throw .other(error) }
    defer { Descriptor.close(pipe.read) }
    Descriptor.setNonBlocking(pipe.write)
    do throws(SpawnError) {
      let watcher = try ProcessRequest(command, passing: [pipe.read]).start()
      messages.withLock { $0 = Messages(pipe: pipe.write, watcher: watcher) }
    } catch {
      Descriptor.close(pipe.write)
      throw error
    }
  }

  #else

  /// Does nothing, because this platform does not allow starting programs.
  package static func start(_ command: [String]) throws(SpawnError) {}

  #endif

  /// Ends the watcher, and with it the groups that have not ended.
  static func end() {
    let watcher = messages.withLock { messages in
      defer { messages = nil }
      Descriptor.close(messages?.pipe ?? -1)
      return messages?.watcher
    }
    _ = watcher?.wait()
    watcher?.finish()
  }

  /// Reads the groups from standard input until it ends. Then kills each group that has not ended.
  package static func watchStandardInput() {
    for signal in Signals.standard where signal != SIGKILL && signal != SIGSTOP && signal != SIGCHLD {
      Signals.ignore(signal)
    }
    var groups = WatchedGroups()
    StreamDrain.readStandardPipes(attend: { nil }, { _, bytes in groups.read(bytes) })
    // A stopped process cannot start another one, so the groups do not grow while they are killed.
    for signal in [SIGSTOP, SIGKILL] {
      for group in groups.all { Signals.send(signal, to: -group) }
    }
  }

  /// Adds the group of a process that was just started.
  static func insert(_ group: Int32) { send(group) }

  /// Removes a group. Call it before the process is reaped: afterwards the system can reuse its identifier.
  static func remove(_ group: Int32) { send(-group) }

  private static func send(_ message: Int32) {
    messages.withLock { $0?.send(message) }
  }
}

/// The pipe to the watcher; `nil` without one.
private let messages = Lock<Messages?>(nil)

/// The messages to the watcher.
private struct Messages: Sendable {
  let pipe: Int32
  let watcher: Subprocess
  /// The messages that did not fit into the pipe, because the watcher is stopped.
  private var unsent: [Int32] = []

  init(pipe: Int32, watcher: Subprocess) {
    (self.pipe, self.watcher) = (pipe, watcher)
  }

  mutating func send(_ message: Int32) {
    unsent.append(message)
    while var next = unsent.first {
      let count = retryingInterrupts { write(pipe, &next, MemoryLayout<Int32>.size) }
      // Without its reader, the pipe takes no message, and none is needed.
      if count < 0, errno != EAGAIN { unsent.removeAll() }
      if count < 0 { return }
      unsent.removeFirst()
    }
  }
}

/// The process groups that the watcher knows, from the bytes that it reads.
///
/// Each message is a 32-bit integer in the byte order of the machine: the group, or its negative value at its end.
struct WatchedGroups: Equatable {
  private(set) var all: Set<Int32> = []
  private var unread: [UInt8] = []

  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      unread.append(byte)
      guard unread.count == MemoryLayout<Int32>.size else { continue }
      apply(unread.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) })
      unread.removeAll(keepingCapacity: true)
    }
  }

  private mutating func apply(_ message: Int32) {
    // -1 and 0 would be all processes and the watcher's group (kill(2)).
    if message > 1 { all.insert(message) }
    if message < -1 { all.remove(-message) }
  }
}
