import AppBootSystem

/// The part of a journal after the launch, which has the runs of event handlers.
///
/// The first line of a run describes its steps, as a journal's first line does. Each further line has an event of the
/// run as the member `data` of an object. A reader that knows only launches skips these lines. Each line is one write.
struct EventListLog: Sendable {
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
  /// The offsets of the end of the launch and of the end of the file.
  private var (start, end) = (0, 0)
  private var count = 0
  private var runs: [Run] = []
  private var problem: String?

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

  /// Returns the write error that was not reported yet, and marks it as reported; `nil` if there is none.
  mutating func takeProblem() -> String? { problem.take() }

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
    writer.endLine()
    attempt { file throws(SystemError) in try file.append(writer.bytes) }
    end += writer.bytes.count
  }

  /// Removes the oldest runs if the lines have become too long. Runs that have not ended, and those after them, remain.
  private mutating func shorten() {
    guard end - start > Self.limit else { return }
    let running = runs.firstIndex { !$0.hasEnded } ?? runs.count
    let recent = runs.firstIndex { end - $0.place <= Self.limit / 2 } ?? runs.count
    let count = min(running, recent)
    guard count > 0 else { return }
    let removed = start..<(count < runs.count ? runs[count].place : end)
    attempt { file throws(SystemError) in try file.removeBytes(removed) }
    runs.removeFirst(count)
    for index in runs.indices { runs[index].place -= removed.count }
    end -= removed.count
  }

  /// Calls a function that writes to the file. After the first error, nothing more is written.
  private mutating func attempt(_ body: (ExclusiveFile) throws(SystemError) -> Void) {
    guard let file else { return }
    do throws(SystemError) {
      try body(file)
    } catch {
      self.file = nil
      problem = "event handlers are no longer recorded: \(error.description)"
    }
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
