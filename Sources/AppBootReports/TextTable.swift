/// A table of text for a terminal. A column is as wide as its widest cell, within its limits.
package struct TextTable: Sendable {
  /// The alignment of a column, the limits of its width, and the spaces after it.
  package struct Column: Sendable {
    fileprivate var isTrailing = false
    /// The number of terminal columns that a shorter cell is padded to.
    var least = 0
    /// The number of terminal columns that a longer cell is cut to.
    var most = Int.max
    fileprivate var gap = 2

    /// Returns a left-aligned column. Its cells are cut to `most` terminal columns.
    package static func leading(least: Int = 0, most: Int = .max, gap: Int = 2) -> Column {
      Column(least: least, most: most, gap: gap)
    }

    /// Returns a right-aligned column, for numbers. Its cells are never cut.
    package static func trailing(least: Int = 0) -> Column { Column(isTrailing: true, least: least) }
  }

  /// A text, and the role that colours it and its padding.
  package typealias Cell = (text: String, role: TextStyle.Role?)

  /// The columns, in order.
  var columns: [Column]
  private let style: TextStyle
  private let indent: Int
  private let limit: Int?
  private let wrap: Int?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - limit: The maximum width of a row, in terminal columns; `nil` for no limit.
  ///   - wrap: The indent of the other lines of a row that is wider than the terminal; `nil` to keep the row whole.
  package init(
    _ columns: [Column], style: TextStyle, indent: Int = 0, limit: Int? = nil, wrap: Int? = nil
  ) {
    self.columns = columns
    self.style = style
    self.indent = indent
    self.limit = limit
    self.wrap = wrap
  }

  /// The number of terminal columns of a row, without the indent.
  package var width: Int { columns.reduce(0) { $0 + $1.least + $1.gap } - (columns.last?.gap ?? 0) }

  /// Returns the table with columns that are wide enough for the rows.
  package func fitted(to rows: [[Cell]]) -> TextTable {
    var table = self
    for (index, column) in columns.enumerated() {
      let widest = rows.map { DisplayWidth.of($0[index].text) }.max() ?? 0
      table.columns[index].least = max(column.least, min(column.most, widest))
    }
    return table
  }

  /// Returns the rows as lines, each with its line feed.
  package func text(_ rows: [[Cell]]) -> String {
    let table = fitted(to: rows)
    return rows.map { table.line($0) + "\n" }.joined()
  }

  /// Returns the rows as lines, each with its line feed.
  package func text(_ rows: [[String]]) -> String { text(rows.map { $0.map { ($0, nil) } }) }

  /// Returns a row without a line feed. It has no empty cells at its end.
  package func line(_ cells: [Cell]) -> String {
    var room = (limit ?? .max) - indent
    let texts = zip(cells, columns).map { cell, column in
      let text = column.isTrailing ? cell.text : style.fit(cell.text, to: max(0, min(column.most, room)))
      room -= max(column.least, DisplayWidth.of(text)) + column.gap
      return text
    }
    var line = Self.spaces(indent)
    let last = texts.lastIndex { !$0.isEmpty } ?? 0
    for (index, text) in texts.prefix(last + 1).enumerated() {
      let column = columns[index]
      let padding = Self.spaces(column.least - DisplayWidth.of(text))
      let padded = column.isTrailing ? padding + text : index < last ? text + padding : text
      line += (cells[index].role.map { style.paint(padded, $0) } ?? padded)
      if index < last { line += Self.spaces(column.gap) }
    }
    return wrap.map { style.wrapped(line, indent: $0) } ?? line
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

extension TextStyle {
  /// Returns the terminal's width divided by a number, but at least `least` terminal columns.
  package func columns(over divisor: Int, least: Int = 12) -> Int { max(least, (width ?? .max) / divisor) }

  /// Returns a line with the number of rows that a table leaves out; empty if there are none.
  package func more(_ hidden: Int, _ words: String) -> String {
    hidden > 0 ? wrapped("  and \(hidden) more \(words)", indent: 2) + "\n" : ""
  }

  /// Returns a line with a fact about a launch: its name, then its text, wrapped.
  func fact(_ name: String, _ words: String, _ role: Role = .faint) -> String {
    // In a narrow terminal, the second line would have no room beside the name.
    let indent = width.map { $0 < 40 } == true ? 2 : 13
    return TextTable([.leading(least: 11), .leading()], style: self, wrap: indent).text([
      [(name, role), (words, nil)]
    ])
  }

  /// Returns a definition list: each name, with its text wrapped to the right of it. The text of a name that is too
  /// long begins on the next line.
  package func definitions(
    _ rows: [(name: String, text: String)], indent: Int = 0, least: Int = 0, most: Int, width: Int,
    _ role: Role? = nil
  ) -> String {
    let widest = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
    let column = min(max(least, widest), most)
    let table = TextTable([.leading(least: column), .leading()], style: self, indent: indent)
    let place = indent + column + 2
    let lineBreak = "\n" + String(repeating: " ", count: place)
    return rows.map { name, text in
      let words = wrap(text, to: max(20, width - place)).joined(separator: lineBreak)
      return DisplayWidth.of(name) > column
        ? table.line([(name, role)]) + lineBreak + words + "\n"
        : table.line([(name, role), (words, nil)]) + "\n"
    }.joined()
  }
}
