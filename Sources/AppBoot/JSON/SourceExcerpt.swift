/// A line of a source text for a terminal, with a marker under a range.
struct SourceExcerpt {
  /// The line. Its tabs are expanded, its control characters are visible, and it is cut to the width.
  private(set) var line = ""
  /// The number of columns before the marker.
  private(set) var markerColumn = 0
  /// The marker, for example `^~~~`.
  private(set) var marker = "^"

  /// A character of the line.
  private struct Cell {
    var text: String
    var width: Int
    /// The byte offsets of the character in the source text.
    var range: Range<Int>
  }

  private static let tabStop = 4

  init(of range: SourceRange, in lines: SourceLines, width: Int, ascii: Bool) {
    let whole = lines.line(around: Int(range.start))
    let start = min(Int(range.start), whole.upperBound)
    let end = max(start, min(Int(range.end), whole.upperBound))
    // Examines only the visible bytes of a line, which may have megabytes.
    let bytes = SourceExcerpt.neighbourhood(
      of: start..<end, within: whole, reach: 4 * width, in: lines.source)
    let cells = SourceExcerpt.cells(bytes, in: lines.source, ascii: ascii)
    let shown = SourceExcerpt.window(cells, around: start..<end, width: width)

    let ellipsis = ascii ? "..." : "…"
    if bytes.lowerBound > whole.lowerBound || shown.lowerBound > 0 { line = ellipsis }
    var marked = 0
    var column = DisplayWidth.of(line)
    markerColumn = column
    for cell in cells[shown] {
      if cell.range.lowerBound < end, cell.range.upperBound > start { marked += cell.width }
      line += cell.text
      column += cell.width
      if cell.range.upperBound <= start { markerColumn = column }
    }
    if bytes.upperBound < whole.upperBound || shown.upperBound < cells.count { line += ellipsis }
    marker = "^" + String(repeating: "~", count: max(0, marked - 1))
  }

  /// Returns the range of the bytes around a range that can be visible. It begins with a whole character.
  private static func neighbourhood(
    of range: Range<Int>, within line: Range<Int>, reach: Int, in source: SourceText
  ) -> Range<Int> {
    var low = max(line.lowerBound, range.lowerBound - reach)
    while low > line.lowerBound, low < range.lowerBound, source.bytes[low] & 0xC0 == 0x80 { low += 1 }
    let high = min(line.upperBound, min(range.upperBound, range.lowerBound + reach) + reach)
    return low..<max(low, high)
  }

  private static func cells(_ range: Range<Int>, in source: SourceText, ascii: Bool) -> [Cell] {
    let (text, offsets) = scalars(range, in: source)
    var cells: [Cell] = []
    var scalar = 0
    var column = 0
    for character in text {
      let next = scalar + character.unicodeScalars.count
      var shown = VisibleText.of(character, ascii: ascii)
      if character == "\t" {
        shown = String(repeating: " ", count: tabStop - column % tabStop)
      }
      let width = DisplayWidth.of(shown)
      cells.append(Cell(text: shown, width: width, range: offsets[scalar]..<offsets[next]))
      column += width
      scalar = next
    }
    return cells
  }

  /// Returns the text of the bytes, and the offset of each scalar. Bytes that are not UTF-8 become U+FFFD.
  private static func scalars(_ range: Range<Int>, in source: SourceText) -> (String, [Int]) {
    var text = String.UnicodeScalarView()
    var offsets: [Int] = []
    source.bytes.withUnsafeBufferPointer { bytes in
      var index = range.lowerBound
      while index < range.upperBound {
        let (scalar, length) = UTF8Scalar.decode(at: index, in: bytes) ?? ("\u{FFFD}", 1)
        text.append(scalar)
        offsets.append(index)
        index += length
      }
      offsets.append(index)
    }
    return (String(text), offsets)
  }

  /// Returns the range of the cells to show: all if they fit; otherwise a part with the beginning of the range.
  private static func window(_ cells: [Cell], around range: Range<Int>, width: Int) -> Range<Int> {
    guard cells.reduce(0, { $0 + $1.width }) > width else { return 0..<cells.count }
    let focus = cells.firstIndex { $0.range.upperBound > range.lowerBound } ?? cells.count
    var low = focus
    var room = width / 3
    while low > 0, cells[low - 1].width <= room {
      low -= 1
      room -= cells[low].width
    }
    var high = low
    room = width
    while high < cells.count, cells[high].width <= room {
      room -= cells[high].width
      high += 1
    }
    // At the end of the line the room on the right goes to the left.
    while high == cells.count, low > 0, cells[low - 1].width <= room {
      low -= 1
      room -= cells[low].width
    }
    return low..<max(low, high)
  }
}
