import AppBoot
import AppBootSystem

/// The part of a journal after the launch, which has the runs of event handlers.
///
/// The first line of a run describes its steps, as a journal's first line does. Each further line has an event of the
/// run as the member `data` of an object. A reader that knows only launches skips these lines.
///
/// It does not write: it collects what has to change in the file, for a thread that may wait for the disk.
struct EventListLog: Sendable {
  /// A change of the file.
  struct Batch: Sendable {
    fileprivate let file: ExclusiveFile
    fileprivate let removed: Range<Int>
    fileprivate let bytes: [UInt8]

    /// Writes the change, with one write for all new lines.
    func write() throws(SystemError) {
      if !removed.isEmpty { try file.removeBytes(removed) }
      if !bytes.isEmpty { try file.append(bytes) }
    }
  }

  /// The kinds of the lines: that of the first line of a run, and that of its other lines.
  static let (beginning, inside) = ("handlersStarted", "handlersEvent")
  /// The size in bytes above which the oldest runs are removed, until at most half of it is left.
  static let limit = 1 << 20
  /// The size in bytes above which only the starts and ends of steps and runs are written.
  static let hardLimit = 4 << 20

  private struct Run: Sendable {
    let number: Int
    /// The offset of the first line of the run.
    var place: Int
    var hasEnded = false
    /// The last output of each step that was not written yet.
    var heldBack: [Int: StartupEvent] = [:]
  }

  private var isWanted = false
  private var file: ExclusiveFile?
  /// The offsets of the end of the launch and of the end of the file, once all is written.
  private var (start, end) = (0, 0)
  /// The lines that are not written yet.
  private var batch: [UInt8] = []
  /// The number of bytes after ``start`` that must be removed from the file before.
  private var removed = 0
  private var count = 0
  private var runs: [Run] = []

  /// Makes ``follow(_:)`` keep the journal open, because event handlers will follow the launch.
  mutating func expectHandlers() { isWanted = true }

  /// Takes over the journal of a launch that has ended and whose record is stored.
  ///
  /// Returns false if no event handlers will follow, or if the length of the file is unknown. The caller must close the
  /// file then.
  mutating func follow(_ file: ExclusiveFile) -> Bool {
    guard isWanted, let length = file.length else { return false }
    self.file = file
    (start, end) = (length, length)
    return true
  }

  /// True if lines wait to be written, or pruned lines to be removed.
  var hasBatch: Bool { removed > 0 || !batch.isEmpty }

  /// True if every line of output is written; otherwise only the last one of each step.
  var takesOutput: Bool { file != nil && end - start <= Self.limit }

  /// Returns the change that waits; `nil` without one. The caller writes it before it takes the next one.
  mutating func takeBatch() -> Batch? {
    guard let file, hasBatch else { return nil }
    defer { (batch, removed) = ([], 0) }
    return Batch(file: file, removed: start..<(start + removed), bytes: batch)
  }

  /// Drops what waits and what comes, after a write error.
  mutating func close() { (file, batch, removed) = (nil, [], 0) }

  /// Returns the number of the next run; `nil` if runs are not recorded.
  mutating func number() -> Int? {
    guard file != nil else { return nil }
    count += 1
    return count
  }

  /// Writes the first line of a run. The record has the facts that are known before the run starts.
  mutating func begin(_ run: Int, _ event: EventRecord) {
    shorten()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", Self.beginning)
      writer.member("run", run)
      event.write(to: &writer) { event.record.writeBeginning(to: &$0) }
    }
    runs.append(Run(number: run, place: end))
    write(&writer)
  }

  /// Adds an event of a run.
  ///
  /// - Parameter time: The nanoseconds from the start of the launch to the event.
  mutating func add(_ event: StartupEvent, to number: Int, in outline: LaunchOutline, at time: Int64) {
    guard let index = runs.lastIndex(where: { $0.number == number }) else { return }
    if case .output(let step, _, _, _) = event.kind, end - start > Self.limit {
      runs[index].heldBack[step] = event
      return
    }
    guard end - start <= Self.hardLimit || event.kind.isBeginningOrEnd else { return }
    if let output = event.kind.step.flatMap({ runs[index].heldBack.removeValue(forKey: $0) }) {
      write(output, of: number, in: outline, at: time)
    }
    write(event, of: number, in: outline, at: time)
    if case .launchEnded = event.kind { runs[index].hasEnded = true }
  }

  /// Adds an event of the launch that occurred after its end.
  mutating func add(_ event: StartupEvent, in outline: LaunchOutline) {
    var writer = JSONWriter()
    event.write(to: &writer, in: outline)
    write(&writer)
  }

  private mutating func write(_ event: StartupEvent, of run: Int, in outline: LaunchOutline, at time: Int64) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", Self.inside)
      writer.member("at", time)
      writer.member("run", run)
      writer.key("data")
      event.write(to: &writer, in: outline)
    }
    write(&writer)
  }

  private mutating func write(_ writer: inout JSONWriter) {
    guard file != nil else { return }
    writer.endLine()
    batch += writer.bytes
    end += writer.bytes.count
  }

  /// Removes the oldest runs if the lines have become too long. Runs that have not ended, and those after them, remain.
  private mutating func shorten() {
    guard end - start > Self.limit else { return }
    let running = runs.firstIndex { !$0.hasEnded } ?? runs.count
    let recent = runs.firstIndex { end - $0.place <= Self.limit / 2 } ?? runs.count
    let count = min(running, recent)
    guard count > 0 else { return }
    let pruned = (count < runs.count ? runs[count].place : end) - start
    // Lines that wait are not in the file.
    let stored = min(pruned, end - start - batch.count)
    removed += stored
    batch.removeFirst(pruned - stored)
    runs.removeFirst(count)
    for index in runs.indices { runs[index].place -= pruned }
    end -= pruned
  }
}

extension StartupEvent.Kind {
  /// True if the event is the start or end of a step, or the end of a run.
  fileprivate var isBeginningOrEnd: Bool {
    switch self {
    case .started, .ended, .killed, .launchEnded: true
    case .launchStarted, .ready, .retrying, .overran, .noted, .announced, .processStarted, .output,
      .spanStarted,
      .spanEnded,
      .valueRead, .valueProvided, .emitted, .declined, .usedCPU, .undoStarted, .undoEnded, .markedHealthy,
      .cancelled:
      false
    }
  }
}
