@testable import AppBootReports
import Testing

@Suite("Markup")
struct MarkupTests {
  @Test("Foreign text cannot become an element or end an attribute")
  func structure() {
    let text = Markup.visible("<script a=\"1\" b='2'>]]>&amp;</script>")
    #expect(text == "&lt;script a=&quot;1&quot; b=&#39;2&#39;&gt;]]&gt;&amp;amp;&lt;/script&gt;")
  }

  @Test("Colours are left out, other controls become visible, and emoji and scripts stay")
  func visible() {
    #expect(
      Markup.visible("\u{1B}[31mred\u{1B}[0m\u{1B}]\u{202E}x\ny") == "red&lt;U+001B&gt;]&lt;U+202E&gt;x y")
    #expect(Markup.visible("👩‍👩‍👧‍👦 שלום नमस्ते") == "👩‍👩‍👧‍👦 שלום नमस्ते")
    #expect(
      Markup.visible("a\u{E0041}\u{61C}\u{200E}\u{200F}")
        == "a&lt;U+E0041&gt;&lt;U+061C&gt;&lt;U+200E&gt;&lt;U+200F&gt;")
    #expect(Markup.visible("\u{FFFE}\u{1FFFF}") == "\u{FFFD}\u{FFFD}")
    #expect(Markup.visibleLines("a\n ::error::b\n##[c] #[d]") == "a\n &#58;:error::b\n##&#91;c] #[d]")
  }

  @Test("XML text leaves out forbidden characters and keeps line breaks in attributes")
  func xml() {
    #expect(Markup.xml("a\u{0}\u{8}b\u{1B}[1m\u{7F}\u{85}\u{FFFF}c") == "abc")
    #expect(Markup.xml("one\ntwo\tthree\r") == "one&#10;two&#9;three&#13;")
    #expect(Markup.xml("\u{202E}a##vso[b]") == "&#8238;a##vso&#91;b]")
    #expect(Markup.xml("\u{61C}\u{E0041}x") == "&#1564;&#917569;x")
    #expect(Markup.xml("##\u{7F}[error]x ##\u{1}vso[y]") == "##&#91;error]x ##vso&#91;y]")
  }

  @Test("Foreign text stays text in Markdown")
  func markdown() {
    let code = MarkdownText.code("| `a` **b** [c](d) <b> @user #1 www.x.y\nz")
    #expect(
      !code.dropFirst("<code>".count).dropLast("</code>".count).contains { "|`*[]()<>@\n".contains($0) })
    #expect(code.contains("www&#46;x.y z"))
    #expect(MarkdownText.code("\u{1B}[31mred\u{1B}[0m") == "<code>red</code>")
    #expect(MarkdownText.block("a\n\n</pre>\n- b") == "<pre>\na\n\n&#60;/pre&#62;\n- b\n</pre>\n")
  }
}

@Suite("Time numbers")
struct TimeNumbersTests {
  @Test("Times are exact decimals")
  func decimals() {
    #expect(TimeNumbers.seconds(41_000_001) == "0.041000001")
    #expect(TimeNumbers.seconds(0) == "0.000000000")
    #expect(TimeNumbers.microseconds(1_234_567) == "1234.567")
    #expect(TimeNumbers.seconds(-1) == "-0.000000001")
    #expect(TimeNumbers.seconds(.min) == "-9223372036.854775808")
  }

  @Test("Shares are between 0 and 100 percent")
  func percent() {
    #expect(TimeNumbers.percent(1, of: 8) == "12.500")
    #expect(TimeNumbers.percent(9, of: 8) == "100.000")
    #expect(TimeNumbers.percent(-1, of: 8) == "0.000")
    #expect(TimeNumbers.percent(1, of: 0) == "0")
  }

  @Test("An axis has round ticks", arguments: [(126, 6), (1, 5), (1_000_000, 8), (Int64.max / 2, 5)])
  func ticks(end: Int64, count: Int) {
    let times = AxisTicks(until: end, atMost: count).times
    #expect(times.first == 0)
    #expect(times.count <= count + 1)
    #expect(times.allSatisfy { $0 <= end })
  }
}
