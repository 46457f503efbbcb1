import AppBootLibC

/// A thread-safe buffered writer to a descriptor that it does not own, for example standard output.
///
/// - If the reader has closed its end (`EPIPE`), `isClosed` becomes true, and later output is dropped silently. Call
///   `Signals.ignoreBrokenPipes()` first, otherwise the signal kills the process.
/// - While an interactive process has the terminal, text for a terminal waits in the buffer (``TerminalLoan``).
/// - After any other error later output is dropped, and every `flush()` throws that error.
/// - After ``writeInBackground(_:)`` another thread writes, and only ``settle()`` waits for the reader.
package final class StandardOutput: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var isClosed = false
    var failure: SystemError?
    var writer: OutputWriter?
    /// The maximum wait of ``settle(within:)`` after ``hurry(within:)``; `nil` before.
    var patience: Int64?
    var isUnlimited = false
    var dropped = 0
  }

  /// The number of unwritten bytes above which the reader counts as behind.
  package static let capacity = 1 << 20
  /// The number of waiting bytes at which offered text is dropped.
  ///
  /// Without a background writer, text that waits for an interactive process is written when this number is reached.
  package static let mostWaiting = 1 << 24
  /// The nanoseconds that ``settle()`` waits for a reader after ``hurry(within:)``.
  package static let patience: Int64 = 2_000_000_000

  /// The descriptor for the output. The writer never closes it.
  package let descriptor: Int32
  private let name: String
  private let limit: Int
  private let state = Lock(State())

  /// Creates a writer that buffers up to `limit` bytes. If `limit` is 0, it writes at once.
  package init(descriptor: Int32 = 1, name: String? = nil, limit: Int = 1 << 14) {
    self.descriptor = descriptor
    self.name = name ?? (descriptor == 2 ? "standard error" : "standard output")
    self.limit = limit
  }

  deinit { state.withLock { writeBuffer(&$0) } }

  /// A Boolean that is true after the reader has closed its end.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Waits until nothing reads the output any more, for example because `head` has ended. Returns false if a time of
  /// the monotonic clock passes first.
  package func waitForReaderEnd(until deadline: Int64) -> Bool {
    // Without events, poll(2) reports only that a pipe, socket or terminal has no other end.
    Descriptor.wait(descriptor, for: 0, until: deadline)
  }

  /// Appends text. It is written to the descriptor when the buffer is full or on `flush()`.
  package func write(_ text: String) {
    let writer = state.withLock { state in
      state.buffer.append(contentsOf: text.utf8)
      return state.buffer.count > limit ? drain(&state) : nil
    }
    writer?.wake()
  }

  /// Writes the buffered bytes. Throws the first error of all writes so far, except `EPIPE`.
  ///
  /// With a background writer it does not wait for the write.
  package func flush() throws(SystemError) {
    let (writer, failure) = state.withLock { state in (drain(&state), state.failure) }
    writer?.wake()
    if let failure { throw failure }
  }

  /// Writes the buffer. If there is a background writer, passes the buffer on to it, and returns it.
  ///
  /// Call ``OutputWriter/wake()`` with no lock held: without a thread, the calling thread writes the bytes.
  private func drain(_ state: inout State) -> OutputWriter? {
    guard let writer = state.writer else {
      writeBuffer(&state)
      return nil
    }
    // With the lock, so that the bytes of several threads stay in order.
    if !state.isClosed, state.failure == nil { writer.append(state.buffer, for: self) }
    state.buffer = []
    return writer
  }

  private func writeBuffer(_ state: inout State) {
    let mayWait = TerminalLoan.isActive && state.buffer.count < Self.mostWaiting
    if mayWait, Terminal.isTerminal(descriptor) { return }
    defer { state.buffer.removeAll(keepingCapacity: true) }
    guard !state.isClosed, state.failure == nil, !state.buffer.isEmpty else { return }
    note(state.buffer.withUnsafeBytes { FileSystem.writeAll(descriptor, $0) }, in: &state)
  }

  private func note(_ code: Int32, in state: inout State) {
    switch code {
    case 0: return
    case EPIPE: state.isClosed = true
    case let code: state.failure = SystemError(call: "write to \(name)", code: code)
    }
  }
}

