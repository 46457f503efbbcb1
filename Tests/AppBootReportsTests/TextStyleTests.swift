import AppBoot
import Testing

@testable import AppBootReports

@Suite("Text style")
struct TextStyleTests {
  private let style = TextStyle()

  @Test("Text is cut by columns, with an ellipsis")
  func fit() {
    #expect(style.fit("hello", to: 5) == "hello")
    #expect(style.fit("hello", to: 4) == "hel…")
    #expect(style.fit("日本語", to: 5) == "日本…")
    #expect(style.fit("日本語", to: 4) == "日…")
    #expect(TextStyle(usesASCII: true).fit("hello world", to: 8) == "hello...")
    #expect(style.fit("hello", to: 0).isEmpty)
  }

  @Test("Text wraps between words, keeps indents, and splits words that are too long")
  func wrap() {
    #expect(style.wrap("one two three", to: 8) == ["one two", "three"])
    #expect(style.wrap("  one two", to: 6) == ["  one", "  two"])
    #expect(style.wrap("abcdefgh", to: 3) == ["abc", "def", "gh"])
    #expect(style.wrap("a\n\nb", to: 10) == ["a", "", "b"])
    #expect(style.wrap("日本語", to: 4) == ["日本", "語"])
    #expect(style.wrap("  42  Groceries and more ", to: 16) == ["  42  Groceries", "  and more"])
    #expect(style.wrap("a   bcdefgh  i", to: 4) == ["a", "bcde", "fgh", "i"])
    #expect(style.wrap("in /usr/local/bin:/usr/bin", to: 12) == ["in", "/usr/local/", "bin:/usr/bin"])
  }

  @Test("Control characters become visible")
  func visible() {
    #expect(style.visible("a\u{1B}[2Jb\nc") == "a<U+001B>[2Jb c")
    #expect(style.visible("grün") == "grün")
    #expect(TextStyle(usesASCII: true).visible("grün") == "gr<U+00FC>n")
  }

  @Test("A line of output keeps its colours in a style with colours, and ends with their reset")
  func colors() {
    let style = TextStyle(usesColor: true)
    #expect(style.visibleOutput("\u{1B}[32mok\u{1B}[0m") == "\u{1B}[32mok\u{1B}[0m")
    #expect(style.visibleOutput("a\u{1B}[1;31mb\u{1B}[K\u{1B}[2J") == "a\u{1B}[1;31mb<U+001B>[2J\u{1B}[0m")
    #expect(style.visible("\u{1B}[32mok\u{1B}[0m") == "ok")
  }

  @Test("A line of output keeps its tabs, and a rewritten line shows only its last part")
  func output() {
    #expect(style.visibleOutput("a\tb") == "a\tb")
    #expect(style.visibleOutput("\u{1B}[31m\tgr\u{FC}n\u{1B}[2J") == "\tgr\u{FC}n<U+001B>[2J")
    #expect(style.visibleOutput(" 10%\r 50%\r100%\r") == "100%")
    #expect(style.visibleOutput("\r").isEmpty)
    var style = style
    style.breaksWorkflowCommands = true
    #expect(style.visibleOutput("a\r\t::error::b") == "\\\t::error::b")
    #expect(style.visibleOutput("a\t::b") == "a\t::b")
  }

  @Test("Workflow commands of GitHub become inert if the style asks for it")
  func workflowCommands() {
    var style = style
    style.breaksWorkflowCommands = true
    #expect(style.visible("::error::a") == "\\::error::a")
    #expect(style.lines("a\n  ::error::b") == ["a", "\\  ::error::b"])
    #expect(style.visible("\u{A0}::error::a") == "\\\u{A0}::error::a")
    #expect(style.visible("\u{0D4E}##[error]a") == "\u{0D4E}##\\[error]a")
    #expect(style.wrap("aaaa aaaa ::error::x", to: 11) == ["aaaa aaaa", "\\::error::x"])
    style.width = 11
    #expect(style.wrapped("aaaa aaaa ::error::x", indent: 2) == "aaaa aaaa\n  \\::error::x")
    #expect(style.visible("a ##[error]b ###[c]") == "a ##\\[error]b ###\\[c]")
    #expect(style.visible("a::b # [c]") == "a::b # [c]")
  }

  @Test("A style without colours returns text unchanged")
  func paint() {
    #expect(style.paint("a", .failure) == "a")
    #expect(TextStyle(usesColor: true).paint("a", .success) == "\u{1B}[32ma\u{1B}[0m")
  }

  @Test("A line wraps between words, and a unit stays with its number")
  func units() {
    let style = TextStyle(width: 24)
    #expect(
      style.wrapped("Notes booted in total in 12.9 ms: 4 steps")
        == "Notes booted in total in\n12.9 ms: 4 steps")
    #expect(style.wrapped("Notes booted in all in 12.9 ms", indent: 2) == "Notes booted in all in\n  12.9 ms")
    #expect(style.wrapped("took so very much as 2m 05s") == "took so very much as\n2m 05s")
    #expect(style.wrap("aaa 12.9 ms, bbb 20 %", to: 8) == ["aaa", "12.9 ms,", "bbb 20 %"])
  }

  @Test("A text is not cut between a number and its unit")
  func cutTimes() {
    let style = TextStyle()
    #expect(style.fit("a 12.9 ms, b 7 ms", to: 12) == "a 12.9 ms, …")
    for columns in 4...8 { #expect(style.fit("a 12.9 ms, b", to: columns) == "a …") }
  }
}
