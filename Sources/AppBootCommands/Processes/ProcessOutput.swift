package import AppBoot
import AppBootSystem

/// A line of output for a probe. Its secrets are not masked.
struct ProbedLine: Sendable, Hashable {
  let text: String
  /// False for a piece of a longer line. It may begin or end inside a secret, which masking does not find.
  var isWhole = true
}

/// The captured output of a process: its streams, the last bytes of both, and the lines for the step.
///
/// Secrets are masked as soon as the output is read, so neither ``tail`` nor the step contains them. Only a probe
/// receives the unmasked output. While the reader of the launch's output is behind, reading from a process whose lines
/// are shown pauses. The process then waits when its pipe is full.
struct ProcessOutput: Sendable {
  /// The maximum number of bytes of standard output that another step can insert with a placeholder.
  static let insertedLimit = 1 << 16
  /// The lengths of the first and the longest pause while the reader of the launch's output is behind, in nanoseconds.
  private static let (firstPause, longestPause): (Int64, Int64) = (5_000_000, 80_000_000)

  /// The last bytes of both streams, in the order in which they were read.
  private(set) var tail: OutputTail
  /// The bytes of standard output that other steps insert with a placeholder; `nil` if no step inserts them.
  private var inserted: [UInt8]?
  private var step: StepOutput?
  /// The lines for a probe, whose secrets are not masked; `nil` if no probe needs lines.
  private var probed: [ProbedLine]?
  private var streams: PerStream<Stream>
  /// The time of the monotonic clock at which reading continues; `nil` if reading is not paused.
  private(set) var resumesAt: Int64?
  private var pause = firstPause
  /// False after ``endPauses()``: the process must end, so reading no longer pauses.
  private var mayPause = true
  /// The stream from which the last bytes came.
  private var last = CapturedStream.output

  /// Creates the output of a started process, without bytes.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes in ``tail``.
  ///   - secrets: The secrets to mask.
  ///   - step: The receiver of the lines and the bytes; `nil` for none.
  ///   - isInserted: True if other steps insert the standard output with a placeholder.
  ///   - isProbed: True if a probe needs the lines.
  init(
    of process: Subprocess, keeping limit: Int = 1 << 16, hiding secrets: Secrets, step: StepOutput?,
    isInserted: Bool = false, isProbed: Bool = false
  ) {
    inserted = isInserted ? [] : nil
    probed = isProbed ? [] : nil
    tail = OutputTail(limit: limit)
    self.step = step
    streams = PerStream(Stream(filter: SecretFilter(secrets)))
    streams[.errors].isOpen = process.descriptor(of: .errors) != nil
  }

