import AppBoot
import AppBootReports
import Testing

@Suite("The diagnostic renderer")
struct DiagnosticRendererTests {
  private func shown(_ word: String, in text: String, _ renderer: DiagnosticRenderer = .init()) -> [String] {
    let diagnostic = Diagnostic.error("wrong", at: SourceRange(of: word, in: text))
    return renderer.text([diagnostic], in: SourceText(name: "f.json", text: text)).split(separator: "\n")
      .map(String.init)
  }

  @Test("Wide characters and emoji take two columns")
  func wide() {
    #expect(shown("x", in: "日本 x")[1...] == ["    1 | 日本 x", "      |      ^"])
    #expect(shown("本", in: "日本")[1...] == ["    1 | 日本", "      |   ^~"])
    #expect(shown("x", in: "👨‍👩‍👧🇨🇭❤️x")[1...] == ["    1 | 👨‍👩‍👧🇨🇭❤️x", "      |       ^"])
    #expect(shown("x", in: "e\u{301}x")[1...] == ["    1 | e\u{301}x", "      |  ^"])
  }

  @Test("Only coloured text has escape sequences, and otherwise it is the same as plain text")
  func color() {
    let source = SourceText(name: "f", text: "x")
    let diagnostic = Diagnostic.error("wrong", at: SourceRange(start: 0, end: 1), help: "right")
    let plain = DiagnosticRenderer().text([diagnostic], in: source)
    let colored = DiagnosticRenderer(usesColor: true).text([diagnostic], in: source)
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    var stripped = ""
    var isEscape = false
    for character in colored {
      if character == "\u{1B}" { isEscape = true } else if !isEscape { stripped.append(character) }
      if character == "m" { isEscape = false }
    }
    #expect(stripped == plain)
  }

  @Test("ASCII text replaces all other characters, and its marker stays in place")
  func ascii() {
    let lines = shown("x", in: "é→x", DiagnosticRenderer(usesASCII: true))
    #expect(lines[1...] == ["    1 | <U+00E9>->x", "      |           ^"])
  }

  @Test("A long line is cut around the marker by columns, with an ellipsis in the characters of the style")
  func longLine() {
    let many = String(repeating: "0123456789", count: 20_000)
    #expect(
      shown("x", in: many + "x", DiagnosticRenderer(usesASCII: true, excerptWidth: 30))[1].contains("| ...1"))
    let wide = String(repeating: "日", count: 1000)
    #expect(
      shown("x", in: wide + "x" + wide, DiagnosticRenderer(excerptWidth: 30))[1...] == [
        "    1 | …日日日日日x日日日日日日日日日…", "      |            ^",
      ])
  }
}
