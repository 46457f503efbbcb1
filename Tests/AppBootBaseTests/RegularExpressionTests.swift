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

  @Test("A class of another dialect is an error with the class to write")
  func dialect() {
    let error = #expect(throws: RegularExpression.Invalid.self) { try RegularExpression(#"port \d+"#) }
    #expect(error?.description == #""\d" is not known: write [0-9]"#)
  }
}
