import AppBoot
import AppBootRecords

/// A namespace for functions that format nanoseconds in the units of other formats, as exact decimals.
enum TimeNumbers {
  /// Returns seconds with nine decimals, for example `0.041000000`.
  static func seconds(_ nanoseconds: Int64) -> String { decimal(nanoseconds, per: 1_000_000_000, digits: 9) }

  /// Returns microseconds with three decimals, for example `41000.000`.
  static func microseconds(_ nanoseconds: Int64) -> String { decimal(nanoseconds, per: 1000, digits: 3) }

  /// Returns a time for people, with about three digits and a unit.
  static func brief(_ nanoseconds: Int64) -> String { DurationText.brief(nanoseconds: nanoseconds) }

  /// Returns a part of a whole in percent, from 0 to 100 with three decimals, for example `12.500`.
  static func percent(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return "0" }
    let thousandths = min(100_000, max(0, (Double(part) / Double(whole) * 100_000).rounded()))
    return decimal(Int64(thousandths), per: 1000, digits: 3)
  }

  private static func decimal(_ value: Int64, per unit: UInt64, digits: Int) -> String {
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit)
    let fraction = String(rest)
    let zeros = String(repeating: "0", count: max(0, digits - fraction.utf8.count))
    return "\(value < 0 ? "-" : "")\(whole).\(zeros)\(fraction)"
  }
}
