import AppBootBase
import Testing

@Suite("WallClock")
struct WallClockTests {
  @Test(
    "A time is written as RFC 3339 text",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (1_785_229_503_250_999_999, "2026-07-28T09:05:03.250Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (4_107_542_399_999_000_000, "2100-02-28T23:59:59.999Z"),
      (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func timestamps(nanoseconds: Int64, text: String) {
    #expect(WallClock.timestamp(nanoseconds: nanoseconds) == text)
  }

  @Test("The dates of 800 years follow the calendar's rule without a gap")
  func everyDay() {
    var expected = (year: 1600, month: 1, day: 1)
    for days in Int64(-135_140)..<(-135_140 + 2 * 146_097) {
      let date = WallClock.civil(fromDays: days)
      guard date == expected else {
        Issue.record("day \(days) is \(date), not \(expected)")
        return
      }
      expected = dayAfter(expected)
    }
    #expect(expected == (2400, 1, 1))
  }

  @Test("A time in microseconds that is beyond the range in nanoseconds is the end of that range")
  func microseconds() {
    #expect(WallClock.timestamp(microseconds: 1_500) == "1970-01-01T00:00:00.001Z")
    #expect(WallClock.timestamp(microseconds: .max) == WallClock.timestamp(nanoseconds: .max))
    #expect(WallClock.timestamp(microseconds: .min) == WallClock.timestamp(nanoseconds: .min))
  }

  private func dayAfter(_ date: (year: Int, month: Int, day: Int)) -> (year: Int, month: Int, day: Int) {
    let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if date.day < lengths[date.month - 1] { return (date.year, date.month, date.day + 1) }
    return date.month < 12 ? (date.year, date.month + 1, 1) : (date.year + 1, 1, 1)
  }
}
