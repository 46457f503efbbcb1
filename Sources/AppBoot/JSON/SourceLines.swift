/// The line table of a text: built once in O(n), after which each place is found by binary search.
package struct SourceLines: Sendable {
  /// A place whose line and column are known: every line start, and a few places within long lines.
  private struct Mark {
    var offset: UInt32
    var line: UInt32
    var column: UInt32
  }

  /// The distance of the marks in a long line, in bytes.
  private static let markDistance = 2048

  /// The text this table describes.
  package let source: SourceText
  private var marks: [Mark] = []

  /// Builds the table in one pass over the text.
  package init(_ source: SourceText) {
    self.source = source
    marks.append(Mark(offset: 0, line: 1, column: 1))
    source.bytes.withUnsafeBufferPointer { bytes in
      var lineStart = 0
      while let next = markLine(from: lineStart, in: bytes) { lineStart = next }
    }
  }

  /// Returns line and column of a byte offset; offsets past the end count as the end.
  package func location(of offset: Int) -> SourceLocation {
    let offset = max(0, min(offset, source.bytes.count))
    let mark = self.mark(before: offset)
    return SourceLocation(
      line: Int(mark.line), column: Int(mark.column) + columns(Int(mark.offset)..<offset))
  }

  /// Returns the range of the line that contains a byte offset, in bytes and without its line end. O(log n)
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

  /// Returns the index of the first mark for which a condition holds that stays true once it is true.
  private func firstMark(where holds: (Mark) -> Bool) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if holds(marks[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Marks the places in the line that begins here; returns the start of the next line.
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

  /// Returns the number of characters in the bytes.
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
