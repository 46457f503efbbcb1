import AppBoot
import AppBootTestSupport
import Testing

@Suite("Durations as text")
struct DurationTextTests {
  @Test(
    "A text of numbers with units is an exact duration",
    arguments: [
      ("500us", .microseconds(500)), ("500µs", .microseconds(500)), ("500μs", .microseconds(500)),
      ("250ms", .milliseconds(250)), ("2s", .seconds(2)), ("1m30s", .seconds(90)), ("1h", .seconds(3600)),
      ("100ns", .nanoseconds(100)), ("1.5s", .milliseconds(1500)), ("0s", .zero),
      ("0.1s", .milliseconds(100)),
      ("1h2m3s4ms5us6ns", .seconds(3723) + .nanoseconds(4_005_006)), ("0.5m", .seconds(30)),
      ("90s", .seconds(90)),
      ("007s", .seconds(7)), ("0.000000001s", .nanoseconds(1)), ("1.250s", .milliseconds(1250)),
      ("9223372036854775807ns", .nanoseconds(Int64.max)), ("0.000000000000000000000s", .zero),
    ] as [(String, Duration)])
  func parses(text: String, duration: Duration) throws {
    #expect(try DurationText.parse(text) == duration)
  }

  @Test(
    "An invalid duration is refused with a reason and help",
    arguments: [
      ("", .empty), ("250", .missingUnit("250")), ("1m30", .missingUnit("30")), ("1.5", .missingUnit("1.5")),
      ("2x", .unknownUnit("x")), ("2 s", .unknownUnit(" s")), ("2S", .unknownUnit("S")),
      ("1d", .unknownUnit("d")),
      ("5min", .unknownUnit("min")), ("30s1m", .unitOrder("m", after: "s")), ("1s2s", .repeatedUnit("s")),
      ("-1s", .negative("-1s")), ("300y", .unknownUnit("y")), ("9999999999999h", .tooLong("9999999999999h")),
      ("9223372036854775808ns", .tooLong("9223372036854775808ns")), ("ms", .malformed("ms")),
      (".5s", .malformed(".5s")),
      ("1.s", .malformed("1.s")), ("+1s", .malformed("+1s")), (" 1s", .malformed(" 1s")),
      ("1..5s", .malformed("1..5s")),
      ("1.5.5s", .missingUnit("1.5")), ("1s ", .unknownUnit("s ")), ("０s", .malformed("０s")),
      ("0.0000000001s", .tooFine("0.0000000001s")), ("0.5ns", .tooFine("0.5ns")),
    ] as [(String, DurationTextError)])
  func refuses(text: String, reason: DurationTextError) {
    #expect(throws: reason) { try DurationText.parse(text) }
    #expect(!reason.description.isEmpty && !reason.help.isEmpty)
  }

  @Test("A number of a million digits is too long and does not overflow")
  func digits() {
    let text = String(repeating: "9", count: 1_000_000) + "s"
    #expect(throws: DurationTextError.tooLong(text)) { try DurationText.parse(text) }
  }

  @Test("A duration error has a description and help")
  func wording() {
    #expect(DurationTextError.missingUnit("250").description == "\"250\" has no unit")
    #expect(
      DurationTextError.missingUnit("250").help
        == "write \"250s\" or \"250ms\"; the units are h, m, s, ms, us, ns")
    #expect(DurationTextError.unknownUnit("min").help == "write \"m\"; the units are h, m, s, ms, us, ns")
    #expect(
      DurationTextError.unitOrder("m", after: "s").description == "\"m\" follows the shorter unit \"s\"")
  }

  @Test(
    "Each duration has one canonical form",
    arguments: [
      ("0ms", "0s"), ("90s", "1m30s"), ("1500ms", "1.5s"), ("250ms", "250ms"), ("1000us", "1ms"),
      ("3600s", "1h"),
      ("1h0.5s", "1h500ms"), ("61.25s", "1m1.25s"), ("1234us", "1.234ms"), ("1ns", "1ns"),
      ("86400s", "24h"), ("3661s", "1h1m1s"),
    ])
  func canonical(text: String, exact: String) throws {
    #expect(DurationText.exact(try DurationText.parse(text)) == exact)
  }

  @Test("The canonical form reads back as the same duration")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 42)
    for _ in 0..<2000 {
      let nanoseconds = Int64(random.next() >> (1 + random.below(62)))
      let duration = Duration.nanoseconds(nanoseconds)
      #expect(try DurationText.parse(DurationText.exact(duration)) == duration)
    }
    #expect(DurationText.exact(.milliseconds(-1500)) == "-1.5s")
  }
}
