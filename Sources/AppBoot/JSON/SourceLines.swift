/// A line table of a text. Creating it takes O(n); finding a place then takes a binary search.
package struct SourceLines: Sendable {
  /// An offset whose line and column are known: the start of each line, and places inside of long lines.
  private struct Mark {
    var offset: UInt32
    var line: UInt32
    var column: UInt32
  }

  /// The distance in bytes between the marks in a long line.
  private static let markDistance = 2048

  /// The text of the table.
  package let source: SourceText
  private var marks: [Mark] = []

  /// Creates the table. Reads the text once.
  package init(_ source: SourceText) {
    self.source = source
    marks.append(Mark(offset: 0, line: 1, column: 1))
    source.bytes.withUnsafeBufferPointer { bytes in
      var lineStart = 0
      while let next = markLine(from: lineStart, in: bytes) { lineStart = next }
    }
  }

  /// Returns the line and column of a byte offset. An offset after the end counts as the end.
  package func location(of offset: Int) -> SourceLocation {
    let offset = max(0, min(offset, source.bytes.count))
    let mark = self.mark(before: offset)
    return SourceLocation(
      line: Int(mark.line), column: Int(mark.column) + columns(Int(mark.offset)..<offset))
  }

  /// Returns the byte range of the line that contains an offset, without the line end. Takes O(log n).
  func line(around offset: Int) -> Range<Int> {
    let bytes = source.bytes
    let line = mark(before: max(0, min(offset, bytes.count))).line
    let first = firstMark { $0.line >= line }
    let next = firstMark { $0.line > line }
    let start = Int(marks[first].offset)
    guard next < marks.count else { return start..<bytes.count }
    let end = Int(marks[next].offset) - 1
    let isPair = end > start && bytes[end] == .lineFeed && bytes[end - 1] == .carriageReturn
    return start..<(isPair ? end - 1 : end)
  }

  private func mark(before offset: Int) -> Mark {
    marks[max(0, firstMark { Int($0.offset) > offset } - 1)]
  }

  /// Returns the index of the first mark for which a condition holds.
  ///
  /// If the condition holds for a mark, it must hold for all later marks.
  private func firstMark(where holds: (Mark) -> Bool) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if holds(marks[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Adds the marks of the line that begins at an offset. Returns the start of the next line; `nil` after the last
  /// line.
  private mutating func markLine(from lineStart: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var last = marks[marks.count - 1]
    var index = lineStart
    while index < bytes.count {
      let byte = bytes[index]
      if byte == .lineFeed || byte == .carriageReturn { break }
      if index - Int(last.offset) >= SourceLines.markDistance, byte < 0x80, bytes[index - 1] < 0x80 {
        // Between two ASCII characters there is always a character boundary (UAX #29).
        let column = Int(last.column) + columns(Int(last.offset)..<index)
        last = Mark(offset: UInt32(clamping: index), line: last.line, column: UInt32(clamping: column))
        marks.append(last)
      }
      index += 1
    }
    guard index < bytes.count else { return nil }
    let isPair = bytes[index] == .carriageReturn && index + 1 < bytes.count && bytes[index + 1] == .lineFeed
    let next = index + (isPair ? 2 : 1)
    marks.append(Mark(offset: UInt32(clamping: next), line: last.line + 1, column: 1))
    return next
  }

  /// Returns the number of characters in a range of bytes.
  private func columns(_ range: Range<Int>) -> Int {
    let slice = source.bytes[range]
    if slice.allSatisfy({ $0 < 0x80 }) { return range.count }
    return String(decoding: slice, as: UTF8.self).count
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
}