  /// The standard output for other steps, without its final newline.
  ///
  /// It is `nil` if no step inserts it, or if it is longer than ``insertedLimit``.
  var insertedText: String? {
    guard var bytes = inserted, bytes.count <= Self.insertedLimit else { return nil }
    if bytes.last == UInt8(ascii: "\n") {
      bytes.removeLast()
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the lines for the probe that were read since the last call. Their secrets are not masked.
  mutating func takeProbedLines() -> [ProbedLine] {
    defer { if probed != nil { probed = [] } }
    return probed ?? []
  }

  /// Ends the current pause, and prevents further ones. A process that is asked to stop must be able to print.
  mutating func endPauses() {
    mayPause = false
    if resumesAt != nil { resumesAt = MonotonicClock.now() }
  }

  /// Stops collecting lines for the probe.
  mutating func endProbe() { probed = nil }

  /// True until both streams have ended.
  var isOpen: Bool { CapturedStream.allCases.contains { streams[$0].isOpen } }

  /// Returns the descriptors of the streams that have not ended; empty during a pause.
  func descriptors(of process: Subprocess) -> [Int32] {
    guard resumesAt == nil else { return [] }
    return CapturedStream.allCases.compactMap { streams[$0].isOpen ? process.descriptor(of: $0) : nil }
  }

  /// Reads the available output, and returns the lines that are now complete. Record these lines with no lock held.
  ///
  /// - Parameter isShown: True if the launch shows the lines without being asked to show those of all steps.
  mutating func read(from process: Subprocess, isShown: Bool = false) -> [OutputLine] {
    let isPaused = mayPause && isOpen && step?.mustWait(isShown: isShown) == true
    resumesAt = isPaused ? MonotonicClock.now() + pause : nil
    pause = isPaused ? min(2 * pause, Self.longestPause) : Self.firstPause
    if isPaused { return [] }
    readOpenStreams(of: process, isShort: step?.usesEveryLine ?? false)
    return step?.takeLines() ?? []
  }

  /// Reads the rest of the output, and returns its lines. Call it when the process has ended.
  ///
  /// The last line of each stream is returned even if it does not end with a line feed.
  mutating func finish(_ process: Subprocess) -> [OutputLine] {
    // The last read may have stopped just before the end of a stream.
    readOpenStreams(of: process)
    // A stream that is still open may continue a secret: its reader gets the beginning.
    for stream in CapturedStream.allCases where !streams[stream].isOpen { finish(stream) }
    step?.finish()
    return step?.takeLines() ?? []
  }

  /// Adds the last bytes of each stream, which were held back because they may begin a secret. Returns their lines.
  ///
  /// Call it when nothing more is read from the process. Returns `nil` if no bytes were held back.
  mutating func flush() -> [OutputLine]? {
    guard unfinishedSecrets.contains(where: { !$0.isEmpty }) else { return nil }
    for stream in CapturedStream.allCases { finish(stream) }
    step?.finish()
    return step?.takeLines() ?? []
  }

  /// The last bytes of both streams, including the bytes that are held back because they may begin a secret.
  var completeTail: OutputTail {
    var complete = self
    complete.step = nil
    _ = complete.flush()
    return complete.tail
  }

  /// The bytes at the end of each stream that are held back because they may begin a secret, in the streams' order.
  var unfinishedSecrets: [[UInt8]] { CapturedStream.allCases.map { streams[$0].filter.unfinished } }

  private mutating func readOpenStreams(of process: Subprocess, isShort: Bool = false) {
    for stream in CapturedStream.allCases where streams[stream].isOpen {
      streams[stream].isOpen = read(stream, of: process, isShort: isShort)
    }
  }

  private mutating func read(_ stream: CapturedStream, of process: Subprocess, isShort: Bool) -> Bool {
    process.readOutput(stream, isShort: isShort) { bytes in
      // One byte more than the limit shows that the output is too long.
      if stream == .output, let count = inserted?.count {
        inserted?.append(contentsOf: bytes.prefix(Self.insertedLimit + 1 - count))
      }
      if probed != nil { addProbed(bytes, from: stream) }
      filter(stream) { filter, pass in filter.append(bytes, pass) }
    }
  }

  private mutating func addProbed(_ bytes: UnsafeRawBufferPointer, from stream: CapturedStream) {
    var (lines, isCut) = (streams[stream].lines, streams[stream].isCut)
    lines.append(bytes) { piece in
      // A piece is cut between two characters, which have up to four bytes.
      let endsCut = piece.count > LineSplitter.limit - 4
      probed?.append(ProbedLine(text: String(outputLine: piece), isWhole: !isCut && !endsCut))
      isCut = endsCut
    }
    (streams[stream].lines, streams[stream].isCut) = (lines, isCut)
  }

  private mutating func finish(_ stream: CapturedStream) {
    filter(stream) { filter, pass in filter.finish(pass) }
  }

  private mutating func filter(
    _ stream: CapturedStream,
    _ body: (inout SecretFilter, (UnsafeRawBufferPointer) -> Void) -> Void
  ) {
    var filter = streams[stream].filter
    body(&filter) { append($0, from: stream) }
    streams[stream].filter = filter
  }

  /// Appends bytes whose secrets are already masked.
  private mutating func append(_ bytes: UnsafeRawBufferPointer, from stream: CapturedStream) {
    // The streams share the tail, but not their lines.
    if last != stream, tail.endsInsideLine { tail.append([UInt8(ascii: "\n")]) }
    last = stream
    tail.append(bytes)
    step?.append(bytes, from: stream)
  }

  private struct Stream: Sendable {
    var filter: SecretFilter
    /// The splitter that makes the lines for a probe.
    var lines = LineSplitter()
    /// True if the last line for the probe may be the first piece of a longer one.
    var isCut = false
    /// True until the stream has ended.
    var isOpen = true
  }
}

/// The output of a step's process. Its lines become events, and its bytes are written to the step's log.
struct StepOutput: Sendable {
  private let context: LaunchContext
  private let isFollowed: Bool
  private var logs: OutputLogs? { context.session.environment.host.logs as? OutputLogs }
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
    logs?.isBehind == true || context.session.environment.host.isReaderBehind(isShown)
  }

  /// True if every line is collected, because an observer or the sink uses it.
  var usesEveryLine: Bool { isFollowed || context.session.recorder.usesEveryLine }

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

/// A filter that replaces secrets in a stream of bytes with `***`.
///
/// The result does not depend on how the stream is split into chunks. The filter holds back only bytes that may be the
/// beginning of a form of a secret.
package struct SecretFilter: Sendable {
  private let secrets: Secrets
  private var search: SecretSearch?
  private var version = 0
  /// The bytes that are held back.
  private var held: [UInt8] = []
  /// The number of held bytes, from the first on, that belong to a secret whose `***` has already been passed on.
  private var covered = 0

  /// Creates a filter.
  ///
  /// - Parameter held: The bytes of the same stream that a filter in another process has held back.
  package init(_ secrets: Secrets, held: [UInt8] = []) {
    self.secrets = secrets
    self.held = held
  }

  /// The bytes that are held back and were not replaced yet.
  package var unfinished: [UInt8] { Array(held[covered...]) }

  /// Passes the bytes to `body`, with secrets replaced. Holds back bytes at the end that may begin a secret.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard let search = current() else { return body(bytes) }
    guard !held.isEmpty else { return pass(bytes, search, isLast: false, body) }
    let joined = held + bytes
    joined.withUnsafeBytes { pass($0, search, isLast: false, body) }
  }

  /// Passes the bytes that are held back to `body`. Call it at the end of the stream.
  package mutating func finish(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard !held.isEmpty, let search = current() else { return }
    let rest = held
    rest.withUnsafeBytes { pass($0, search, isLast: true, body) }
  }

  private mutating func current() -> SecretSearch? {
    if secrets.version != version { (search, version) = secrets.search }
    return search
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, _ search: SecretSearch, isLast: Bool,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let end = isLast ? bytes.count : search.openEnd(of: bytes)
    let (passed, secretEnd) = search.replacing(in: bytes, from: covered, to: end)
    held = Array(bytes[end...])
    covered = max(0, secretEnd - end)
    if !passed.isEmpty { passed.withUnsafeBytes(body) }
  }
}

extension SecretSearch {
  /// Returns the first offset from which on all remaining bytes are the beginning of a longer form.
  ///
  /// Returns the number of bytes if there is no such offset.
  fileprivate func openEnd(of bytes: UnsafeRawBufferPointer) -> Int {
    (max(0, bytes.count - longest + 1)..<bytes.count).first { start in
      let rest = bytes[start...]
      return forms[Int(bytes[start])].contains { $0.count > rest.count && $0.starts(with: rest) }
    } ?? bytes.count
  }
}
