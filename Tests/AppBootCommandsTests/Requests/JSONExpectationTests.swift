import AppBoot
import Testing

@testable import AppBootCommands

@Suite("The JSON that a response must contain")
struct JSONExpectationTests {
  private func value(_ text: String) throws -> JSONValue {
    try JSONDocument(parsing: SourceText(name: "test", text: text)).root
  }

  private func difference(_ expected: String, _ answer: String) throws -> String? {
    JSONExpectation(value: try value(expected)).difference(from: try value(answer))
  }

  @Test(
    "A response contains a value: objects may have more members, and notation does not count",
    arguments: [
      ("{}", #"{ "a": 1 }"#), (#"{ "a": { "b": 2 } }"#, #"{ "x": 0, "a": { "b": 2, "c": 3 } }"#),
      ("1.0", "1"), ("[1, [], null]", "[1,[],null]"), (#"[{ "a": 1, "b": 2 }]"#, #"[{ "b": 2, "a": 1 }]"#),
      (#""\u00e4""#, #""ä""#), ("true", "true"), ("null", "null"),
    ])
  func contains(expected: String, answer: String) throws {
    #expect(try difference(expected, answer) == nil)
  }

  @Test(
    "The first difference names its path, the found value and the expected value",
    arguments: [
      (#"{ "a": { "b": 2 } }"#, #"{ "a": {} }"#, #"without "a.b""#),
      (#"{ "a": "x" }"#, #"{ "a": null }"#, #"with "a": null, expected "x""#),
      ("[1, 2]", "[1]", "with [1], expected [1, 2]"), ("1", #""1""#, #"with "1", expected 1"#),
      (#"{ "a": 1 }"#, "[]", #"with [], expected { "a": 1 }"#),
      (#"[{ "a": 1 }]"#, #"[{ "a": 1, "b": 2 }]"#, #"with [{ "a": 1, "b": 2 }], expected [{ "a": 1 }]"#),
    ])
  func differs(expected: String, answer: String, words: String) throws {
    #expect(try difference(expected, answer) == words)
  }

  @Test(
    "Numbers are equal if their values are",
    arguments: [
      ("1000", "1e3", true), ("1.50", "15e-1", true), ("0", "-0.0e7", true), ("1e30", "10E29", true),
      ("9007199254740993", "9007199254740992", false), ("1e400", "2e400", false), ("1", "-1", false),
      ("1e99999999999999999999", "1e99999999999999999998", false),
      ("1e99999999999999999999", "1e99999999999999999999", true),
    ])
  func numbers(expected: String, answer: String, isEqual: Bool) throws {
    #expect((try difference(expected, answer) == nil) == isEqual)
  }

  @Test("A long value is shortened")
  func long() throws {
    let found = try difference("1", #""\#(String(repeating: "x", count: 500))""#) ?? ""
    #expect(found.hasPrefix(#"with "xxx"#) && found.hasSuffix("x…, expected 1") && found.count < 110)
  }
}
