import AppBoot
import AppBootSystem

/// A running process, watched by a poller: one descriptor for its end, and one for each captured stream.
///
/// It ends when the process does, even if a child of the process still holds a pipe: it reads the output that is in
/// the pipes at that moment. Children in its process group are killed if the process was stopped or did not succeed.
/// Otherwise they continue to run, and the pipes that they hold go to the launch's drain.
final class ProcessOperation: PolledOperation {
  /// Converts the process's end and the tail of its output to a result.
  typealias Verdict = @Sendable (ProcessEnd, OutputTail) -> Result<Void, any Error>

  private struct State: Sendable {
    var tail: OutputTail
    var step: StepOutput?
    var isOutputOpen = true
    var isErrorsOpen = true
    /// The stream that printed last.
    var last = CapturedStream.output
    var isStopped = false
    var hasSucceeded = false

    var hasOpenStreams: Bool { isOutputOpen || isErrorsOpen }
  }

  private let process: Subprocess
  private let exitDescriptor: Int32
  private let streamDescriptors: [Int32]
  private let state: Lock<State>
  private let context: LaunchContext?
  private let most: Int
  private let verdict: Verdict

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - most: It is killed once it has printed more bytes than this.
  ///   - context: The step that receives the output and the process's identifier, if there is one.
  init(
    _ request: ProcessRequest, keeping limit: Int = 1 << 16, atMost most: Int = .max,
    context: LaunchContext? = nil, verdict: @escaping Verdict
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
    streamDescriptors = process.outputDescriptors
    let isApart = streamDescriptors.count > 1
    state = Lock(
      State(
        tail: OutputTail(limit: limit), step: context.map(StepOutput.init), isErrorsOpen: isApart))
    self.context = context
    self.most = most
    self.verdict = verdict
    context?.processStarted(process.processIdentifier)
  }

  var descriptors: [Int32] { [exitDescriptor] }

  var laterDescriptors: [Int32] {
    let (output, errors) = state.withLock { ($0.isOutputOpen, $0.isErrorsOpen) }
    return streamDescriptors.enumerated().filter { $0.offset == 0 ? output : errors }.map(\.element)
  }

  func advance() -> Result<Void, any Error>? {
    // The order matters: at the process's end all of its output is in the pipe.
    let end = process.end()
    readOutput()
    return end.map(conclude)
  }

  func release() {
    let isLeft = state.withLock { $0.hasSucceeded && $0.hasOpenStreams }
    if isLeft, let context, let drain = context.drain { drain(process.takeOutput(), context.stepID) }
    process.finish()
  }

  var cpuTime: Int64? { process.cpuTime }

  var unfinishedLine: String? {
    let line = state.withLock { $0.tail.endsInsideLine ? $0.tail.lastLine : nil }
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
    let (lines, isTooMuch) = state.withLock { state -> ([OutputLine], Bool) in
      if state.isOutputOpen { state.isOutputOpen = read(.output, &state) }
      if state.isErrorsOpen { state.isErrorsOpen = read(.errors, &state) }
      return (state.step?.takeLines() ?? [], state.tail.totalCount > most)
    }
    context?.output(lines)
    if isTooMuch, process.end() == nil { process.killGroup(Signals.kill) }
  }

  private func read(_ stream: CapturedStream, _ state: inout State) -> Bool {
    process.readOutput(stream) { bytes in
      // The streams share the tail, but not their lines.
      if state.last != stream, state.tail.endsInsideLine { state.tail.append([UInt8(ascii: "\n")]) }
      state.last = stream
      state.tail.append(bytes)
      state.step?.append(bytes, from: stream)
    }
  }

  private func conclude(_ end: ProcessEnd) -> Result<Void, any Error> {
    let (lines, tail, isStopped) = state.withLock { state in
      state.step?.finish()
      return (state.step?.takeLines() ?? [], state.tail, state.isStopped)
    }
    context?.output(lines)
    let result = isStopped ? .failure(CancellationError()) : verdict(end, tail)
    switch result {
    case .success: state.withLock { $0.hasSucceeded = true }
    case .failure: process.killGroup(Signals.kill)
    }
    return result
  }
}

extension OutputTail {
  /// Whether the last line has no newline yet.
  fileprivate var endsInsideLine: Bool { totalCount > 0 && bytes.last != UInt8(ascii: "\n") }
}
