import AppBootReports

/// A row of a screen, which is filled with cells from left to right. It never has more columns than the screen.
struct LiveRow {
  let style: TextStyle
  let columns: Int
  /// The row with the escape sequences of its colours.
  private(set) var text = ""
  private var used = 0

  init(_ style: TextStyle, columns: Int) { (self.style, self.columns) = (style, columns) }

  /// The columns that are left.
  var rest: Int { max(0, columns - used) }

  /// Adds a text that fits on one line, cut or padded to a number of columns; `nil` for the columns that it needs.
  ///
  /// - Parameter step: The step in whose colour the text is.
  mutating func add(
    _ cell: String, _ width: Int? = nil, _ role: TextStyle.Role? = nil, isTrailing: Bool = false,
    step: Int? = nil
  ) {
    let room = min(rest, width ?? rest)
    let cut = style.fit(cell, to: room)
    let gap = String(repeating: " ", count: width == nil ? 0 : max(0, room - DisplayWidth.of(cut)))
    let painted = step.map { style.paint(cut, asStep: $0) } ?? role.map { style.paint(cut, $0) } ?? cut
    text += isTrailing ? gap + painted : painted + gap
    used += DisplayWidth.of(cut) + gap.count
  }

  /// Returns a curve of values in columns of one character: the newest values, averaged if there are more than columns.
  ///
  /// - Parameter top: The value at the top, unless a value is larger.
  static func curve(_ values: [Double], columns: Int, top: Double, _ style: TextStyle) -> String {
    let levels: [Character] = Array(style.usesASCII ? "_.-=+*#" : "▁▂▃▄▅▆▇█")
    let highest = max(top, values.max() ?? 0)
    let share = Double(LiveModel.samples) / Double(max(1, columns))
    let curve = (0..<columns).map { column -> Character in
      // From the right: the last column has the newest values.
      let end = values.count - Int(Double(columns - 1 - column) * share)
      let part = values[max(0, min(values.count, end - Int(share)))..<max(0, min(values.count, end))]
      guard !part.isEmpty, highest > 0 else { return " " }
      let mean = part.reduce(0, +) / Double(part.count)
      return levels[min(levels.count - 1, max(0, Int(mean / highest * Double(levels.count))))]
    }
    return String(curve)
  }

  /// Returns a bar on the time axis of a launch.
  ///
  /// - Parameters:
  ///   - total: The time at the end of the axis.
  ///   - parts: The ends of the bar's parts in time, each with its character; the last one has no end.
  static func bar(columns: Int, total: Int64, _ parts: [(until: Int64, character: Character)]) -> String {
    var bar = ""
    for column in 0..<columns {
      // The middle of the column, so that a short part is as wide as it should be on the average.
      let time = Int64(Double(total) * (Double(column) + 0.5) / Double(max(1, columns)))
      bar.append(parts.first { time < $0.until }?.character ?? " ")
    }
    return bar
  }
}
