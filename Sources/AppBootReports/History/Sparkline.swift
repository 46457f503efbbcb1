import AppBoot

/// A line of small bars, one for each launch or for several neighbouring launches.
struct Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let asciiBars: [Character] = ["_", ".", "-", "~", "=", "+", "*", "#"]

  let ascii: Bool

  /// Returns a line for values. The smallest value has the lowest bar, the largest one the highest.
  ///
  /// Values without a bar, `nil`, have a space. If there are more values than columns, a bar is the median of several.
  func text(of values: [Int64?], columns: Int) -> String {
    let points = Self.points(of: values, columns: columns)
    let known = points.compactMap(\.self)
    guard let low = known.min(), let high = known.max() else { return "" }
    let bars = ascii ? Self.asciiBars : Self.bars
    return String(
      points.map { value -> Character in
        guard let value else { return " " }
        guard high > low else { return bars[bars.count / 2 - 1] }
        let place = Double(value - low) / Double(high - low) * Double(bars.count - 1)
        return bars[Int(place.rounded())]
      })
  }

  private static func points(of values: [Int64?], columns: Int) -> [Int64?] {
    guard values.count > columns, columns > 0 else { return values }
    return (0..<columns).map { column in
      let part = values[(column * values.count / columns)..<((column + 1) * values.count / columns)]
      let known = part.compactMap(\.self)
      return known.isEmpty ? nil : known.median
    }
  }
}
