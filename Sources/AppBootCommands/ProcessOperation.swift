import AppBoot
import AppBootSystem

/// A running process, watched by a poller: one descriptor for its end, one for its output.
///
/// It ends when the process does, even if a child of the process still holds the pipe: it reads the output that is in
/// the pipe at that moment, and abandons the rest. Children in its process group are killed if the process was stopped
/// or did not succeed; otherwise they continue to run.
final class ProcessOperation: PolledOperation {
  /// Converts the process's end and the tail of its output to a result.
  typealias Verdict = @Sendable (ProcessEnd, OutputTail) -> Result<Void, any Error>

  private struct State: Sendable {
    var output: OutputTail
    var isOutputOpen = true
    var isStopped = false
  }

  private let process: Subprocess
  private let exitDescriptor: Int32
  private let outputDescriptor: Int32?
  private let state: Lock<State>
  private let onLine: (@Sendable (String) -> Void)?
  private let most: Int
  private let verdict: Verdict

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - most: It is killed once it has printed more bytes than this.
  ///   - onLine: Receives the last complete line after each read that completes one.
  init(
    _ request: ProcessRequest, keeping limit: Int = 1 << 16, atMost most: Int = .max,
    onLine: (@Sendable (String) -> Void)? = nil,
    verdict: @escaping Verdict
  ) throws(SpawnError) {
    process = try request.start()
    do throws(SystemError) {
      exitDescriptor = try process.exitDescriptor()
    } catch {
      process.killGroup(Signals.kill)
      _ = process.wait()
      process.finish()
      throw .other(error)
    }
    outputDescriptor = process.outputDescriptor
    state = Lock(State(output: OutputTail(limit: limit)))
    self.onLine = onLine
    self.most = most
    self.verdict = verdict
  }

  var descriptors: [Int32] { [exitDescriptor] }

  var laterDescriptors: [Int32] {
    guard let outputDescriptor, state.withLock(\.isOutputOpen) else { return [] }
    return [outputDescriptor]
  }

  func advance() -> Result<Void, any Error>? {
    // The order matters: at the process's end all of its output is in the pipe.
    let end = process.end()
    readOutput()
    return end.map(conclude)
  }

  func release() { process.finish() }

  var cpuTime: Int64? { process.cpuTime }

  var unfinishedLine: String? {
    let line = state.withLock { $0.output.endsInsideLine ? $0.output.lastLine : nil }
    // What draws its progress begins the same line again.
    return line?.split(separator: "\r").last.map(String.init)
  }

  func stop(isForced: Bool) {
    guard process.end() == nil else { return }
    state.withLock { $0.isStopped = true }
    process.killGroup(isForced ? Signals.kill : Signals.terminate)
    // A suspended process would not see the signal before it is resumed.
    if !isForced { process.killGroup(Signals.resume) }
  }

  private func readOutput() {
    let (line, isTooMuch) = state.withLock { state -> (String?, Bool) in
      guard state.isOutputOpen, outputDescriptor != nil else { return (nil, false) }
      var endsLine = false
      state.isOutputOpen = process.readOutput { bytes in
        state.output.append(bytes)
        endsLine = endsLine || (onLine != nil && bytes.contains(UInt8(ascii: "\n")))
      }
      return (endsLine ? state.output.lastFullLine : nil, state.output.totalCount > most)
    }
    if let line { onLine?(line) }
    if isTooMuch, process.end() == nil { process.killGroup(Signals.kill) }
  }

  private func conclude(_ end: ProcessEnd) -> Result<Void, any Error> {
    let (output, isStopped) = state.withLock { ($0.output, $0.isStopped) }
    if let onLine, output.endsInsideLine, let line = output.lastLine { onLine(line) }
    let result = isStopped ? .failure(CancellationError()) : verdict(end, output)
    if case .failure = result { process.killGroup(Signals.kill) }
    return result
  }
}

extension OutputTail {
  /// Whether the last line has no newline yet.
  fileprivate var endsInsideLine: Bool { totalCount > 0 && bytes.last != UInt8(ascii: "\n") }
}
