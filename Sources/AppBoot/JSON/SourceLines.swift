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
  package func location(of offset: Int) -> SourceLocation {
    let offset = max(0, min(offset, source.bytes.count))
    let index = index(ofLineAround: offset)
    let before = String(decoding: source.bytes[starts[index]..<offset], as: UTF8.self)
    return SourceLocation(line: index + 1, column: 1 + before.count)
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
