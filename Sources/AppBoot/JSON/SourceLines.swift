/// A line table of a text. Creating it takes O(n); finding a place then takes O(log n + length of the line).
package struct SourceLines: Sendable {
  /// The text of the table.
  package let source: SourceText
  /// The offset of the first byte of each line.
  private var starts = [0]

  /// Creates the table. Reads the text once.
  package init(_ source: SourceText) {
    self.source = source
    let bytes = source.bytes
    for index in bytes.indices {
      let isEnd =
        bytes[index] == .lineFeed
        || bytes[index] == .carriageReturn && !(index + 1 < bytes.count && bytes[index + 1] == .lineFeed)
      if isEnd { starts.append(index + 1) }
    }
  }

  /// Returns the line and column of a byte offset. An offset after the end counts as the end.
  package func location(of offset: Int) -> SourceLocation { locations(of: [offset])[0] }

  /// Returns the lines and columns of byte offsets. If the offsets ascend, takes O(n) in the length of the text.
  package func locations(of offsets: [Int]) -> [SourceLocation] {
    var known = (line: -1, offset: 0, column: 1)
    return offsets.map { offset in
      let offset = max(0, min(offset, source.bytes.count))
      let line = index(ofLineAround: offset)
      if known.line != line || known.offset > offset || !separatesCharacters(known.offset) {
        known = (line, starts[line], 1)
      }
      known.column += String(decoding: source.bytes[known.offset..<offset], as: UTF8.self).count
      known.offset = offset
      return SourceLocation(line: line + 1, column: known.column)
    }
  }

  /// Returns whether an offset is certainly between two characters: the bytes around it are ASCII, which no character
  /// of several code points contains except CR LF, the end of a line.
  private func separatesCharacters(_ offset: Int) -> Bool {
    offset > 0 && offset < source.bytes.count && source.bytes[offset - 1] < 0x80
      && source.bytes[offset] < 0x80
  }

  /// Returns the byte range of the line that contains an offset, without the line end.
  package func line(around offset: Int) -> Range<Int> {
    let start = starts[index(ofLineAround: max(0, min(offset, source.bytes.count)))]
    let end = source.bytes[start...].firstIndex { $0 == .lineFeed || $0 == .carriageReturn }
    return start..<(end ?? source.bytes.count)
  }

  /// Returns the index of the last line that begins at or before an offset.
  private func index(ofLineAround offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

extension UInt8 {
  package static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
}
