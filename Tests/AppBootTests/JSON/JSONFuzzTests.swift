import AppBoot
import AppBootTestSupport
import Testing

@Suite("Damaged JSON")
struct JSONFuzzTests {
  @Test("A damaged text is read, or its mistakes are reported", arguments: [1, 2, 3] as [UInt64])
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1500 {
      var bytes = Array(JSONFuzzTests.texts[random.below(JSONFuzzTests.texts.count)].utf8)
      for _ in 0...random.below(4) { mutate(&bytes, &random) }
      try check(bytes)
    }
  }

  private func check(_ bytes: [UInt8]) throws {
    let source = SourceText(name: "fuzz.json", bytes: bytes)
    do throws(JSONError) {
      let document = try JSONDocument(parsing: source)
      let text = written(document.root)
      let again = try JSONDocument(parsing: SourceText(name: "again.json", text: text))
      #expect(written(again.root) == text)
    } catch {
      #expect(!error.diagnostics.isEmpty)
      #expect(error.diagnostics.allSatisfy { Int($0.range.end) <= error.source.bytes.count })
      #expect(error.diagnostics == error.diagnostics.sortedByPosition())
      #expect(error.source.bytes == bytes, "the writer's text must be readable")
      let output = error.description
      #expect(!output.isEmpty)
      #expect(!output.utf8.contains { ($0 < 0x20 && $0 != 0x0A) || $0 == 0x7F })
    }
  }

  /// Returns the text of a value, as `JSONWriter` writes it.
  private func written(_ value: JSONValue) -> String {
    var json = JSONWriter()
    write(value, to: &json)
    return json.text
  }

  private func write(_ value: JSONValue, to json: inout JSONWriter) {
    switch value.kind {
    case .object:
      json.object { json in
        for member in value.members {
          json.key(member.key.string)
          write(member.value, to: &json)
        }
      }
    case .array:
      json.array { json in
        for element in value.elements { write(element, to: &json) }
      }
    case .string: json.value(value.string ?? "")
    case .number: json.raw(value.text.utf8)
    case .bool: json.value(value.bool ?? false)
    case .null: json.null()
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let index = random.below(bytes.count + 1)
    let token = Array(JSONFuzzTests.tokens[random.below(JSONFuzzTests.tokens.count)].utf8)
    switch random.below(6) {
    case 0: bytes.insert(contentsOf: token, at: index)
    case 1: bytes.removeSubrange(index..<min(bytes.count, index + 1 + random.below(3)))
    case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
    case 3: bytes.removeSubrange(index...)
    case 4: bytes.replaceSubrange(index..<min(bytes.count, index + token.count), with: token)
    default: bytes.insert(contentsOf: bytes[..<index].suffix(8), at: random.below(bytes.count + 1))
    }
  }

  private static let texts = [
    #"{"version": 1, "commands": ["A", {"command": "B", "after": [], "with": {"x": -1.5e3}}]}"#,
    #"["\uD83D\uDE00", "é日本😀", "\"\\\/\b\f\n\r\t\u0000", true, false, null, 0, -0, 1E+2]"#,
    "{\r\n\t\"a\": {\"b\": [[], {}, [1, 2, [3]]]},\r\n\t\"a\": \"tab\"\r\n}",
    #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"\u006e":14}"#,
  ]

  private static let tokens = [
    "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\\u", "\\uD800", "//", "/*", "*/", "#", "\n", "\r", "\0",
    "true", "nul", "1e", "-", "0", ".", " ", "\t", "\u{A0}", "\u{FEFF}", "“", "😀", "e\u{301}", "x",
    "\u{1B}[31m",
    "\u{202E}", ",,", "[[[[", "}}", "\"\"",
  ]
}

extension SeededGenerator {
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
