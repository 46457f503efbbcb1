/// The times of the lines of one log file, as the file beside it has them.
///
/// The first line has the version, the launch, the number of the log file within the launch, and the time of its first
/// byte. Each further line has two differences to the line before: bytes, and microseconds.
///
/// ```
/// appboot-times 1 20261122T102140.123Z-991 0 1795342900123456
/// 81 1042
/// ```
package struct LogTimes: Sendable {
  /// The time from an offset in the log file on, in microseconds since 1970-01-01T00:00:00Z.
  package struct Mark: Sendable, Equatable {
    package var offset: Int
    package var time: Int64

    package init(offset: Int, time: Int64) { (self.offset, self.time) = (offset, time) }
  }

  /// The shortest time between two marks, in microseconds.
  static let resolution: Int64 = 100
  private static let version = "appboot-times 1"

  /// The id of the launch that wrote the log file.
  package private(set) var launch: String
  /// The number of the log file within the launch, from 0.
  package private(set) var number: Int
  /// The marks in the order of their offsets; the first one has offset 0.
  package private(set) var marks: [Mark]
  /// The beginning of a line whose end has not come yet.
  private var partial: [UInt8] = []

  /// Begins the times of a new log file.
  init(launch: String, number: Int, time: Int64) {
    (self.launch, self.number) = (launch, number)
    marks = [Mark(offset: 0, time: time)]
  }

  /// Reads the beginning of a file; `nil` if it is not one of this version.
  package init?(_ bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 5, words[..<2].joined(separator: " ") == Self.version, let number = Int(words[3]),
      let time = Int64(words[4])
    else { return nil }
    self.init(launch: String(words[2]), number: number, time: time)
    append(bytes[(end + 1)...])
  }

  /// The first line of the file.
  var header: String { "\(Self.version) \(launch) \(number) \(marks[0].time)\n" }

  /// Adds what was added to the file.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    partial += bytes
    let lines = partial.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return }
    for line in lines.dropLast() {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.count == 2, let bytes = Int(words[0]), let time = Int64(words[1]), bytes >= 0,
        let last = marks.last
      else { continue }
      marks.append(Mark(offset: last.offset &+ bytes, time: last.time &+ time))
    }
    partial = Array(lines[lines.count - 1])
  }

  /// Adds a mark of a writer, and returns its line; `nil` if it is too close to the last one.
  mutating func add(_ mark: Mark) -> String? {
    guard let last = marks.last, !(0..<Self.resolution ~= mark.time - last.time) else { return nil }
    // A writer needs only the last one.
    marks = [mark]
    return "\(mark.offset - last.offset) \(mark.time - last.time)\n"
  }
}
