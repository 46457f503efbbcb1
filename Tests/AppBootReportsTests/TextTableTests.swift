import AppBoot
import AppBootReports
import Testing

@Suite("A table of text")
struct TextTableTests {
  private let columns: [TextTable.Column] = [.leading(most: 6), .trailing(), .leading()]

  @Test("A column is as wide as its widest cell, numbers are aligned right, and no line ends with spaces")
  func alignment() {
    let text = TextTable(columns, style: TextStyle(), indent: 2).text([
      ["日本", "9", "words"], ["abcdefgh", "10", ""],
    ])
    #expect(text == "  日本     9  words\n  abcde…  10\n")
  }

  @Test("A row is cut to its limit, but its numbers are not")
  func limit() {
    let table = TextTable(columns, style: TextStyle(), limit: 12)
    #expect(table.text([["a", "10", "many words"]]) == "a  10  many…\n")
    #expect(table.text([["abcdef", "1000000", "words"]]) == "abcdef  1000000\n")
  }

  @Test("A long row continues on the next line")
  func wrapping() {
    let table = TextTable(columns, style: TextStyle(width: 20), wrap: 4)
    #expect(table.text([["a", "10", "words that continue"]]) == "a  10  words that\n    continue\n")
  }

  @Test("A role colours the padding of its cell")
  func roles() {
    let table = TextTable([.leading(least: 3), .leading()], style: TextStyle(usesColor: true))
    #expect(table.line([("a", .success), ("b", .faint)]) == "\u{1B}[32ma  \u{1B}[0m  \u{1B}[2mb\u{1B}[0m")
  }

  @Test("The text beside a name that is too long begins on the next line")
  func definitions() {
    let text = TextStyle().definitions([("a", "one"), ("long", "two three")], indent: 2, most: 3, width: 20)
    #expect(text == "  a    one\n  long\n       two three\n")
  }
}
