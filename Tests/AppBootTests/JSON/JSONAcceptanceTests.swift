import AppBoot
import AppBootTestSupport
import Testing

/// Texts that RFC 8259 allows, from the `y_` cases of JSONTestSuite (github.com/nst/JSONTestSuite).
@Suite("Valid JSON")
struct JSONAcceptanceTests {
  @Test(
    "Every text that RFC 8259 allows is read",
    arguments: [
      "[[]   ]", "[\"\"]", "[]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]",
      "[1,null,null,null,2]", "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.000000000000000000001]",
      "[20e1]", "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]",
      "[1e+2]", "[123]", "[123.456789]", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"asd\":\"sdf\"}", "{}",
      "{\"\":0}", "{\"foo\\u0000bar\": 42}", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\"a\":[]}",
      "{\n\"a\": \"b\"\n}", "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]",
      "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]",
      "[\"\\\"\"]",
      "[\"a/*b*/c/*d//e\"]", "[\"\\\\a\"]", "[\"\\\\n\"]", "[\"\\u0012\"]", "[\"\\uFFFF\"]", "[\"asd\"]",
      "[ \"asd\"]", "[\"\\uDBFF\\uDFFF\"]", "[\"new\\u00A0line\"]", "[\"\u{10FFFF}\"]", "[\"\u{FFFF}\"]",
      "[\"\\u0000\"]", "[\"\\u002c\"]", "[\"π\"]", "[\"\u{1BFFF}\"]", "[\"asd \"]", "\" \"",
      "[\"\\uD834\\uDd1e\"]", "[\"\\u0821\"]", "[\"\u{2028}\"]", "[\"\u{2029}\"]", "[\"\\u005C\"]",
      "[\"\u{7F}\"]", "[\"\\u0022\"]", "[\"€𝄞\"]", "[\"a\u{7F}a\"]", "false", "42", "-0.1", "null", "\"asd\"",
      "true", "\"\"", "[\"a\"]\n", "[true]", " [] ", "\r\n\t [\t1\r,\n2 ] ", "[1e400]", "[-1e-400]",
      "[100000000000000000000]", "[\"\u{FEFF}\"]", "[\"e\u{301}\"]",
    ])
  func accepts(text: String) throws {
    let document = try read(text)
    #expect(document.duplicateKeys.isEmpty)
    #expect(document.root.text.utf8.count <= text.utf8.count)
  }

  @Test("Nesting may be 512 levels deep, and the next bracket is an error")
  func depth() throws {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    var value = try read(deepest).root
    var depth = 1
    while let inner = value.elements.first { (value, depth) = (inner, depth + 1) }
    #expect(depth == 512)

    let mistakes = mistakes("[" + deepest + "]")
    #expect(mistakes.map(\.message) == ["arrays and objects are nested more than 512 deep"])
    #expect(mistakes.first?.range == SourceRange(start: 512, end: 513))
  }

  @Test("A hundred thousand opening brackets are one error")
  func brackets() {
    #expect(mistakes(String(repeating: "[", count: 100_000)).count == 1)
    #expect(mistakes(String(repeating: "{\"a\":", count: 100_000)).count == 1)
  }

  @Test("A string has its characters, with every escape resolved")
  func strings() throws {
    let text = #"["", "plain", "\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20AC", "\uD83D\uDE00", "é😀", "a\u0000b"]"#
    let strings = try read(text).root.elements.map(\.string)
    #expect(strings == ["", "plain", "\"\\/\u{8}\u{C}\n\r\t", "Aé€", "😀", "é😀", "a\0b"])
  }

  @Test("Members and elements have the order and the ranges of the text")
  func order() throws {
    let root = try read(#"{ "a": [1, {"b": null}, []], "é": true }"#).root
    #expect(root.kind == .object)
    #expect(root.members.map { $0.key.string } == ["a", "é"])
    #expect(root.members.map { root.source.text(in: $0.key.range) } == ["\"a\"", "\"é\""])
    let array = try #require(root["a"])
    #expect(array.text == "[1, {\"b\": null}, []]")
    #expect(array.elements.map(\.kind) == [.number, .object, .array])
    #expect(array.elements.map(\.text) == ["1", "{\"b\": null}", "[]"])
    #expect(array.elements.count == 3)
    #expect(root.members.count == 2)
    #expect(root["é"]?.bool == true)
    #expect(root["e\u{301}"] == nil, "a decomposed é is a different key")
    #expect(root["c"] == nil)
    #expect(array["a"] == nil)
    #expect(root.elements.isEmpty)
    #expect(array.members.isEmpty)
    #expect(Array(array.elements.dropFirst())[0]["b"]?.isNull == true)
  }

  @Test("A key is compared by code points, with escapes resolved")
  func keys() throws {
    let root = try read(#"{"command": 1, "x-note": 2, "\u0069d": 3}"#).root
    #expect(root.members.map { $0.key == "id" } == [false, false, true])
    #expect(root.members.map { $0.key.hasPrefix("x-") } == [false, true, false])
    #expect(root["id"]?.text == "3")
  }

  @Test("A string is compared by code points, with escapes resolved")
  func comparing() throws {
    let values = try read(#"["stop", "st\u006fp", "stopp", 1]"#).root.elements
    #expect(values.map { $0.isString("stop") } == [true, true, false, false])
  }

  @Test("Duplicate keys are collected, even if they are written with escapes")
  func duplicates() throws {
    let document = try read(
      #"{"a": 1, "b": {"c": 1, "c": 2}, "\u0061": 3, "a": 4, "\u00e9": 5, "e\u0301": 6}"#)
    #expect(document.duplicateKeys.map(\.key) == ["c", "a", "a"])
    #expect(document.duplicateKeys.map(\.first.start) == [15, 1, 1])
    #expect(document.duplicateKeys.map(\.second.start) == [23, 32, 45])
    #expect(document.root["a"]?.text == "1")
    let diagnostic = document.duplicateKeys[0].diagnostic
    #expect(diagnostic.message == "duplicate key \"c\"")
    #expect(
      diagnostic.notes == [Diagnostic.Note("the first is here", at: document.duplicateKeys[0].first)])
  }

  @Test("Duplicate keys are found in an object with 20,000 keys")
  func manyKeys() throws {
    let keys = (0..<20_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
    let document = try read("{\(keys),\"key7\":0,\"\\u006bey19999\":0}")
    #expect(document.duplicateKeys.map(\.key) == ["key7", "key19999"])
    #expect(
      document.duplicateKeys.map { document.source.text(in: $0.first) } == ["\"key7\"", "\"key19999\""])
    #expect(document.root.members.count == 20_002)
  }
}

/// Reads a text that must be JSON.
func read(_ text: String) throws(JSONError) -> JSONDocument {
  try JSONDocument(parsing: SourceText(name: "test.json", text: text))
}

/// Returns the mistakes that reading a text reports.
func mistakes(_ text: String) -> [Diagnostic] { mistakes(Array(text.utf8)) }

/// Returns the mistakes that reading bytes reports.
func mistakes(_ bytes: [UInt8]) -> [Diagnostic] {
  do throws(JSONError) {
    _ = try JSONDocument(parsing: SourceText(name: "test.json", bytes: bytes))
    return []
  } catch {
    return error.diagnostics
  }
}
