/// A parser and formatter of durations, for example `"250ms"`, `"1m30s"` or `"1.5s"`.
package enum DurationText {
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
      let unit = try takeUnit(&rest, number: number.joined(separator: "."), after: last)
      last = unit
      let (sum, overflow) = total.addingReportingOverflow(try nanoseconds(number, units[unit].size, of: text))
      guard !overflow else { throw .tooLong(text) }
      total = sum
    }
    return .nanoseconds(total)
  }

  /// Takes a number, and returns its whole part and its fraction if there is one.
  private static func takeNumber(
    _ rest: inout Substring.UTF8View, of text: String
  ) throws(DurationTextError) -> [String] {
    let point = UInt8(ascii: ".")
    let parts = rest.prefix { isDigit($0) || $0 == point }
      .split(separator: point, maxSplits: 2, omittingEmptySubsequences: false).prefix(2)
      .map { String(Substring($0)) }
    guard !parts.contains("") else { throw .malformed(text) }
    rest = rest.dropFirst(parts.joined(separator: ".").utf8.count)
    return parts
  }

  /// Returns a number of units in nanoseconds.
  ///
  /// - Throws: ``DurationTextError`` if the product is too long or not a whole number.
  private static func nanoseconds(
    _ number: [String], _ unit: Int64, of text: String
  ) throws(DurationTextError) -> Int64 {
    guard let whole = Int64(number[0]) else { throw .tooLong(text) }
    var (result, isTooLong) = whole.multipliedReportingOverflow(by: unit)
    var place = unit
    for digit in number.dropFirst().joined().utf8 {
      guard place % 10 == 0 else {
        if digit == UInt8(ascii: "0") { continue }
        throw .tooFine(text)
      }
      place /= 10
      let (sum, overflow) = result.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")) * place)
      result = sum
      isTooLong = isTooLong || overflow
    }
    if isTooLong { throw .tooLong(text) }
    return result
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
}

/// An error in the text of a duration.
package enum DurationTextError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is empty.
  case empty
  /// A number has no unit.
  case missingUnit(_ number: String)
  /// A unit is unknown.
  case unknownUnit(_ unit: String)
  /// A unit is longer than the unit before it.
  case unitOrder(_ unit: String, after: String)
  /// A unit is used twice.
  case repeatedUnit(_ unit: String)
  /// The duration is below zero.
  case negative(_ text: String)
  /// The duration is longer than `Int64.max` nanoseconds, about 292 years.
  case tooLong(_ text: String)
  /// The duration is not a whole number of nanoseconds.
  case tooFine(_ text: String)
  /// The text does not consist of numbers with units.
  case malformed(_ text: String)

  /// The mistake, in one line.
  package var description: String {
    switch self {
    case .empty: "a duration is missing"
    case .missingUnit(let number): "\"\(number)\" has no unit"
    case .unknownUnit(let unit): "unknown unit \"\(unit)\""
    case .unitOrder(let unit, let previous): "\"\(unit)\" follows the shorter unit \"\(previous)\""
    case .repeatedUnit(let unit): "the unit \"\(unit)\" is used twice"
    case .negative(let text): "\"\(text)\" is negative"
    case .tooLong(let text): "\"\(text)\" is longer than 292 years"
    case .tooFine(let text): "\"\(text)\" is not a whole number of nanoseconds"
    case .malformed(let text): "\"\(text)\" is not a duration"
    }
  }

  /// The correction, in one line.
  package var help: String {
    switch self {
    case .empty, .malformed: "write a number and a unit, for example \"250ms\" or \"1m30s\""
    case .missingUnit(let number):
      "\(Self.units(for: number)); the units are h, m, s, ms, us, ns"
    case .unknownUnit(let unit): DurationTextError.helpForUnit(unit)
    case .unitOrder: "write the longest unit first, for example \"1m30s\""
    case .repeatedUnit(let unit): "add the numbers and write \"\(unit)\" once"
    case .negative: "a duration cannot be negative; write it without the minus sign"
    case .tooLong: "write a shorter duration, or leave the key out"
    case .tooFine: "round it: the smallest unit is \"1ns\""
    }
  }

  /// Returns the correction for a number without a unit, for example `write "5s" or "5ms"`.
  package static func units(for number: String) -> String { "write \"\(number)s\" or \"\(number)ms\"" }

  private static func helpForUnit(_ unit: String) -> String {
    let near: String? =
      switch unit.lowercased() {
      case "min", "mins", "minute", "minutes": "m"
      case "sec", "secs", "second", "seconds", "s": "s"
      case "msec", "millis", "millisecond", "milliseconds", "ms": "ms"
      case "usec", "micros", "microsecond", "microseconds", "us": "us"
      case "nsec", "nanos", "nanosecond", "nanoseconds", "ns": "ns"
      case "hr", "hrs", "hour", "hours", "h": "h"
      default: nil
      }
    let units = "the units are h, m, s, ms, us, ns"
    return near.map { "write \"\($0)\"; \(units)" } ?? units
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 64 bits.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carry ? (seconds < 0 ? .min : .max) : sum
  }
}
