import Testing

@testable import AppBootSystem

@Suite("LineJoiner")
struct LineJoinerTests {
  /// Joins parts of the two streams; each comes one nanosecond after the one before.
  private func join(
    _ parts: [(CapturedStream, String)], _ joiner: LineJoiner = LineJoiner(), flushes: Bool = true
  ) -> String {
    var joiner = joiner
    var joined: [UInt8] = []
    for (time, (stream, text)) in parts.enumerated() {
      Array(text.utf8).withUnsafeBytes { joiner.append($0, from: stream, at: Int64(time), into: &joined) }
    }
    if flushes { for stream in CapturedStream.allCases { joiner.flush(stream, into: &joined) } }
    return String(decoding: joined, as: UTF8.self)
  }

  @Test("The bytes of one stream pass unchanged")
  func one() {
    #expect(join([(.output, "a"), (.output, "b\n\nc\r"), (.output, "\nd")]) == "ab\n\nc\r\nd")
  }

  @Test("A line of one stream is not inserted into a line of the other")
  func two() {
    #expect(
      join([(.output, "o1 "), (.errors, "e1\ne2 "), (.output, "o1\n"), (.errors, "e2\n")])
        == "e1\no1 o1\ne2 e2\n")
  }

  @Test("The unfinished last line of each stream becomes a line of its own")
  func last() {
    #expect(join([(.output, "out"), (.errors, "err")]) == "out\nerr")
  }

  @Test("The beginning of a line is held back until it is flushed")
  func held() {
    #expect(join([(.output, "one\ntwo")], flushes: false) == "one\n")
  }

  @Test("After a flush, a line continues at once if the other stream did not print")
  func flushed() {
    var joiner = LineJoiner()
    var joined: [UInt8] = []
    Array("wait".utf8).withUnsafeBytes { joiner.append($0, from: .output, at: 5, into: &joined) }
    joiner.flush(.output, heldBy: 4, into: &joined)
    #expect(joined.isEmpty && joiner.heldSince == 5)
    joiner.flush(.output, heldBy: 5, into: &joined)
    #expect(joiner.heldSince == nil && joiner.openStream == .output)
    #expect(String(decoding: joined, as: UTF8.self) == "wait")
    #expect(join([(.output, "..."), (.output, "\n")], joiner, flushes: false) == "...\n")
    #expect(join([(.errors, "e\n"), (.output, "o\n")], joiner) == "\ne\no\n")
  }

  @Test("A long line is not held back")
  func long() {
    let text = String(repeating: "x", count: LineJoiner.limit + 1)
    #expect(join([(.output, text)], flushes: false) == text)
    #expect(join([(.output, text), (.errors, "e\n")], flushes: false) == text + "\ne\n")
  }

  @Test("Another process does not continue an unfinished line")
  func process() {
    var joiner = LineJoiner(open: .output)
    joiner.beginProcess()
    #expect(join([(.output, "b\n")], joiner) == "\nb\n")
    #expect(join([(.output, "b\n")], LineJoiner(open: .output)) == "b\n")
  }

  @Test("The last line feed is found in any block", arguments: [0, 1, 1023, 1024, 5000])
  func lastLineFeed(_ place: Int) {
    var bytes = [UInt8](repeating: 0x78, count: 5001)
    #expect(bytes.withUnsafeBytes(\.lastLineFeed) == nil)
    bytes[place] = 0x0A
    #expect(bytes.withUnsafeBytes(\.lastLineFeed) == place)
  }
}
