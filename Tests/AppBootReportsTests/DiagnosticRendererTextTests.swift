import AppBoot
import AppBootReports
import Testing
import AppBootTestSupport

@Suite("The text of diagnostics", .ownThread)
struct DiagnosticRendererTextTests {
  private func shown(_ word: String, in text: String, width: Int = 100) -> [String] {
    var writer = DiagnosticRenderer()
    writer.excerptWidth = width
    let diagnostic = Diagnostic.error("wrong", at: SourceRange(of: word, in: text))
    return writer.text([diagnostic], in: SourceText(name: "f.json", text: text))
      .split(separator: "\n").map(String.init)
  }

  @Test("A diagnostic has a location, a message, its line with a marker, and help")
  func form() {
    let text = "{\n\n\n\n\n  \"commands\": [\n    { \"command\": \"InitialScren\" }\n  ]\n}\n"
    let diagnostic = Diagnostic.error(
      "unknown command \"InitialScren\"", at: SourceRange(of: "\"InitialScren\"", in: text),
      help: "did you mean \"InitialScreen\"?")
    #expect(
      DiagnosticRenderer().text([diagnostic], in: SourceText(name: "commands.json", text: text)) == """
        commands.json:7:18: error: unknown command "InitialScren"
            7 |     { "command": "InitialScren" }
              |                  ^~~~~~~~~~~~~~
        help: did you mean "InitialScreen"?

        """)
  }

  @Test("Notes follow their diagnostic, and diagnostics are sorted by position")
  func order() {
    let text = "one two\nthree"
    let diagnostics = [
      .error("second", at: SourceRange(of: "three", in: text)),
      Diagnostic(.warning, "first", at: SourceRange(of: "two", in: text)).noting(
        "see here", at: SourceRange(of: "one", in: text)),
    ]
    #expect(
      DiagnosticRenderer().text(diagnostics, in: SourceText(name: "f", text: text)) == """
        f:1:5: warning: first
            1 | one two
              |     ^~~
        f:1:1: note: see here
            1 | one two
              | ^~~
        f:2:1: error: second
            2 | three
              | ^~~~~

        """)
  }

  @Test("Tabs are expanded to stops of four columns")
  func tabs() {
    #expect(shown("x", in: "\ta\tx y")[1...] == ["    1 |     a   x y", "      |         ^"])
    #expect(shown("a\tb", in: "  a\tb")[1...] == ["    1 |   a b", "      |   ^~~"])
  }

  @Test("A range over several lines is marked to the end of the first line")
  func severalLines() {
    #expect(shown("b\nc", in: "ab\ncd")[1...] == ["    1 | ab", "      |  ^"])
    #expect(shown("{\r\n}", in: "a {\r\n}")[1...] == ["    1 | a {", "      |   ^"])
  }

  @Test("An empty range at the end of the text has its marker after the last character")
  func end() {
    let source = SourceText(name: "f", text: "[1")
    let diagnostic = Diagnostic.error("ends", at: SourceRange(start: 2, end: 2))
    #expect(
      DiagnosticRenderer().text([diagnostic], in: source) == "f:1:3: error: ends\n    1 | [1\n      |   ^\n")
    let empty = SourceText(name: "f", text: "")
    #expect(DiagnosticRenderer().text([diagnostic], in: empty) == "f:1:1: error: ends\n    1 |\n      | ^\n")
    let newline = SourceText(name: "f", text: "[\n")
    #expect(
      DiagnosticRenderer().text([diagnostic], in: newline) == "f:2:1: error: ends\n    2 |\n      | ^\n")
  }

  @Test("A very long line is cut around the marker")
  func longLine() {
    let many = String(repeating: "0123456789", count: 20_000)
    #expect(
      shown("x", in: many + "x" + many, width: 30)[1...] == [
        "    1 | …0123456789x0123456789012345678…", "      |            ^",
      ])
    #expect(
      shown("x", in: "x" + many, width: 30)[1...] == ["    1 | x01234567890123456789012345678…", "      | ^"])
    #expect(
      shown("x", in: many + "x", width: 30)[1...] == [
        "    1 | …12345678901234567890123456789x", "      |                               ^",
      ])
  }

  @Test("A marker is cut with its line")
  func longMarker() {
    let lines = shown(String(repeating: "y", count: 500), in: "x" + String(repeating: "y", count: 500))
    #expect(lines[1].count == 8 + 100 + 1)
    #expect(lines[2] == "      |  ^" + String(repeating: "~", count: 98))
  }

  @Test("Control characters of a file or a message are shown as code points")
  func controls() {
    let text = "\u{1B}[31m \u{202E}x\u{7F}\u{85}"
    let lines = shown("x", in: text)
    #expect(lines[1] == "    1 | <U+001B>[31m <U+202E>x<U+007F><U+0085>")
    #expect(lines[2] == "      |                      ^")
    let source = SourceText(name: "a\u{1B}b\nc", text: "x")
    let diagnostic = Diagnostic.error("a \u{9B}31m", at: SourceRange(start: 0, end: 1), help: "\u{7}")
    let output = DiagnosticRenderer().text([diagnostic], in: source)
    #expect(output.hasPrefix("a<U+001B>b<U+000A>c:1:1: error: a <U+009B>31m\n"))
    #expect(output.hasSuffix("help: <U+0007>\n"))
  }

  @Test("Bytes that are not UTF-8 are shown as replacement characters")
  func invalid() {
    let source = SourceText(name: "f", bytes: [0x61, 0xFF, 0x62])
    let diagnostic = Diagnostic.error("bad", at: SourceRange(start: 1, end: 2))
    #expect(
      DiagnosticRenderer().text([diagnostic], in: source)
        == "f:1:2: error: bad\n    1 | a\u{FFFD}b\n      |  ^\n")
  }

  @Test("The 500 diagnostics of one long line are all shown")
  func manyInOneLine() {
    let source = SourceText(name: "f", text: String(repeating: "ab日", count: 2_000))
    let diagnostics = (0..<500).map {
      Diagnostic.error("here", at: SourceRange(start: UInt32($0 * 20), end: UInt32($0 * 20 + 1)))
    }
    let output = DiagnosticRenderer().text(diagnostics, in: source)
    let places = output.split(separator: "\n").filter { $0.hasSuffix("here") }
    #expect(places.count == 500)
    #expect(places.last == "f:1:5989: error: here")
  }
}
