import AppBootSystem
import Testing

@Suite("SearchExpression")
struct SearchExpressionTests {
  @Test(
    "An expression of words matches only whole words, if that is requested",
    arguments: [
      ("ready", "already", false), ("ready", "is ready.", true), ("ready to serve", "ready to serve", true),
      ("ready", "unready", false), ("read.", "already", true),
      ("Ready|ready", "address already in use", false), ("Ready|up", "is up.", true),
      (" ready|up", "startup", false), (" ready|up", "is ready", true),
    ])
  func words(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try SearchExpression(pattern, matchesWords: true).matches(text) == isMatch)
  }

  @Test(
    "An expression that takes too much time or memory is refused",
    arguments: [
      "a{1,32767}", "((a{1,99}){1,99}){1,99}", "(a{1,200}){1,200}", "a{256}",
      "((a{99})*{99})*{99}", "[[:digit:]]{300}", #"(a*)\1"#, #"(.*)(.*)\1\2x"#,
      #"(a|aa)\1"#,
      String(repeating: "a", count: 1001),
    ])
  func tooLarge(pattern: String) {
    let error = #expect(throws: RegularExpression.Invalid.self) { try SearchExpression(pattern) }
    #expect(error?.description.isEmpty == false)
  }

  @Test("The longest text of an expression with a loop shrinks with its size")
  func longestText() throws {
    let expressions = ["a{2,}", "(.*a){8}c", "(.*a){64}c", "(.*a){255}c"]
    let lengths = try expressions.map { try SearchExpression($0).longestText }
    #expect(lengths == lengths.sorted(by: >) && Set(lengths).count == lengths.count)
    let last = try SearchExpression("(.*a){255}c")
    #expect(last.matches(String(repeating: "b", count: lengths[3])) == false)
    #expect(last.matches(String(repeating: "b", count: lengths[3] + 1)) == nil)
  }

  @Test(
    "An expression without a loop matches a text of any length", arguments: ["x$", "(a|ba?){9}x", "a{2,3}x"])
  func linear(pattern: String) throws {
    let text = String(repeating: "a", count: 100_000) + "x"
    #expect(try SearchExpression(pattern).matches(text) == true)
  }

  @Test(
    "A moderate repetition is an expression",
    arguments: [
      ("a{1,255}", "a"), ("(ab{2}){3}", "abbabbabb"), ("[{]{2}", "{{"),
      (#"\{300"#, "{300"),
      ("[]a{999}]+", "{"),
      ("(a|b{2,}){0,9}c", "bbc"), (#"(a)\1"#, "aa"),
      (#"(a)[*]\1"#, "a*a"), (#"[\1]+"#, "1"),
    ])
  func moderate(pattern: String, text: String) throws {
    #expect(try SearchExpression(pattern).matches(text) == true)
  }
}