// MARK: - In the background

extension StandardOutput {
  /// Moves all later writes to other threads, so that a slow reader does not block the callers.
  ///
  /// Text stays in order within a stream, and between streams to the same file or to terminals. Call this method after
  /// the last fork.
  package static func writeInBackground(_ streams: [StandardOutput]) {
    // No dictionary: making its type costs 3 % of a short launch.
    for (index, stream) in streams.enumerated() where stream.state.withLock({ $0.writer == nil }) {
      let isTerminal = Terminal.isTerminal(stream.descriptor)
      // Other devices, for example /dev/null, have no reader.
      if !isTerminal, FileSystem.isCharacterDevice(stream.descriptor) { continue }
      let same = streams[..<index].first { $0.sharesFile(with: stream, isTerminal: isTerminal) }
      let writer = same?.state.withLock(\.writer) ?? OutputWriter(isTerminal: isTerminal)
      stream.state.withLock { $0.writer = writer }
    }
  }

  private func sharesFile(with other: StandardOutput, isTerminal: Bool) -> Bool {
    if isTerminal { return Terminal.isTerminal(descriptor) }
    return FileSystem.identity(of: descriptor) == FileSystem.identity(of: other.descriptor)
  }

  /// A Boolean that is true while bytes wait for the background writer.
  package var isBusy: Bool { waiting > 0 }

  /// A Boolean that is true if the reader is so slow that no more output should be produced for it.
  ///
  /// It is false after ``acceptAll()``.
  package var isBehind: Bool {
    let (writer, isUnlimited) = state.withLock { ($0.writer, $0.isUnlimited) }
    return !isUnlimited && writer.map { $0.count > Self.capacity } ?? false
  }

  /// Makes ``isBehind`` false from now on. Programs that are ending must be able to print.
  package func acceptAll() { state.withLock { $0.isUnlimited = true } }

  private var waiting: Int { state.withLock(\.writer)?.count ?? 0 }

  /// The number of texts that ``offer(_:)`` has dropped.
  package var dropped: Int { state.withLock(\.dropped) }

  /// Appends text and flushes it. If too much output waits for the reader, drops the text.
  package func offer(_ text: String) {
    guard waiting < Self.mostWaiting else { return state.withLock { $0.dropped += 1 } }
    write(text)
    // The next flush reports an error.
    try? flush()
  }

  /// Limits the wait of all later calls of ``settle(within:)`` together, because the process must end soon.
  ///
  /// - Parameter most: The maximum wait in nanoseconds.
  package func hurry(within most: Int64 = StandardOutput.patience) { state.withLock { $0.patience = most } }

  /// Flushes, and waits until the background writer has written all bytes.
  ///
  /// - Parameter most: The maximum wait in nanoseconds. If it is `nil`, the maximum is the one of ``hurry(within:)``,
  ///   and before that call there is none.
  package func settle(within most: Int64? = nil) throws(SystemError) {
    try? flush()
    let (writer, patience) = state.withLock { ($0.writer, $0.patience) }
    if let patience, most == nil {
      writer?.settleOnce(within: patience)
    } else {
      _ = writer?.settle(until: most.map { MonotonicClock.deadline(after: $0) })
    }
    try flush()
  }

  /// Writes bytes that were passed to the background writer.
  func writeNow(_ bytes: [UInt8]) {
    guard state.withLock({ !$0.isClosed && $0.failure == nil }) else { return }
    let code = bytes.withUnsafeBytes { FileSystem.writeAll(descriptor, $0) }
    state.withLock { note(code, in: &$0) }
  }
}
