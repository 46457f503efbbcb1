import AppBootSystem

/// What stands in a journal behind the launch: the lists that ran for events.
///
/// The first line of a list says what was to run, as a journal's does; every further one is an event of its run, in an
/// envelope of its own, so that a reader that knows only launches passes over it. Each line is one write.
struct EventListLog: Sendable {
  /// The kinds of the lines: the first one of a list, and those after it.
  static let (beginning, inside) = ("eventStarted", "inEvent")
  /// Above so many bytes the oldest lists are let go of, until half of it is left.
  static let limit = 1 << 20
  /// Above so many bytes only the beginnings and ends of steps and lists are written.
  static let hardLimit = 4 << 20

  private struct List: Sendable {
    let number: Int
    /// Where its first line stands.
    var place: Int
    var hasEnded = false
    /// What its processes printed and is not written, by step.
    var heldBack: [Int: StartupEvent] = [:]
  }

  private var isWanted = false
  private var file: ExclusiveFile?
  /// Where the launch ends, and where the file ends.
  private var (start, end) = (0, 0)
  private var count = 0
  private var lists: [List] = []
  private var problem: String?

  /// Lists will follow the launch.
  mutating func expectLists() { isWanted = true }

  /// The journal of the launch is complete and kept; answers whether lists will follow in it.
  mutating func follow(_ file: ExclusiveFile) -> Bool {
    guard isWanted, let length = file.length else { return false }
    self.file = file
    (start, end) = (length, length)
    return true
  }

  /// The number of a list that is to run; `nil` where nothing is kept.
  mutating func number() -> Int? {
    guard file != nil else { return nil }
    count += 1
    return count
  }

  /// The list begins; the record says what is known before it does.
  mutating func begin(_ list: Int, _ event: EventRecord) {
    shorten()
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", Self.beginning)
      writer.member("list", list)
      event.write(to: &writer) { event.record.writeBeginning(to: &$0) }
    }
    lists.append(List(number: list, place: end))
    write(&writer)
  }

  /// Something happened in the list, so many nanoseconds after the launch began.
  mutating func add(_ event: StartupEvent, to number: Int, in outline: LaunchOutline, at time: Int64) {
    guard let index = lists.lastIndex(where: { $0.number == number }) else { return }
    if case .output(let step, _, _) = event.kind, end - start > Self.limit {
      lists[index].heldBack[step] = event
      return
    }
    guard end - start <= Self.hardLimit || event.kind.isBeginningOrEnd else { return }
    if let output = event.kind.step.flatMap({ lists[index].heldBack.removeValue(forKey: $0) }) {
      write(output, of: number, in: outline, at: time)
    }
    write(event, of: number, in: outline, at: time)
    if case .launchEnded = event.kind { lists[index].hasEnded = true }
  }

  /// What could not be written and was not told yet.
  mutating func takeProblem() -> String? { problem.take() }

  private mutating func write(_ event: StartupEvent, of list: Int, in outline: LaunchOutline, at time: Int64)
  {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", Self.inside)
      writer.member("at", time)
      writer.member("list", list)
      writer.key("is")
      event.write(to: &writer, in: outline)
    }
    write(&writer)
  }

  private mutating func write(_ writer: inout JSONWriter) {
    writer.endLine()
    attempt { file throws(SystemError) in try file.append(writer.bytes) }
    end += writer.bytes.count
  }

  /// Lets go of the oldest lists where there are too many lines; of none that runs, nor of what is behind it.
  private mutating func shorten() {
    guard end - start > Self.limit else { return }
    let running = lists.firstIndex { !$0.hasEnded } ?? lists.count
    let recent = lists.firstIndex { end - $0.place <= Self.limit / 2 } ?? lists.count
    let count = min(running, recent)
    guard count > 0 else { return }
    let removed = start..<(count < lists.count ? lists[count].place : end)
    attempt { file throws(SystemError) in try file.removeBytes(removed) }
    lists.removeFirst(count)
    for index in lists.indices { lists[index].place -= removed.count }
    end -= removed.count
  }

  /// Nothing more is written after the first time that the system refuses.
  private mutating func attempt(_ body: (ExclusiveFile) throws(SystemError) -> Void) {
    guard let file else { return }
    do throws(SystemError) {
      try body(file)
    } catch {
      self.file = nil
      problem = "what runs for events is not recorded any further: \(error.description)"
    }
  }
}

extension StartupEvent.Kind {
  /// Whether it says which step runs, or how a step or the list ended.
  fileprivate var isBeginningOrEnd: Bool {
    switch self {
    case .started, .ended, .launchEnded: true
    case .launchStarted, .ready, .retrying, .overran, .noted, .output, .spanStarted, .spanEnded, .valueRead,
      .valueProvided, .emitted, .declined, .usedCPU, .undoStarted, .undoEnded, .markedHealthy, .cancelled:
      false
    }
  }
}
