import AppBoot
import Testing

@Suite("Joined strings")
struct JoinedTests {
  @Test(
    "Joined strings have the same bytes as in the standard library",
    arguments: [[], [""], ["a"], ["", ""], ["a", "", "b"], ["e", "\u{301}"], ["\u{1F1E9}", "\u{1F1EA}"]])
  func joined(strings: [String]) {
    for separator in ["", ", ", "\u{301}"] {
      let bytes = Array(strings.map { Array($0.utf8) }.joined(separator: Array(separator.utf8)))
      #expect(Array(strings.joined(separator: separator).utf8) == bytes)
    }
  }
}
