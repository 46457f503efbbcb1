import AppBootSystem
import Testing

@Suite("WallClock in microseconds")
struct WallClockTests {
  @Test("A time in microseconds that is beyond the range in nanoseconds is the end of that range")
  func microseconds() {
    #expect(WallClock.timestamp(microseconds: 1_500) == "1970-01-01T00:00:00.001Z")
    #expect(WallClock.timestamp(microseconds: .max) == WallClock.timestamp(nanoseconds: .max))
    #expect(WallClock.timestamp(microseconds: .min) == WallClock.timestamp(nanoseconds: .min))
  }
}
