import AppBootLibC

/// A clock that gives the time of day. It can jump, so measure durations with `MonotonicClock`.
package enum WallClock {
  /// Returns the nanoseconds since 1970-01-01T00:00:00Z, without leap seconds (`clock_gettime`, POSIX).
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Returns the current time as RFC 3339 text in UTC with milliseconds.
  package static func timestamp() -> String { timestamp(nanoseconds: now()) }

  /// Returns a time as RFC 3339 text in UTC with milliseconds, rounded down, for example `2026-07-28T09:05:03.250Z`.
  ///
  /// - Parameter nanoseconds: The nanoseconds since 1970-01-01T00:00:00Z.
  package static func timestamp(nanoseconds: Int64) -> String {
    let (days, withinDay) = flooredDivision(nanoseconds, by: 86_400_000_000_000)
    let date = civil(fromDays: days)
    let milliseconds = withinDay / 1_000_000
    let seconds = milliseconds / 1000
    return padded(Int64(date.year), 4) + "-" + padded(Int64(date.month), 2) + "-" + padded(Int64(date.day), 2)
      + "T" + padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2)
      + "." + padded(milliseconds % 1000, 3) + "Z"
  }

  /// Returns a time in microseconds as ``timestamp(nanoseconds:)`` does. A time after 2262 is shown as the last one.
  package static func timestamp(microseconds: Int64) -> String {
    let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    return timestamp(nanoseconds: overflow ? (microseconds < 0 ? .min : .max) : product)
  }

  /// Returns the date that is `days` after 1970-01-01, in the proleptic Gregorian calendar.
  ///
  /// The computation starts years in March, so that a leap day is the last day (H. Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms", `civil_from_days`). An era is 400 years, or 146,097 days.
  package static func civil(fromDays days: Int64) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = flooredDivision(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
  }

  private static func flooredDivision(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
