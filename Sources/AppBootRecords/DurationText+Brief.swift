package import AppBoot

extension DurationText {
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
    scale > 1 ? "\(value / scale).\((value % scale).digits(scale == 10 ? 1 : 2))" : String(value)
  }

  private static func clock(seconds: UInt64) -> String {
    if seconds < 3600 { return "\(seconds / 60)m \((seconds % 60).digits(2))s" }
    return "\(seconds / 3600)h \((seconds % 3600 / 60).digits(2))m"
  }
}

extension BinaryInteger {
  /// Returns the digits of the number, with zeros before them up to a count.
  func digits(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}
