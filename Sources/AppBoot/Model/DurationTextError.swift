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
  /// The duration is longer than `DurationText.longest`.
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
