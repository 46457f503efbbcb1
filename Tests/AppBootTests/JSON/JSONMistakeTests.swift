import AppBoot
import Testing

/// Texts that RFC 8259 forbids, from the `n_` and `i_` cases of JSONTestSuite (github.com/nst/JSONTestSuite).
@Suite("Invalid JSON")
struct JSONMistakeTests {
  /// A text with one mistake, the range of the mistake, and its message.
  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var marked: Range<UInt32>
    var message: String
    var testDescription: String { text }

    init(_ text: String, _ marked: Range<UInt32>, _ message: String) {
      (self.text, self.marked, self.message) = (text, marked, message)
    }
  }

  @Test("A text whose name ends in .jsonc may have comments")
  func commentsOfJSONC() throws {
    let text = "// one\n{ /* two */ \"a\": [1, // three\n 2] }\n"
    let root = try JSONDocument(parsing: SourceText(name: "a.jsonc", text: text)).root
    #expect(root["a"]?.elements.count == 2)
    let error = #expect(throws: JSONError.self) {
      try JSONDocument(parsing: SourceText(name: "a.jsonc", text: "[1] # x"))
    }
    #expect(error?.diagnostics.map(\.message) == ["JSONC has no comments with #"])
  }

  @Test(
    "A text in another format is named at its first line",
    arguments: [
      Case("version: 1\ncommands:\n", 0..<10, "this is YAML; AppBoot reads JSON"),
      Case("# x\r\n---\r\nversion: 1", 5..<8, "this is YAML; AppBoot reads JSON"),
      Case("- a\n- b", 0..<3, "this is YAML; AppBoot reads JSON"),
      Case("name = \"x\"", 0..<10, "this is TOML or INI; AppBoot reads JSON"),
      Case("[launch]\nversion=1\n", 9..<18, "this is TOML or INI; AppBoot reads JSON"),
    ])
  func otherFormat(example: Case) { expect(example) }

  @Test(
    "A mistake in the structure is reported once, at its place",
    arguments: [
      Case("", 0..<0, "the text contains no value"),
      Case(" \n\t", 0..<0, "the text contains no value"),
      Case("[1,]", 2..<3, "a comma after the last element"),
      Case("[1,,,]", 2..<5, "a comma after the last element"),
      Case("{\"a\":1,}", 6..<7, "a comma after the last member"),
      Case("[1,,2]", 2..<4, "a comma without an element"),
      Case("{\"a\":1,,\"b\":2}", 6..<8, "a comma without a member"),
      Case("[,1]", 1..<2, "a comma without an element"),
      Case("[,]", 1..<2, "a comma without an element"),
      Case("{,\"a\":1}", 1..<2, "a comma without a member"),
      Case("[1 2]", 2..<2, "a comma is missing"),
      Case("[1\n\n2]", 2..<2, "a comma is missing"),
      Case("[3[4]]", 2..<2, "a comma is missing"),
      Case("[1 true]", 2..<2, "a comma is missing"),
      Case("[\"a\" \"b\"]", 4..<4, "a comma is missing"),
      Case("{\"a\":1 \"b\":2}", 6..<6, "a comma is missing"),
      Case("{\"a\":{} \"b\":2}", 7..<7, "a comma is missing"),
      Case("{\"a\" 1}", 4..<4, "a colon is missing"),
      Case("{\"a\"}", 4..<4, "a value is missing"),
      Case("{\"a\", \"b\": 1}", 4..<4, "a value is missing"),
      Case("{\"a\":}", 5..<5, "a value is missing"),
      Case("{\"a\":,\"b\":1}", 5..<5, "a value is missing"),
      Case("{\"a\"::1}", 5..<6, "unexpected \":\" instead of a value"),
      Case("{\"a\"=1}", 4..<5, "unexpected \"=\" instead of \":\""),
      Case("{\"a\" \"b\": 1}", 5..<6, "unexpected string instead of \":\""),
      Case("[\"a\": 1]", 4..<5, "unexpected \":\" in an array"),
      Case("[1;2]", 2..<3, "unexpected \";\" instead of \",\" or \"]\""),
      Case("[*]", 1..<2, "unexpected \"*\" instead of a value"),
      Case("<a>", 0..<1, "unexpected \"<\" instead of a value"),
      Case("{[1]:2}", 1..<2, "unexpected \"[\" instead of a key"),
      Case("{:1}", 1..<2, "unexpected \":\" instead of a key"),
      Case("{a:1}", 1..<2, "a key without quotation marks"),
      Case("{1:1}", 1..<2, "a key without quotation marks"),
      Case("{'a':1}", 1..<4, "a string in single quotation marks"),
      Case("['a']", 1..<4, "a string in single quotation marks"),
      Case("['it's']", 1..<5, "a string in single quotation marks"),
      Case("['a", 1..<2, "a string in single quotation marks"),
      Case("[“a”]", 1..<4, "unexpected \"“\" instead of a value"),
      Case("[1}", 2..<3, "\"}\" cannot close an array"),
      Case("[}", 1..<2, "\"}\" cannot close an array"),
      Case("{]", 1..<2, "\"]\" cannot close an object"),
      Case("{\"a\":]", 5..<6, "\"]\" cannot close an object"),
      Case("{\"a\":1]", 6..<7, "\"]\" cannot close an object"),
      Case("[1]]", 3..<4, "\"]\" closes nothing"),
      Case("]", 0..<1, "unexpected \"]\" instead of a value"),
      Case("[1],", 3..<4, "unexpected \",\" after the end of the JSON value"),
      Case("{} {}", 3..<4, "unexpected \"{\" after the end of the JSON value"),
      Case("1 \"a\"", 2..<3, "unexpected string after the end of the JSON value"),
      Case("2@", 1..<2, "unexpected \"@\" after the end of the JSON value"),
      Case("[1, [2, {\"a\": 3 \n", 15..<15, "the text ends inside an object"),
      Case("[1,", 3..<3, "the text ends inside an array"),
      Case("{\"a\":", 5..<5, "the text ends inside an object"),
      Case("{\"a\"", 4..<4, "the text ends inside an object"),
      Case("[1] // end", 4..<10, "JSON has no comments"),
      Case("[1, # one\n2]", 4..<9, "JSON has no comments"),
      Case("{/* a\nb */}", 1..<10, "JSON has no comments"),
      Case("[1 /* ]", 3..<5, "JSON has no comments, and this one has no end"),
      Case("[1] /", 4..<5, "unexpected \"/\" after the end of the JSON value"),
      Case("[\u{C}1]", 1..<2, "character U+000C is not white space in JSON"),
      Case("[\u{A0}\u{A0}1]", 1..<5, "character U+00A0 is not white space in JSON"),
      Case("[1\u{2060}]", 2..<5, "character U+2060 is not white space in JSON"),
      Case("[\u{1B}]", 1..<2, "unexpected character U+001B instead of a value"),
      Case("[1\0]", 2..<3, "a NUL byte"),
    ])
  func structure(example: Case) { expect(example) }

  static let hexEscape =
    "\"\\u\" needs four hexadecimal digits, and a character beyond \\uFFFF both halves"

  @Test(
    "A mistake in a number or a literal is reported once, at its place",
    arguments: [
      Case("[+1]", 1..<3, "a number cannot begin with \"+\""),
      Case("[++1]", 1..<4, "\"++1\" is not a number"),
      Case("[01]", 1..<3, "a number cannot begin with a leading zero"),
      Case("[-012]", 1..<5, "a number cannot begin with a leading zero"),
      Case("[.5]", 1..<3, "a digit is missing before the decimal point"),
      Case("[-.5]", 1..<4, "a digit is missing before the decimal point"),
      Case("[1.]", 1..<3, "a digit is missing after the decimal point"),
      Case("[2.e3]", 1..<5, "a digit is missing after the decimal point"),
      Case("[-]", 1..<2, "\"-\" is not a number"),
      Case("[1e]", 1..<3, "the exponent has no digits"),
      Case("[1.5E+]", 1..<6, "the exponent has no digits"),
      Case("[1e1.5]", 1..<6, "\"1e1.5\" is not a number"),
      Case("[1.2.3]", 1..<6, "\"1.2.3\" is not a number"),
      Case("[0x1F]", 1..<5, "JSON has no hexadecimal numbers"),
      Case("[1_000]", 1..<6, "a number cannot contain \"_\""),
      Case("[10ms]", 1..<5, "\"10ms\" is not a number"),
      Case("[１]", 1..<4, "unexpected \"１\" instead of a value"),
      Case("[NaN]", 1..<4, "unknown word \"NaN\""),
      Case("[-Infinity]", 1..<10, "unknown word \"-Infinity\""),
      Case("[True]", 1..<5, "unknown word \"True\""),
      Case("[nul]", 1..<4, "unknown word \"nul\""),
      Case("[truee]", 1..<6, "unknown word \"truee\""),
      Case("hello", 0..<5, "unknown word \"hello\""),
      Case("[hello world]", 1..<6, "unknown word \"hello\""),
      Case("hello world", 0..<5, "unknown word \"hello\""),
    ])
  func numbers(example: Case) { expect(example) }

  @Test(
    "A mistake in a string is reported once, at its place",
    arguments: [
      Case("[\"a]", 1..<4, "this string has no closing quotation mark"),
      Case("\"", 0..<1, "this string has no closing quotation mark"),
      Case("\"\\", 0..<2, "this string has no closing quotation mark"),
      Case("[\"\\\"]", 1..<5, "this string has no closing quotation mark"),
      Case("[\"a\nb\"]", 1..<3, "this string does not end on its line"),
      Case("[\"a\\\nb\"]", 1..<4, "this string does not end on its line"),
      Case("[\"a\tb\"]", 3..<4, "a tab in a string"),
      Case("[\"\u{1F}\"]", 2..<3, "a control character U+001F in a string"),
      Case("[\"a\0\0b\"]", 3..<5, "a control character U+0000 in a string"),
      Case("[\"\\x41\"]", 2..<4, "unknown escape \"\\x\""),
      Case("[\"\\é\"]", 2..<5, "unknown escape of \"é\""),
      Case("[\"\\\t\"]", 2..<4, "unknown escape of character U+0009"),
      Case("[\"\\u12\"]", 2..<6, JSONMistakeTests.hexEscape),
      Case("[\"\\u00G0\"]", 2..<6, JSONMistakeTests.hexEscape),
      Case("[\"\\uD800\"]", 2..<8, JSONMistakeTests.hexEscape),
      Case("[\"\\uD800x\"]", 2..<8, JSONMistakeTests.hexEscape),
      Case("[\"\\uDFAA\"]", 2..<8, JSONMistakeTests.hexEscape),
      Case("[\"say \"hi\"\"]", 7..<8, "unexpected \"h\" instead of \",\" or \"]\""),
      Case("[\"a\"\"b\"]", 4..<5, "unexpected string instead of \",\" or \"]\""),
      Case("[\"a\" \\n]", 5..<6, "unexpected \"\\\" instead of \",\" or \"]\""),
    ])
  func strings(example: Case) { expect(example) }

  @Test(
    "The help has the number that is meant",
    arguments: [
      ("[+1]", "1"), ("[-012]", "-12"), ("[00.5]", "0.5"), ("[-.5]", "-0.5"), ("[2.e3]", "2.0e3"),
      ("[0x1F]", "31"),
      ("[1_000]", "1000"), ("[-0xff]", "-255"),
    ])
  func correctedNumbers(text: String, number: String) {
    let word = text.dropFirst().dropLast()
    #expect(mistakes(text).map(\.help) == [["write \(number), or \"\(word)\" for a string"]])
  }

  private func expect(_ example: Case) {
    let found = mistakes(example.text)
    #expect(found.map(\.message) == [example.message])
    #expect(found.map { $0.range.start..<$0.range.end } == [example.marked])
    #expect(found.allSatisfy { $0.severity == .error && !$0.help.isEmpty })
  }

  @Test(
    "Bytes that are not UTF-8 are reported once",
    arguments: [
      [0xFF], [0x80], [0xE9], [0xC0, 0xAF], [0xC1, 0x81], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xE0, 0xFF],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
      [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80], [0xE9, 0x20, 0xE9],
    ] as [[UInt8]])
  func encoding(bytes: [UInt8]) {
    let quoted = Array("[\"a".utf8) + bytes + Array("\"]".utf8)
    let byte = "byte 0x" + String(bytes[0], radix: 16, uppercase: true)
    #expect(mistakes(quoted).map(\.message) == ["\(byte) is not valid UTF-8"])
    #expect(mistakes(quoted).map(\.range.start) == [3])
    #expect(mistakes(Array("[".utf8) + bytes).map(\.message) == ["\(byte) is not valid UTF-8"])
    #expect(mistakes(bytes).map(\.message) == ["\(byte) is not valid UTF-8"])
    #expect(mistakes(Array("[1".utf8) + bytes).map(\.message) == ["\(byte) is not valid UTF-8"])
  }

  @Test("A byte-order mark has a message of its own, and the help for UTF-16 names UTF-8")
  func byteOrderMark() {
    let marked = mistakes([0xEF, 0xBB, 0xBF] + Array("{\"a\":1,}".utf8))
    #expect(
      marked.map(\.message) == [
        "the text begins with a byte-order mark", "a comma after the last member",
      ])
    #expect(marked[0].help == ["save the file as UTF-8 without a byte-order mark"])
    for bytes in [[0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0xFE, 0xFF, 0, 0x5B], [0x5B, 0, 0x5D, 0], [0, 0x5B]]
      as [[UInt8]]
    {
      let help = mistakes(bytes).flatMap(\.help)
      #expect(help.count == 1 && help[0].hasPrefix("save the file as UTF-8"))
    }
  }

  @Test("The mistakes of a text are reported together, in order")
  func several() {
    let text = """
      {
        // a comment
        'name': "No\\tes \\x",
        budget: .5,
        "list": [1 2, 3,],
        "on": True
        "off": {"a":}
      }
      """
    let lines = SourceLines(SourceText(name: "t", text: text))
    let found = mistakes(text).map { "\(lines.location(of: Int($0.range.start))) \($0.message)" }
    #expect(
      found == [
        "2:3 JSON has no comments",
        "3:3 a string in single quotation marks",
        "3:19 unknown escape \"\\x\"",
        "4:3 a key without quotation marks",
        "4:11 a digit is missing before the decimal point",
        "5:13 a comma is missing",
        "5:18 a comma after the last element",
        "6:9 unknown word \"True\"",
      ], "reading stops after a guess that is not confirmed")
  }

  @Test("The help for a text that ends early has the missing brackets")
  func unclosed() {
    let mistake = mistakes("{\"a\": [[1")[0]
    #expect(mistake.help == ["complete the text, and close the open brackets with \"]]}\""])
    #expect(mistake.notes == [.init("the array begins here", at: SourceRange(start: 7, end: 8))])
  }

  @Test("Reading stops after 100 mistakes, and the last one reports it")
  func limit() {
    let found = mistakes("[" + String(repeating: "1,,", count: 5000) + "1]")
    #expect(found.count == 100)
    #expect(found.last?.help.last == "there may be more mistakes after this one; reading stopped here")
  }

  @Test("The description of an error has the place of a mistake and its help")
  func description() {
    do throws(JSONError) {
      _ = try read("[1,\n 2,]")
      Issue.record("the text was read as JSON")
    } catch {
      #expect(
        error.description == """
          test.json:2:3: error: a comma after the last element
          help: remove it

          """)
    }
  }
}
