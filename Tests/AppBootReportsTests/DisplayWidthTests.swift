import AppBootReports
import Testing

@Suite("The display width of a text")
struct DisplayWidthTests {
  @Test(
    "A text has as many columns as on a terminal",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇨🇭", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2),
      ("☎\u{FE0E}", 1), ("⌚", 2), ("…", 1), ("→", 1), ("█", 1), ("─", 1), ("\u{200B}", 0), ("\u{1B}", 0),
      ("\u{7F}", 0), ("\u{FEFF}", 0), ("a\u{200D}", 1), ("、", 2), ("\u{303F}", 1), ("𠀀", 2), ("ש", 1),
      ("שּׁ", 1),
      ("क्ष", 2), ("\u{AD}", 1), ("±", 1), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    ])
  func widths(text: String, columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test("Padding counts columns, not characters")
  func padding() {
    #expect(DisplayWidth.pad("日本", to: 6) == "日本  ")
    #expect(DisplayWidth.pad("long", to: 2) == "long")
  }
}
