import Testing

@testable import AppBoot

@Suite("Lists in a sentence")
struct QuotedTests {
  @Test("A list that is cut ends with the number of the other texts")
  func lists() {
    #expect(["a", "b", "c", "d"].listed(atMost: 2) == "a, b and 2 more")
    #expect(["a", "b"].listed(atMost: 2, separator: " and ") == "a and b")
  }
}
