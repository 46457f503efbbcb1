import AppBoot
import AppBootTestSupport
import Testing

@Suite("Locations in a text")
struct SourceTextTests {
  @Test("CRLF, LF and a lone CR end a line")
  func lineEnds() {
    let source = SourceText(name: "t", text: "a\nb\r\nc\rd\n")
    let lines = SourceLines(source)
    let places = (0...source.bytes.count).map { lines.location(of: $0).description }
    #expect(places == ["1:1", "1:2", "2:1", "2:2", "2:3", "3:1", "3:2", "4:1", "4:2", "5:1"])
  }

  @Test("A column is one character of any number of bytes")
  func columns() {
    let source = SourceText(name: "t", text: "é日👨‍👩‍👧e\u{301}🇨🇭x")
    let lines = SourceLines(source)
    let end = source.bytes.count
    #expect(lines.location(of: 2).column == 2)
    #expect(lines.location(of: 5).column == 3)
    #expect(lines.location(of: end - 1).column == 6)
    #expect(lines.location(of: end).column == 7)
  }

  @Test("Offsets outside a text are clamped to its ends")
  func outside() {
    let lines = SourceLines(SourceText(name: "t", text: "ab\nc"))
    #expect(lines.location(of: -5) == SourceLocation(line: 1, column: 1))
    #expect(lines.location(of: 99) == SourceLocation(line: 2, column: 2))
    #expect(
      SourceLines(SourceText(name: "t", text: "")).location(of: 0) == SourceLocation(line: 1, column: 1))
  }

  @Test("Each byte that is not UTF-8 is one column")
  func invalid() {
    let lines = SourceLines(SourceText(name: "t", bytes: [0x61, 0xFF, 0xFE, 0x62, 0x0A, 0xC3]))
    #expect(lines.location(of: 3) == SourceLocation(line: 1, column: 4))
    #expect(lines.location(of: 6) == SourceLocation(line: 2, column: 2))
  }

  /// A text with very long lines and characters of several code points.
  private func longText() -> SourceText {
    let pieces = ["plain ascii text ", "日本語", "e\u{301}", "👩‍🚀", "\r\n", "\t"]
    var random = SeededGenerator(seed: 7)
    let text = (0..<4000).map { _ in pieces[random.below(random.below(40) == 0 ? 6 : 4)] }.joined()
    return SourceText(name: "t", text: text)
  }

  @Test("The locations of many offsets are those of each one, in any order")
  func manyOffsets() {
    let source = longText()
    let lines = SourceLines(source)
    var random = SeededGenerator(seed: 3)
    let offsets = (0..<300).map { _ in random.below(source.bytes.count + 2) }
    #expect(lines.locations(of: offsets) == offsets.map(lines.location))
    #expect(lines.locations(of: offsets.sorted()) == offsets.sorted().map(lines.location))
  }

  @Test("A line table has the same locations as counting, even in very long lines")
  func longLines() {
    let source = longText()
    let text = String(decoding: source.bytes, as: UTF8.self)
    let lines = SourceLines(source)
    var line = 1
    var column = 1
    var offset = 0
    for character in text {
      #expect(lines.location(of: offset) == SourceLocation(line: line, column: column))
      offset += character.utf8.count
      (line, column) = character == "\r\n" ? (line + 1, 1) : (line, column + 1)
    }
    #expect(lines.location(of: offset) == SourceLocation(line: line, column: column))
  }

  @Test("Ranges sort by start, then by end, and never end before they start")
  func ranges() {
    let ranges = [
      SourceRange(start: 3, end: 4), SourceRange(start: 1, end: 9), SourceRange(start: 1, end: 2),
    ]
    #expect(ranges.sorted().map(\.end) == [2, 9, 4])
    #expect(SourceRange(start: 5, end: 2).end == 5)
  }
}
