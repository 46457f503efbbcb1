import AppBoot
import AppBootSystem

/// The output of a step's process. Its lines become events, and its bytes are written to the step's log.
struct StepOutput: Sendable {
  private let context: LaunchContext
  private let isFollowed: Bool
  private var logs: OutputLogs? { context.host.environment.logs as? OutputLogs }
  private var splitters = PerStream(LineSplitter())
  private var log: OutputLogs.Log?
  private var lines: [OutputLine] = []

  /// Creates the output of a step's process.
  ///
  /// - Parameter isFollowed: True to collect every line, even lines that the launch does not use.
  init(of context: LaunchContext, isFollowed: Bool = false) {
    (self.context, self.isFollowed) = (context, isFollowed)
  }

  /// Returns true while the process's output must not be read: the disk of the logs is too slow, or the output is shown
  /// and its reader is too slow. The process waits when its pipe is full.
  func mustWait(isShown: Bool) -> Bool {
    logs?.isBehind == true || context.host.environment.isReaderBehind(isShown)
  }

  /// True if every line is collected, because an observer or the sink uses it.
  var usesEveryLine: Bool { isFollowed || context.host.usesEveryLine }

  /// Writes output of the process to the step's log, and collects its lines. Collects only the last line if
  /// ``usesEveryLine`` is false.
  mutating func append(_ bytes: UnsafeRawBufferPointer, from stream: CapturedStream) {
    if let logs {
      let log = log ?? logs.begin(ofStep: context.stepID, launch: context.launchID)
      logs.append(bytes, from: stream, to: log)
      self.log = log
    }
    var new: [OutputLine] = []
    if usesEveryLine {
      splitters[stream].append(bytes) { new.append(OutputLine($0, on: stream)) }
      lines += new
    } else {
      splitters[stream].appendSkippingToLast(bytes) { new.append(OutputLine($0, on: stream)) }
      lines += new.suffix(1)
    }
  }

  /// Collects the last line of each stream, even if it does not end with a line feed, and writes it to the log.
  mutating func finish() {
    if let log { logs?.end(log) }
    for stream in CapturedStream.allCases {
      var new: [OutputLine] = []
      splitters[stream].finish { new.append(OutputLine($0, on: stream)) }
      lines += new
    }
  }

  /// Returns the lines collected since the last call. Record these lines with no lock held.
  mutating func takeLines() -> [OutputLine] {
    defer { lines = [] }
    return lines
  }
}

extension OutputLine {
  fileprivate init(_ bytes: UnsafeRawBufferPointer, on stream: CapturedStream) {
    self.init(String(outputLine: bytes), on: stream == .output ? .stdout : .stderr)
  }
}

extension String {
  /// Creates the text of a line from its bytes, with U+FFFD for invalid UTF-8 and without a carriage return at its end.
  init(outputLine bytes: UnsafeRawBufferPointer) {
    let isDOS = bytes.last == UInt8(ascii: "\r")
    self.init(
      decoding: UnsafeRawBufferPointer(rebasing: isDOS ? bytes.dropLast() : bytes[...]), as: UTF8.self)
  }
}
