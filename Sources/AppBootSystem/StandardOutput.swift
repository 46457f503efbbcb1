#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread-safe buffered writer over a descriptor that it does not own, for example standard output.
///
/// - If the reader has closed its end (`EPIPE`), `isClosed` becomes true and later output is dropped silently. Call
///   `Signals.ignoreBrokenPipes()` first, or the signal kills the process.
/// - While an interactive process has the terminal, text for a terminal waits in the buffer (``TerminalLoan``).
/// - After any other error later output is dropped, and every `flush()` throws that error.
package final class StandardOutput: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var isClosed = false
    var failure: SystemError?
  }

  /// The descriptor for the output. It is never closed here.
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

  deinit { try? flush() }

  /// A Boolean that is true once the reader has closed its end.
  package var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Appends text. It is written to the descriptor when the buffer is full or on `flush()`.
  package func write(_ text: String) {
    state.withLock { state in
      state.buffer.append(contentsOf: text.utf8)
      if state.buffer.count > limit { drain(&state) }
    }
  }

  /// Appends bytes. They are written to the descriptor when the buffer is full or on `flush()`.
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    state.withLock { state in
      state.buffer.append(contentsOf: bytes)
      if state.buffer.count > limit { drain(&state) }
    }
  }

  /// Writes the buffered bytes. Throws the first error of any write except `EPIPE`.
  package func flush() throws(SystemError) {
    let failure = state.withLock { state in
      drain(&state)
      return state.failure
    }
    if let failure { throw failure }
  }

  /// The most bytes that wait for the end of an interactive process; more are printed all the same.
  private static let mostWaiting = 1 << 24

  private func drain(_ state: inout State) {
    let mayWait = TerminalLoan.isActive && state.buffer.count < Self.mostWaiting
    if mayWait, Terminal.isTerminal(descriptor) { return }
    defer { state.buffer.removeAll(keepingCapacity: true) }
    guard !state.isClosed, state.failure == nil, !state.buffer.isEmpty else { return }
    switch state.buffer.withUnsafeBytes({ FileSystem.writeAll(descriptor, $0) }) {
    case 0: return
    case EPIPE: state.isClosed = true
    case let code: state.failure = SystemError(call: "write to \(name)", code: code)
    }
  }
}
