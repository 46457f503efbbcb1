/// A parser of RFC 3339 timestamps in UTC, for example `2026-07-28T09:05:03.250Z`.
enum RFC3339 {
  /// Returns a timestamp as nanoseconds since 1970; `nil` if the text is not a timestamp in UTC.
  static func nanoseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]), (1970...2200).contains(year), (1...12).contains(month)
    else { return nil }
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    return seconds * 1_000_000_000 + fraction(bytes[19..<(bytes.count - 1)])
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    // Int64 would accept a sign.
    digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      ? Int64(String(decoding: digits, as: UTF8.self)) : nil
  }

  private static func fraction(_ text: ArraySlice<UInt8>) -> Int64 {
    guard text.first == UInt8(ascii: "."), text.count > 1, let value = number(text.dropFirst().prefix(9))
    else {
      return 0
    }
    return (text.dropFirst().prefix(9).count..<9).reduce(value) { value, _ in value * 10 }
  }

  /// Returns a date as days since 1970-01-01 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// `days_from_civil`).
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
