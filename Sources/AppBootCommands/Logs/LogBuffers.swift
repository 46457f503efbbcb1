import AppBoot
import AppBootSystem

/// The output of the steps that is not in the logs yet.
struct LogBuffers: Sendable {
  /// The nanoseconds after which the beginning of a line is written without its end.
  static let lineTime: Int64 = 200_000_000

  /// The bytes that are not written yet, those of the current write included.
  private(set) var count = 0
  private var buffers: [StepBuffer] = []
  /// The indices of the buffers by the steps' ids.
  private var indices: [String: Int] = [:]
  /// The buffers that have something to write.
  private var waiting: [Int] = []
  /// The buffers that hold back the beginning of a line, and some that no longer do.
  private var holding: [Int] = []
  /// True while the writing thread has work that it took.
  private var isWriting = false

  /// True if nothing waits and nothing is being written; the beginnings of lines may be held back.
  var isSettled: Bool { waiting.isEmpty && !isWriting }

  /// True if something waits to be written.
  var hasWork: Bool { !waiting.isEmpty }

  /// True if something waits or is held back.
  var needsWriter: Bool { !waiting.isEmpty || !holding.isEmpty }

  /// Returns the index of a step's buffer, which is new for a new step.
  mutating func index(ofStep id: String, launch: String) -> Int {
    if let index = indices[id] { return index }
    buffers.append(StepBuffer(step: id, launch: launch))
    indices[id] = buffers.count - 1
    return buffers.count - 1
  }

  /// Begins the output of another process.
  mutating func begin(_ index: Int) { buffers[index].joiner.beginProcess() }

  /// Appends output.
  ///
  /// - Parameters:
  ///   - now: The time of the monotonic clock in nanoseconds.
  ///   - time: The time of the day in microseconds.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, from stream: CapturedStream, to index: Int, at now: Int64, _ time: Int64
  ) {
    queue(index, adding: buffers[index].append(bytes, from: stream, at: now, time))
    if buffers[index].joiner.heldSince != nil, !buffers[index].isListed {
      buffers[index].isListed = true
      holding.append(index)
    }
  }

  /// Ends the output of a process: its last line is written without its end, and the files are closed.
  mutating func end(_ index: Int, at time: Int64) {
    buffers[index].isEnding = true
    queue(index, adding: buffers[index].flush(at: time))
  }

  /// Adds a receiver of the log's location.
  mutating func add(_ receiver: @escaping LogWork.Receiver, to index: Int) {
    buffers[index].receivers.append(receiver)
    queue(index)
  }

  /// Makes the beginnings of lines that are held back wait to be written.
  mutating func flush(heldBy limit: Int64 = .max, at time: Int64) {
    for index in holding { queue(index, adding: buffers[index].flush(heldBy: limit, at: time)) }
    holding.removeAll { index in
      buffers[index].isListed = buffers[index].joiner.heldSince != nil
      return !buffers[index].isListed
    }
  }

  /// Takes what is to be written. Without any, returns the time at which the next line is written without its end.
  mutating func take(at now: Int64, _ time: Int64) -> (works: [LogWork], due: Int64?) {
    flush(heldBy: now - Self.lineTime, at: time)
    let works = waiting.map { buffers[$0].take($0) }
    waiting = []
    isWriting = !works.isEmpty
    return (works, holding.compactMap { buffers[$0].joiner.heldSince }.min().map { $0 + Self.lineTime })
  }

  /// Frees the room of work that is done.
  mutating func finish(_ work: LogWork) { count -= work.bytes.count }

  /// Ends the writing of the work that was taken.
  mutating func finishAll() { isWriting = false }

  /// Drops the output that waits.
  mutating func discard() {
    for index in buffers.indices { count -= buffers[index].discard() }
    holding = []
  }

  private mutating func queue(_ index: Int, adding count: Int = 0) {
    self.count += count
    guard !buffers[index].isQueued, buffers[index].hasWork else { return }
    buffers[index].isQueued = true
    waiting.append(index)
  }
}

/// The output of one step that the writing thread has taken.
struct LogWork: Sendable {
  typealias Receiver = @Sendable (OutputLogs.Location?) -> Void

  let index: Int
  let step: String
  let launch: String
  let bytes: [UInt8]
  let marks: [LogTimes.Mark]
  /// True if the files are closed afterwards.
  let isEnding: Bool
  /// The stream that printed the unfinished line at the end.
  let open: CapturedStream?
  let receivers: [Receiver]
}

/// The output of one step that is not in its log yet.
private struct StepBuffer: Sendable {
  let step: String
  let launch: String
  var joiner = LineJoiner()
  var isQueued = false
  /// True if the buffer is among those that may hold back the beginning of a line.
  var isListed = false
  var isEnding = false
  var receivers: [LogWork.Receiver] = []
  private var bytes: [UInt8] = []
  private var marks: [LogTimes.Mark] = []

  init(step: String, launch: String) { (self.step, self.launch) = (step, launch) }

  var hasWork: Bool { !bytes.isEmpty || isEnding || !receivers.isEmpty }

  /// Appends output, and returns the number of new bytes to write.
  mutating func append(
    _ new: UnsafeRawBufferPointer, from stream: CapturedStream, at now: Int64, _ time: Int64
  ) -> Int {
    let before = bytes.count
    joiner.append(new, from: stream, at: now, into: &bytes)
    return mark(from: before, of: stream, at: time)
  }

  /// Appends the beginnings of lines, and returns the number of new bytes to write.
  mutating func flush(heldBy limit: Int64 = .max, at time: Int64) -> Int {
    CapturedStream.allCases.reduce(0) { count, stream in
      let before = bytes.count
      joiner.flush(stream, heldBy: limit, into: &bytes)
      return count + mark(from: before, of: stream, at: time)
    }
  }

  mutating func take(_ index: Int) -> LogWork {
    let work = LogWork(
      index: index, step: step, launch: launch, bytes: bytes, marks: marks, isEnding: isEnding,
      open: joiner.openStream, receivers: receivers)
    (bytes, marks, receivers) = ([], [], [])
    (isQueued, isEnding) = (false, false)
    return work
  }

  /// Drops the bytes, and returns their number.
  mutating func discard() -> Int {
    defer { (bytes, marks, joiner, isListed) = ([], [], LineJoiner(), false) }
    return bytes.count
  }

  private mutating func mark(from offset: Int, of stream: CapturedStream, at time: Int64) -> Int {
    if bytes.count > offset { marks.append(LogTimes.Mark(offset: offset, time: time, stream: stream)) }
    return bytes.count - offset
  }
}
