import AppBoot
import AppBootRecords
import Testing

@Suite("Brief durations")
struct DurationTextTests {
  @Test(
    "The brief form has about three digits",
    arguments: [
      (0, "0 s"), (1, "1 ns"), (999, "999 ns"), (1000, "1.0 µs"), (9949, "9.9 µs"), (9950, "10 µs"),
      (412_400, "412 µs"), (999_499, "999 µs"), (999_500, "1.0 ms"), (3_240_000, "3.2 ms"),
      (82_440_000, "82.4 ms"),
      (99_949_999, "99.9 ms"), (99_950_000, "100 ms"), (250_000_000, "250 ms"), (999_499_999, "999 ms"),
      (999_500_000, "1.00 s"), (1_240_000_000, "1.24 s"), (9_995_000_000, "10.0 s"),
      (42_500_000_000, "42.5 s"),
      (59_949_999_999, "59.9 s"), (59_950_000_000, "1m 00s"), (125_000_000_000, "2m 05s"),
      (3_599_500_000_000, "1h 00m"), (7_500_000_000_000, "2h 05m"), (-3_240_000, "-3.2 ms"),
      (Int64.max, "2562047h 47m"), (Int64.min, "-2562047h 47m"),
    ] as [(Int64, String)])
  func brief(nanoseconds: Int64, text: String) {
    #expect(DurationText.brief(nanoseconds: nanoseconds) == text)
    let ascii = DurationText.brief(nanoseconds: nanoseconds, ascii: true)
    #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
  }
}
