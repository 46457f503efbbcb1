/// A thread that writes output to a file or to terminals, in the order in which it receives the output.
///
/// A stalled reader blocks only this thread. Streams to the same file share a writer, and so do all streams to
/// terminals (``StandardOutput/writeInBackground(_:)``).
final class OutputWriter: Sendable {
  private struct Chunk: Sendable {
    let stream: StandardOutput
    var bytes: [UInt8]
  }

  private struct State: Sendable {
    var waiting: [Chunk] = []
    /// The bytes that are not written yet, those of the current write included.
    var count = 0
    /// The end of the last wait for the reader.
    var deadline: Int64?
  }

  private let isTerminal: Bool
  private let state = Condition(State())
  private let job = BackgroundJob(name: "appboot-output")

  init(isTerminal: Bool) { self.isTerminal = isTerminal }

  /// The number of bytes that are not written yet.
  var count: Int { state.withLock(\.count) }

  /// Takes over bytes of a stream.
  func append(_ bytes: [UInt8], for stream: StandardOutput) {
    state.withLock { state in
      state.count += bytes.count
      if let last = state.waiting.indices.last, state.waiting[last].stream === stream {
        state.waiting[last].bytes += bytes
      } else {
        state.waiting.append(Chunk(stream: stream, bytes: bytes))
      }
    }
    job.request { [self] in writeAll() }
  }

  /// Writes the output that was held back, for example after an interactive process has ended and freed the terminal.
  func wake() {
    if count > 0 { job.request { [self] in writeAll() } }
  }

  /// Waits until every byte is written. Returns false if a time of the monotonic clock passes first.
  func settle(until deadline: Int64?) -> Bool {
    state.wait(until: deadline) { $0.count == 0 ? () : nil } != nil
  }

  /// Waits until every byte is written, at most for a time in nanoseconds; all calls together wait that long.
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
