/// The line tables of a text and of the texts that it includes.
package struct SourceFiles: Sendable {
  /// The tables, with the offsets at which their texts begin.
  private let tables: [(start: Int, lines: SourceLines)]

  /// Creates the tables. Reads each text once.
  package init(_ source: SourceText) {
    var tables = [(start: 0, lines: SourceLines(source))]
    var start = source.bytes.count + 1
    for text in source.included {
      tables.append((start, SourceLines(text)))
      start += text.bytes.count + 1
    }
    self.tables = tables
  }

  /// Returns the table of the text that contains a range, and the range with offsets in that text.
  package func place(of range: SourceRange) -> (lines: SourceLines, range: SourceRange) {
    let table = tables.last { $0.start <= Int(range.start) } ?? tables[0]
    return (table.lines, table.start == 0 ? range : range.moved(by: -table.start))
  }

  /// Returns the file, line and column of an offset. The file is `nil` for the main text, which includes the others.
  package func location(of offset: Int) -> SourceLocation {
    let (lines, range) = place(of: SourceRange(offset, offset))
    var location = lines.location(of: Int(range.start))
    if tables.count > 1, offset >= tables[1].start { location.file = lines.source.name }
    return location
  }
}
