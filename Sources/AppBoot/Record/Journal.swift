/// The events of a launch as they were written down while it ran: what is left of one that was killed.
///
/// The first line says what was to be launched (``formatName``), every further one is an event. A last line
/// that was cut off is what a killed process leaves. Any other line that cannot be read is reported in
/// ``damage`` and skipped.
public struct Journal: Sendable {
  /// What a journal's first line says of itself under `format`.
  public static let formatName = "appboot-journal"

  /// A line that could not be read.
  public struct Damage: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// What is wrong with it.
    public let message: String

    /// `line 7: what is wrong`
    public var description: String { "line \(line): \(message)" }
  }

  /// What the events add up to; its outcome is `running` where the launch did not reach its end.
  public private(set) var record: StartupRecord
  /// The events, in order.
  public private(set) var events: [StartupEvent] = []
  /// The lines that could not be read, in order.
  public private(set) var damage: [Damage] = []
  /// Whether the last line was cut off.
  public private(set) var isTorn = false
  /// The process that wrote it; `nil` where the journal does not say.
  public let process: Int32?
  /// Whether that process began under a debugger.
  public let wasDebugged: Bool

  /// Reads a journal; linear in its length.
  ///
  /// - Throws: ``RecordError`` where the first line is not a journal's, or of a newer version.
  public init(_ source: SourceText) throws(RecordError) {
    var lines = JournalLines(source)
    guard let first = lines.next() else { throw .notARecord(file: source.name, format: nil) }
    var header = try RecordReader(first.text, format: Self.formatName)
    record = try header.record()
    process = try header.process()
    wasDebugged = try header.wasDebugged()
    while let line = lines.next() { read(line, with: header) }
  }

  /// The steps that had started and not ended when the journal ends, in manifest order.
  public var running: [StepRecord] { record.filter { $0.state == .running } }

  /// Whether the launch reached its end.
  public var hasEnded: Bool { record.outcome != .running }

  private mutating func read(_ line: JournalLines.Line, with header: RecordReader) {
    do throws(RecordError) {
      guard let event = try StartupEvent(reading: line.text, with: header) else { return }
      // What a damaged line would have said may be missing, so that the fold checks nothing here.
      record.apply(event)
      events.append(event)
    } catch {
      if line.isLast, !line.isWhole {
        isTorn = true
      } else {
        damage.append(Damage(line: line.number, message: error.summary))
      }
    }
  }
}

extension RecordError {
  /// What is wrong, in one line.
  var summary: String {
    switch self {
    case .notJSON(let error): "not JSON: \(error.diagnostics.first?.message ?? "")"
    case .damaged(let diagnostic, _): diagnostic.message
    case .notARecord, .newerVersion, .unreadable: description
    }
  }
}

/// The lines of a journal that are not empty, each as a text of its own.
struct JournalLines {
  struct Line {
    let number: Int
    let text: SourceText
    /// Whether a line feed ends it.
    let isWhole: Bool
    let isLast: Bool
  }

  private let source: SourceText
  private var position = 0
  private var number = 0

  init(_ source: SourceText) {
    self.source = source
  }

  mutating func next() -> Line? {
    let bytes = source.bytes
    while position < bytes.count {
      let start = position
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      position = end.map { $0 + 1 } ?? bytes.count
      number += 1
      let line = bytes[start..<(end ?? bytes.count)]
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
      return Line(
        number: number, text: SourceText(name: source.name, bytes: Array(line)), isWhole: end != nil,
        isLast: position == bytes.count)
    }
    return nil
  }
}
