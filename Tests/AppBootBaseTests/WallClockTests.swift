import AppBootBase
import Testing
import AppBootTestSupport

@Suite("WallClock", .ownThread)
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

  @Test("The dates of 500 years follow the calendar's rule without a gap")
  func everyDay() {
    var expected = (year: 1700, month: 1, day: 1)
    for days in Int64(-98_615)..<(-98_615 + 182_621) {
      let text = WallClock.timestamp(nanoseconds: days * 86_400_000_000_000)
      let date = text.prefix(10).split(separator: "-").compactMap { Int($0) }
      guard date == [expected.year, expected.month, expected.day], text.hasSuffix("T00:00:00.000Z") else {
        Issue.record("day \(days) is \(text), not \(expected)")
        return
      }
      expected = dayAfter(expected)
    }
    #expect(expected == (2200, 1, 1))
  }

  private func dayAfter(_ date: (year: Int, month: Int, day: Int)) -> (year: Int, month: Int, day: Int) {
    let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if date.day < lengths[date.month - 1] { return (date.year, date.month, date.day + 1) }
    return date.month < 12 ? (date.year, date.month + 1, 1) : (date.year + 1, 1, 1)
  }
}
