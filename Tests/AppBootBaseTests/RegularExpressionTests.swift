import AppBootBase
import Testing

@Suite("RegularExpression")
struct RegularExpressionTests {
  @Test(
    "An expression matches a part of a text",
    arguments: [
      ("ready", "it is ready now", true), ("^ready", "it is ready", false), ("[0-9]{4}", "port 8080", true),
      ("a|b", "b", true), ("a.*c", "a\u{E9}c", true), ("", "a", true), (#"\."#, "a", false),
      (#"\\d"#, #"\d"#, true),
    ])
  func matches(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try RegularExpression(pattern).matches(text) == isMatch)
  }

  @Test(
    "A text that is not an expression is an error with a reason",
    arguments: ["(", "[a", "a{2", "{", "{.*a", ",{x", #"\d+"#, "a\0"])
  func invalid(pattern: String) {
    let error = #expect(throws: RegularExpression.Invalid.self) { try RegularExpression(pattern) }
    #expect(error?.description.isEmpty == false)
  }

  @Test(
    "An expression of words matches only whole words, if that is requested",
    arguments: [
      ("ready", "already", false), ("ready", "is ready.", true), ("ready to serve", "ready to serve", true),
      ("ready", "unready", false), ("read.", "already", true),
      ("Ready|ready", "address already in use", false), ("Ready|up", "is up.", true),
      (" ready|up", "startup", false), (" ready|up", "is ready", true),
    ])
  func words(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try RegularExpression(pattern, matchesWords: true).matches(text) == isMatch)
  }

  @Test("A class of another dialect is an error with the class to write")
  func dialect() {
    let error = #expect(throws: RegularExpression.Invalid.self) { try RegularExpression(#"port \d+"#) }
    #expect(error?.description == #""\d" is not known: write [0-9]"#)
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
    let error = #expect(throws: RegularExpression.Invalid.self) { try RegularExpression(pattern) }
    #expect(error?.description.isEmpty == false)
  }

  @Test("The longest text of an expression with a loop shrinks with its size")
  func longestText() throws {
    let expressions = ["a{2,}", "(.*a){8}c", "(.*a){64}c", "(.*a){255}c"]
    let lengths = try expressions.map { try RegularExpression($0).longestText }
    #expect(lengths == lengths.sorted(by: >) && Set(lengths).count == lengths.count)
    let last = try RegularExpression("(.*a){255}c")
    #expect(last.matches(String(repeating: "b", count: lengths[3])) == false)
    #expect(last.matches(String(repeating: "b", count: lengths[3] + 1)) == nil)
  }

  @Test(
    "An expression without a loop matches a text of any length", arguments: ["x$", "(a|ba?){9}x", "a{2,3}x"])
  func linear(pattern: String) throws {
    let text = String(repeating: "a", count: 100_000) + "x"
    #expect(try RegularExpression(pattern).matches(text) == true)
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
    #expect(try RegularExpression(pattern).matches(text) == true)
  }
}
