import AppBoot
import AppBootSystem

/// The captured output of a process: its open streams, the last bytes of both, and the lines for its step.
struct ProcessOutput: Sendable {
  /// The last bytes of both streams, in the order of reading.
  private(set) var tail: OutputTail
  private var step: StepOutput?
  private var readsOutput = true
  private var readsErrors: Bool
  /// The stream that printed last.
  private var last = CapturedStream.output

  /// - Parameters:
  ///   - limit: The maximum number of bytes in ``tail``.
  ///   - step: The receiver of the lines and the bytes; `nil` for none.
  init(of process: Subprocess, keeping limit: Int = 1 << 16, step: StepOutput?) {
    tail = OutputTail(limit: limit)
    self.step = step
    readsErrors = process.descriptor(of: .errors) != nil
  }

  /// True until both streams have ended.
  var isOpen: Bool { readsOutput || readsErrors }

  /// Returns the descriptors of the streams that have not ended.
  func descriptors(of process: Subprocess) -> [Int32] {
    let output = readsOutput ? process.descriptor(of: .output) : nil
    let errors = readsErrors ? process.descriptor(of: .errors) : nil
    return [output, errors].compactMap(\.self)
  }

  /// Reads the available output and returns the lines that it completes. Record these lines with no lock held.
  mutating func read(from process: Subprocess) -> [OutputLine] {
    if readsOutput { readsOutput = read(.output, of: process) }
    if readsErrors { readsErrors = read(.errors, of: process) }
    return step?.takeLines() ?? []
  }

  /// Returns the last line of each stream that does not end with a line feed. Call it when the process has ended.
  mutating func finish() -> [OutputLine] {
    step?.finish()
    return step?.takeLines() ?? []
  }

  /// Makes ``read(from:)`` return every line from now on, even if the launch uses only the last line of each read.
  mutating func follow() { step?.isFollowed = true }

  private mutating func read(_ stream: CapturedStream, of process: Subprocess) -> Bool {
    process.readOutput(stream) { bytes in
      // The streams share the tail, but not their lines.
      if last != stream, tail.endsInsideLine { tail.append([UInt8(ascii: "\n")]) }
      last = stream
      tail.append(bytes)
      step?.append(bytes, from: stream)
    }
  }
}
