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

  /// Takes bytes of a stream, and writes them later on the thread.
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

  /// Writes the output that was held back. Call it, for example, when an interactive process no longer has the
  /// terminal.
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
