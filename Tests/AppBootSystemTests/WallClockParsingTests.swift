import AppBootSystem
import Testing

@Suite("The parsing of times")
struct WallClockParsingTests {
  @Test(
    "A time is read as it was written", arguments: [0, 951_782_400_123_000_000, 4_107_542_399_999_000_000])
  func roundTrip(nanoseconds: Int64) {
    #expect(WallClock.nanoseconds(of: WallClock.timestamp(nanoseconds: nanoseconds)) == nanoseconds)
  }

  @Test(
    "Text in another format is not a time",
    arguments: [
      "", "2026", "2026-07-28T09:05:03Z", "2026-07-28T09:05:03.25Z", "a-b-cTd:e:f.gZ",
      "999999-01-01T00:00:00.000Z",
      "2026-41000000-28T09:05:03.250Z",
    ])
  func others(text: String) {
    #expect(WallClock.nanoseconds(of: text) == nil)
  }
}
