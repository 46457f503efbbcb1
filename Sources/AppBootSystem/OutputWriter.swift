import AppBootLibC

/// A thread that writes output to a file or to terminals, in the order in which it receives the output.
///
/// A slow reader blocks only this thread. Streams to the same file share a writer, and so do all streams to terminals
/// (``StandardOutput/writeInBackground(_:)``).
final class OutputWriter: Sendable {
  private struct Chunk: Sendable {
    let stream: StandardOutput
    var bytes: [UInt8]
  }

  private struct State: Sendable {
    var waiting: [Chunk] = []
    /// The number of bytes that were not written yet, including those of the current write.
    var count = 0
    /// The time at which all calls of ``settleOnce(within:)`` end; `nil` before the first call.
    var deadline: Int64?
  }

  private let isTerminal: Bool
  private let state = Condition(State())
  private let job = BackgroundJob(name: "appboot-output")

  init(isTerminal: Bool) { self.isTerminal = isTerminal }

  /// The number of bytes that were not written yet.
  var count: Int { state.withLock(\.count) }

  /// Takes bytes of a stream. The thread writes them after ``wake()``.
  func append(_ bytes: [UInt8], for stream: StandardOutput) {
    if bytes.isEmpty { return }
    state.withLock { state in
      state.count += bytes.count
      if let last = state.waiting.indices.last, state.waiting[last].stream === stream {
        state.waiting[last].bytes += bytes
      } else {
        state.waiting.append(Chunk(stream: stream, bytes: bytes))
      }
    }
  }

  /// Writes the output that waits. Call it also when an interactive process no longer has the terminal.
  func wake() {
    if count > 0 { job.request { [self] in writeAll() } }
  }

  /// Waits until all bytes are written. Returns false if a time of the monotonic clock passes first.
  func settle(until deadline: Int64?) -> Bool {
    state.wait(until: deadline) { $0.count == 0 ? () : nil } != nil
  }

  /// Waits until all bytes are written, but not longer than a number of nanoseconds after the first call.
  func settleOnce(within most: Int64) {
    let deadline = state.withLock { state in
      let deadline = state.deadline ?? MonotonicClock.deadline(after: most)
      state.deadline = deadline
      return deadline
    }
    _ = settle(until: deadline)
  }

  private func writeAll() {
    while !(isTerminal && TerminalLoan.isActive) {
      let chunks = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      if chunks.isEmpty { return }
      for chunk in chunks {
        chunk.stream.writeNow(chunk.bytes)
        state.withLock { $0.count -= chunk.bytes.count }
        state.broadcast()
      }
    }
  }
}

/// The last bytes of an output. It uses at most twice `limit` bytes of memory.
package struct OutputTail: Sendable {
  /// The maximum number of stored bytes.
  package let limit: Int
  /// The number of bytes that were appended in total.
  package private(set) var totalCount = 0
  /// The bytes since a point before the stored ones.
  private var recent: [UInt8] = []

  package init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

  /// Appends bytes. If there is no room, drops the oldest bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    totalCount += bytes.count
    let new = UnsafeRawBufferPointer(rebasing: bytes.suffix(limit))
    if recent.count + new.count > 2 * limit { recent.removeFirst(max(0, recent.count + new.count - limit)) }
    recent.append(contentsOf: new)
  }

  /// Appends bytes. If there is no room, drops the oldest bytes.
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  private var stored: ArraySlice<UInt8> { recent.suffix(limit) }

  /// The stored bytes, oldest first.
  package var bytes: [UInt8] { Array(stored) }

  /// The stored bytes as text. Invalid UTF-8 is replaced by U+FFFD.
  package var text: String { String(decoding: stored, as: UTF8.self) }

  /// True if the last line does not end with a line feed.
  package var endsInsideLine: Bool { recent.last.map { $0 != UInt8(ascii: "\n") } ?? false }

  /// The last line that is not empty, complete or not, without its line ending; `nil` if there is none.
  package var lastLine: String? {
    let isLineEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let end = stored.lastIndex(where: { !isLineEnd($0) }) else { return nil }
    let start = stored[...end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? stored.startIndex
    return String(decoding: stored[start...end], as: UTF8.self)
  }
}

/// A namespace for functions on pipes that ``ProcessRequest/passing`` passes to another process, which reads them.
package enum StreamDrain {
  /// Closes descriptors.
  package static func close(_ descriptors: [Int32]) {
    for descriptor in descriptors { Descriptor.close(descriptor) }
  }

  /// Reads the pipes that were passed as standard input and output, until both have ended.
  ///
  /// - Parameters:
  ///   - attend: Called before each wait. Returns the longest wait in milliseconds; `nil` for no limit.
  ///   - body: Receives the descriptor and the bytes of each read.
  package static func readStandardPipes(
    attend: () -> Int32?, _ body: (Int32, UnsafeRawBufferPointer) -> Void
  ) {
    var open = [Int32(0), 1].filter { fcntl($0, F_GETFL) & O_ACCMODE == O_RDONLY }
    while !open.isEmpty {
      var entries = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, nfds_t(entries.count), attend() ?? -1) >= 0 || errno == EINTR else { return }
      for entry in entries where entry.revents != 0 && !readOnce(entry.fd, body) {
        open.removeAll { $0 == entry.fd }
      }
    }
  }

  /// Reads once. Returns false at the end of the stream.
  private static func readOnce(_ descriptor: Int32, _ body: (Int32, UnsafeRawBufferPointer) -> Void) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      if count > 0 { body(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count > 0
    }
  }
}
