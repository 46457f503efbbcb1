/// A parser and formatter of durations, for example `"250ms"`, `"1m30s"` or `"1.5s"`.
package enum DurationText {
  /// The longest duration: `Int64.max` nanoseconds, about 292 years.
  package static let longest: Duration = .nanoseconds(Int64.max)

  /// The names of the units and their sizes in nanoseconds, longest first.
  private static let units: [(name: String, size: Int64)] = [
    ("h", 3600 * second), ("m", 60 * second), ("s", second), ("ms", 1_000_000), ("us", 1000), ("ns", 1),
  ]
  private static let second: Int64 = 1_000_000_000

  // MARK: Reading

  /// Returns the duration of a text, exact to the nanosecond.
  ///
  /// The units are `h m s ms us ns`, longest first, each at most once.
  package static func parse(_ text: String) throws(DurationTextError) -> Duration {
    var rest = text.utf8[...]
    guard let first = rest.first else { throw .empty }
    guard first != UInt8(ascii: "-") else { throw .negative(text) }
    var total: Int64 = 0
    var last: Int?
    while !rest.isEmpty {
      let number = try takeNumber(&rest, of: text)
      let unit = try takeUnit(&rest, number: number.text, after: last)
      last = unit
      let (sum, overflow) = total.addingReportingOverflow(try number.times(units[unit].size))
      guard !overflow else { throw .tooLong(text) }
      total = sum
    }
    return .nanoseconds(total)
  }

  private static func takeNumber(
    _ rest: inout Substring.UTF8View, of text: String
  ) throws(DurationTextError) -> Decimal {
    let whole = rest.prefix(while: isDigit)
    guard !whole.isEmpty else { throw .malformed(text) }
    let start = rest
    rest = rest.dropFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = rest.prefix(while: isDigit)
      guard !fraction.isEmpty else { throw .malformed(text) }
      rest = rest.dropFirst(fraction.count)
    }
    let all = start.prefix(upTo: rest.startIndex)
    return Decimal(text: String(Substring(all)), whole: whole, fraction: fraction, source: text)
  }

  private static func takeUnit(
    _ rest: inout Substring.UTF8View, number: String, after last: Int?
  ) throws(DurationTextError) -> Int {
    let written = String(Substring(rest.prefix { !isDigit($0) && $0 != UInt8(ascii: ".") }))
    guard !written.isEmpty else { throw .missingUnit(number) }
    rest = rest.dropFirst(written.utf8.count)
    // The micro sign and the Greek letter are both in use.
    let name = written == "\u{B5}s" || written == "\u{3BC}s" ? "us" : written
    guard let unit = units.firstIndex(where: { $0.name == name }) else { throw .unknownUnit(written) }
    if let last {
      if unit == last { throw .repeatedUnit(name) }
      if unit < last { throw .unitOrder(name, after: units[last].name) }
    }
    return unit
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private struct Decimal {
    var text: String
    var whole: Substring.UTF8View
    var fraction: Substring.UTF8View
    var source: String

    /// Returns the number times a unit, in nanoseconds.
    ///
    /// - Throws: ``DurationTextError`` if the product is too long or not a whole number.
    func times(_ unit: Int64) throws(DurationTextError) -> Int64 {
      guard let number = Int64(Substring(whole)) else { throw .tooLong(source) }
      var (result, isTooLong) = number.multipliedReportingOverflow(by: unit)
      var place = unit
      for digit in fraction {
        guard place % 10 == 0 else {
          if digit == UInt8(ascii: "0") { continue }
          throw .tooFine(source)
        }
        place /= 10
        let (sum, overflow) = result.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")) * place)
        result = sum
        isTooLong = isTooLong || overflow
      }
      if isTooLong { throw .tooLong(source) }
      return result
    }
  }

  // MARK: Exact form

  /// Returns the canonical text of a duration, for example `"1m30s"`, `"1.5s"`, `"250ms"` or `"0s"`.
  ///
  /// `parse` can read it, unless the duration is negative. Fractions of a nanosecond are dropped.
  package static func exact(_ duration: Duration) -> String {
    var rest = duration.nanoseconds.magnitude
    guard rest > 0 else { return "0s" }
    var text = duration < .zero ? "-" : ""
    for (name, size) in units {
      let unit = size.magnitude
      guard rest >= unit else { continue }
      // Hours and minutes are whole. The first smaller unit in use has the decimals.
      if size <= second { return text + decimal(rest, per: unit) + name }
      text += "\(rest / unit)\(name)"
      rest %= unit
    }
    return text
  }

  private static func decimal(_ value: UInt64, per unit: UInt64) -> String {
    var text = String(value / unit)
    var rest = value % unit
    guard rest > 0 else { return text }
    text += "."
    var place = unit
    while rest > 0 {
      place /= 10
      text += String(rest / place)
      rest %= place
    }
    return text
  }

  // MARK: Form for people

  /// Returns a duration for tables and messages, with about three digits.
  ///
  /// Examples: `"3.2 ms"`, `"412 µs"`, `"2m 05s"`.
  package static func brief(_ duration: Duration, ascii: Bool = false) -> String {
    brief(nanoseconds: duration.nanoseconds, ascii: ascii)
  }

  /// Returns a duration in nanoseconds for tables and messages, with about three digits.
  package static func brief(nanoseconds: Int64, ascii: Bool = false) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let value = nanoseconds.magnitude
    if value == 0 { return "0 s" }
    for step in briefSteps {
      // Rounds before it chooses the unit: 999.6 µs is "1.0 ms", never "1000 µs".
      let rounded = (value + step.unit / step.scale / 2) / (step.unit / step.scale)
      guard rounded < step.limit * step.scale else { continue }
      let unit = ascii && step.name == "µs" ? "us" : step.name
      return "\(sign)\(fixed(rounded, scale: step.scale)) \(unit)"
    }
    return sign + clock(seconds: (value + 500_000_000) / 1_000_000_000)
  }

  /// The formats of brief durations, from small to large.
  ///
  /// Each has a unit, the unit's size in nanoseconds, 10^decimals, and the value in that unit at which the next begins.
  private static let briefSteps: [(name: String, unit: UInt64, scale: UInt64, limit: UInt64)] = [
    ("ns", 1, 1, 1000),
    ("µs", 1000, 10, 10), ("µs", 1000, 1, 1000),
    ("ms", 1_000_000, 10, 100), ("ms", 1_000_000, 1, 1000),
    ("s", 1_000_000_000, 100, 10), ("s", 1_000_000_000, 10, 60),
  ]

  private static func fixed(_ value: UInt64, scale: UInt64) -> String {
    guard scale > 1 else { return String(value) }
    let fraction = String(value % scale)
    let width = scale == 10 ? 1 : 2
    return "\(value / scale)." + String(repeating: "0", count: width - fraction.count) + fraction
  }

  private static func clock(seconds: UInt64) -> String {
    if seconds < 3600 { return "\(seconds / 60)m \(twoDigits(seconds % 60))s" }
    return "\(seconds / 3600)h \(twoDigits(seconds % 3600 / 60))m"
  }

  private static func twoDigits(_ value: UInt64) -> String {
    value < 10 ? "0\(value)" : String(value)
  }
}
