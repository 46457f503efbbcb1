package import AppBoot

/// The events of a launch as they were written while it ran. A launch that was killed thus has a record too.
///
/// The first line describes the launch (``formatName``). Each further line is an event. If the process was killed, the
/// last line may be cut off. Any other line that cannot be read is skipped, and reported in ``damage``.
package struct Journal: Sendable {
  /// The value of `format` in a journal's first line.
  package static let formatName = "appboot-journal"

  /// The kinds of lines after the launch: the beginning of a run of event handlers, and its end with its record.
  static let (handlersStarted, handlersEnded) = ("handlersStarted", "handlersEnded")
  /// The kind of a line with an event of such a run, which earlier versions wrote.
  private static let handlersEvent = "handlersEvent"

  /// A line that could not be read.
  package struct Damage: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The mistake.
    package let message: String

    /// The message with its line, for example `line 7: …`.
    package var description: String { "line \(line): \(message)" }
  }

  /// The maximum number of unreadable lines. Reading stops there.
  static let mostDamage = 1000

  /// The record, which is the fold of the events. Its outcome is `running` if the journal ends before the launch.
  ///
  /// The same is true of the records of event handlers (``LaunchRecord/events``).
  package private(set) var record: LaunchRecord
  /// The events of the launch, in order.
  package private(set) var events: [LaunchEvent] = []
  /// The lines that could not be read, in order; at most 1000. Lines after the thousandth are not examined.
  package private(set) var damage: [Damage] = []
  /// The identifier of the process that wrote the journal; `nil` if the journal does not have it.
  package let process: Int32?
  /// The origin of the state directory in which the journal was written; `nil` if the journal does not have it.
  let origin: String?
  /// True if that process began under a debugger.
  package let wasDebugged: Bool
  /// The runs of event handlers by number: the index of the record, and the steps of the run.
  private var runs: [Int: (place: Int, steps: RecordedSteps)] = [:]

  /// Reads a journal. Takes O(n) in its length.
  ///
  /// - Throws: ``RecordError`` if the first line is not that of a journal, or has a newer version.
  package init(_ source: SourceText) throws(RecordError) {
    var lines = JournalLine.all(of: source).makeIterator()
    guard let first = lines.next() else { throw .notARecord(file: source.name, format: nil) }
    let header = try RecordReader(first.text, format: Self.formatName)
    record = header.record
    let process = try header.root.object("process")
    self.process = try process?.optional("id", .pid)
    origin = try process?.optional("origin", .text)
    wasDebugged = try process?.optional("debugged", .flag) ?? false
    while damage.count < Self.mostDamage, let line = lines.next() { read(line, with: header) }
  }

  /// The steps that were running at the end of the journal, in manifest order.
  package var running: [StepRecord] { record.filter { $0.state == .running } }

  /// The runs of event handlers that had not ended at the end of the journal, in the order of their events.
  package var runningHandlers: [EventRecord] { record.events.filter { $0.record.outcome == .running } }

  /// True if the journal has the end of the launch.
  package var hasEnded: Bool { record.outcome != .running }

  private mutating func read(_ line: JournalLine, with header: RecordReader) {
    do throws(RecordError) {
      let object = try RecordObject(parsing: line.text)
      switch try object.optional("kind", .text) {
      case Self.handlersStarted: try beginRun(object, header)
      case Self.handlersEvent: try continueRun(object)
      case Self.handlersEnded: try endRun(object, header)
      default: try goOn(object, header)
      }
    } catch {
      if !line.isCut { damage.append(Damage(line: line.number, message: error.summary)) }
    }
  }

  private mutating func goOn(_ object: RecordObject, _ header: RecordReader) throws(RecordError) {
    guard let event = try LaunchEvent(reading: object, of: header.steps) else { return }
    // The event of a damaged line may be missing, so the fold checks nothing here.
    record.apply(event)
    events.append(event)
  }

  private mutating func beginRun(_ object: RecordObject, _ header: RecordReader) throws(RecordError) {
    let (event, steps) = try header.event(object)
    runs[try object.required("run", .run)] = (record.events.count, steps)
    record.events.append(event)
  }

  private mutating func continueRun(_ object: RecordObject) throws(RecordError) {
    // A run whose first line is damaged has no steps.
    guard let run = runs[try object.required("run", .run)],
      let inner = try object.object("data"), let event = try LaunchEvent(reading: inner, of: run.steps)
    else { return }
    record.events[run.place].record.apply(event)
  }

  private mutating func endRun(_ object: RecordObject, _ header: RecordReader) throws(RecordError) {
    let (event, _) = try header.event(object)
    if let run = runs[try object.required("run", .run)] {
      record.events[run.place] = event
    } else {
      record.events.append(event)
    }
  }
}

extension RecordForm<Int> {
  /// The number of a run of event handlers.
  fileprivate static var run: Self { .integer(in: 1...Int.max) }
}

extension [Journal.Damage] {
  /// A message with the first unreadable line and the number of the others; `nil` if all lines could be read.
  package var words: String? {
    first.map { count > 1 ? "\($0), and \(count - 1) more" : "\($0)" }
  }
}

extension RecordError {
  /// The mistake as one line.
  package var summary: String {
    switch self {
    case .notJSON(let diagnostics, _): "not JSON: \(diagnostics.first?.message ?? "")"
    case .damaged(let diagnostic, _), .otherText(let diagnostic, _): diagnostic.message
    case .notARecord, .newerVersion, .unreadable: description
    }
  }

  /// The location of the mistake in the text; `nil` if the mistake has no location.
  package var location: SourceLocation? {
    switch self {
    case .notJSON(let diagnostics, let source):
      diagnostics.first.map { SourceLines(source).location(of: Int($0.range.start)) }
    case .damaged(let diagnostic, let source), .otherText(let diagnostic, let source):
      SourceLines(source).location(of: Int(diagnostic.range.start))
    case .notARecord, .newerVersion, .unreadable: nil
    }
  }
}

/// A line of a journal that is not empty, as a separate text.
struct JournalLine {
  let number: Int
  let text: SourceText
  /// True if the line does not end with a line feed.
  let isCut: Bool

  /// Returns the lines of a journal, each when it is needed.
  static func all(of source: SourceText) -> some Sequence<JournalLine> {
    sequence(state: (rest: source.bytes[...], number: 0)) { state in
      while !state.rest.isEmpty {
        let end = state.rest.firstIndex(of: .lineFeed)
        let line = state.rest[..<(end ?? state.rest.endIndex)]
        state.rest = state.rest.dropFirst(line.count + 1)
        state.number += 1
        if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
        return JournalLine(
          number: state.number, text: SourceText(name: source.name, bytes: Array(line)), isCut: end == nil)
      }
      return nil
    }
  }
}
