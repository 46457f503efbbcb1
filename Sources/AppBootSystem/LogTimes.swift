/// The times of the lines of one log file, as the file beside it has them.
///
/// Each line has an offset in the log file, and the time of the bytes from there on. So several processes can append
/// lines.
///
/// ```
/// 0 1795342900123456
/// 81 1795342900124498
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

  /// The marks in the order of their offsets.
  package private(set) var marks: [Mark] = []
  /// The beginning of a line whose end has not come yet.
  private var partial: [UInt8] = []

  package init() {}

  /// Adds what was added to the file.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    partial += bytes
    let lines = partial.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return }
    for line in lines.dropLast() {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.count == 2, let offset = Int(words[0]), let time = Int64(words[1]),
        offset >= marks.last?.offset ?? 0
      else { continue }
      marks.append(Mark(offset: offset, time: time))
    }
    partial = Array(lines[lines.count - 1])
  }

  /// Adds a mark of a writer, and returns its line; `nil` if it is too close to the last one.
  mutating func add(_ mark: Mark) -> String? {
    if let last = marks.last, 0..<Self.resolution ~= mark.time - last.time { return nil }
    // A writer needs only the last one.
    marks = [mark]
    return "\(mark.offset) \(mark.time)\n"
  }
}
