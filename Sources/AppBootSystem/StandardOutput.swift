#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A buffered writer over a descriptor that is not its own, such as standard output; safe to share.
///
/// A reader that went away (`EPIPE`) sets `isClosed`, and what follows is dropped in silence. Any other error is
/// kept, what follows is dropped, and every `flush()` throws it. `Signals.ignoreBrokenPipes()` belongs to it.
package final class StandardOutput: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var isClosed = false
    var failure: SystemError?
  }

  /// The descriptor that is written to; it is never closed here.
  package let descriptor: Int32
  private let name: String
  private let limit: Int
  private let state = Lock(State())

  /// A writer that keeps up to `limit` bytes back; `limit` 0 writes at once.
  package init(descriptor: Int32 = 1, name: String? = nil, limit: Int = 1 << 14) {
    self.descriptor = descriptor
    self.name = name ?? (descriptor == 2 ? "standard error" : "standard output")
    self.limit = limit
  }

  deinit { try? flush() }

  /// Whether the reader went away.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Appends a text, which reaches the descriptor when the buffer is full or on `flush()`.
  package func write(_ text: String) {
    state.withLock { state in
      state.buffer.append(contentsOf: text.utf8)
      if state.buffer.count > limit { drain(&state) }
    }
  }

  /// Appends bytes, which reach the descriptor when the buffer is full or on `flush()`.
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    state.withLock { state in
      state.buffer.append(contentsOf: bytes)
      if state.buffer.count > limit { drain(&state) }
    }
  }

  /// Writes what was kept back; throws the first error that any write met, other than a reader that left.
  package func flush() throws(SystemError) {
    let failure = state.withLock { state in
      drain(&state)
      return state.failure
    }
    if let failure { throw failure }
  }

  private func drain(_ state: inout State) {
    defer { state.buffer.removeAll(keepingCapacity: true) }
    guard !state.isClosed, state.failure == nil, !state.buffer.isEmpty else { return }
    switch state.buffer.withUnsafeBytes({ FileSystem.writeAll(descriptor, $0) }) {
    case 0: return
    case EPIPE: state.isClosed = true
    case let code: state.failure = SystemError(call: "write to \(name)", code: code)
    }
  }
}
