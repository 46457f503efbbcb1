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
    let table = tables[index(of: Int(range.start))]
    return (table.lines, table.start == 0 ? range : range.moved(by: -table.start))
  }

  /// Returns the file, line and column of an offset. The file is `nil` for the main text, which includes the others.
  package func location(of offset: Int) -> SourceLocation { locations(of: [offset])[0] }

  /// Returns the files, lines and columns of offsets. If the offsets ascend, takes O(n) in the length of the texts.
  package func locations(of offsets: [Int]) -> [SourceLocation] {
    var locations: [SourceLocation] = []
    while locations.count < offsets.count {
      let rest = offsets[locations.count...]
      let index = index(of: rest[rest.startIndex])
      let (start, lines) = tables[index]
      for var location in lines.locations(of: rest.prefix { self.index(of: $0) == index }.map { $0 - start })
      {
        if index > 0 { location.file = lines.source.name }
        locations.append(location)
      }
    }
    return locations
  }

  /// Returns the index of the table of the text that contains an offset.
  private func index(of offset: Int) -> Int { tables.lastIndex { $0.start <= offset } ?? 0 }
}
