import AppBoot
import Testing

@Suite("The JSON writer")
struct JSONWriterTests {
  @Test("Nested values are separated and closed")
  func nesting() {
    var json = JSONWriter()
    write(to: &json)
    #expect(
      json.text
        == #"{"name":"Notes","steps":[1,-2,{},[]],"share":0.5,"ok":true,"none":null,"raw":[1],"tags":["a","b"]}"#
    )
  }

  /// Returns a string in the form of RFC 8259, built one scalar at a time.
  private func quoted(_ text: String) -> String {
    let named: [Unicode.Scalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\t": "\\t", "\n": "\\n", "\u{C}": "\\f", "\r": "\\r",
    ]
    let escaped = text.unicodeScalars.map { scalar in
      if let name = named[scalar] { return name }
      guard scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) else { return String(scalar) }
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"\(escaped.joined())\""
  }

  @Test("A member is escaped correctly for every length and every position of a special character")
  func members() {
    let specials: [Character?] = [
      nil, "\"", "\\", "\n", "\u{1}", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "#", "[", "é", "\u{1F600}",
      "\u{20}",
      "~",
    ]
    for length in 0...20 {
      for special in specials {
        for place in special == nil ? [0] : Array(0..<length) {
          var characters = [Character](repeating: "x", count: length)
          if let special { characters[place] = special }
          let text = String(characters)
          var json = JSONWriter()
          json.object {
            $0.member("a", 1); $0.member(text, text)
          }
          #expect(json.text == "{\"a\":1,\(quoted(text)):\(quoted(text))}")
        }
      }
    }
  }

  @Test("Text that terminals or CI systems act on is escaped, and reads back the same")
  func hostileTexts() throws {
    let texts: KeyValuePairs = [
      "\u{80}x\u{9F}\u{A0}": "\"\\u0080x\\u009f\u{A0}\"",
      "\u{2027}\u{2028}\u{2029}\u{202A}\u{202E}\u{202F}": "\"\u{2027}\\u2028\\u2029\\u202a\\u202e\u{202F}\"",
      "\u{2065}\u{2066}\u{2069}\u{206A}": "\"\u{2065}\\u2066\\u2069\u{206A}\"",
      "\u{61B}\u{61C}\u{200D}\u{200E}\u{200F}": "\"\u{61B}\\u061c\u{200D}\\u200e\\u200f\"",
      "\u{E0000}\u{E0041}\u{E007F}": "\"\\udb40\\udc00\\udb40\\udc41\\udb40\\udc7f\"",
      "##[error]x": "\"##\\u005berror]x\"", "a ###vso[b] [#[c]": "\"a ###vso\\u005bb] [#[c]\"",
      "#0A84FF": "\"#0A84FF\"", "\u{301}##[": "\"\u{301}##\\u005b\"",
    ]
    for (text, json) in texts {
      var writer = JSONWriter()
      writer.value(text)
      #expect(writer.text == json)
      let again = try JSONDocument(parsing: SourceText(name: "", text: writer.text)).root.string
      #expect(again?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }
  }

  @Test("A member's number is exact, up to the limits of its type")
  func memberNumbers() {
    var json = JSONWriter()
    json.object { writer in
      for number in [Int64.min, -1, 0, 9, 10, 99, 100, .max] { writer.member("n", number) }
      writer.member("u", UInt64.max)
    }
    let numbers = "\(Int64.min) -1 0 9 10 99 100 \(Int64.max)".split(separator: " ").map { "\"n\":\($0)" }
    let expected = numbers.joined(separator: ",") + ",\"u\":\(UInt64.max)"
    #expect(json.text == "{\(expected)}")
  }

  @Test("Pretty text is indented by two spaces per level, and an empty container stays on one line")
  func pretty() {
    var json = JSONWriter(pretty: true)
    write(to: &json)
    #expect(
      json.text == """
        {
          "name": "Notes",
          "steps": [
            1,
            -2,
            {},
            []
          ],
          "share": 0.5,
          "ok": true,
          "none": null,
          "raw": [1],
          "tags": [
            "a",
            "b"
          ]
        }
        """)
  }

  private func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", "Notes")
      json.key("steps")
      json.array { json in
        json.value(1)
        json.value(-2)
        json.object { _ in }
        json.array { _ in }
      }
      json.member("share", 0.5)
      json.member("ok", true)
      json.key("none")
      json.null()
      json.key("raw")
      json.raw("[1]".utf8)
      json.member("tags", ["a", "b"])
    }
  }

  @Test("Strings are escaped as in RFC 8259, without control bytes")
  func strings() throws {
    let text =
      (0...0x9F).compactMap { Unicode.Scalar(UInt32($0)) }.map(String.init).joined() + "\"\\/é日😀\u{2028}"
    var json = JSONWriter()
    json.value(text)
    #expect(!json.bytes.contains { $0 < 0x20 || $0 == 0x7F })
    #expect(try read(json.text).root.string.map { Array($0.utf8) } == Array(text.utf8))
    var escapes = JSONWriter()
    escapes.value("\"\\\u{8}\t\n\u{C}\r\u{1}\u{1F}/")
    #expect(escapes.text == #""\"\\\b\t\n\f\r\u0001\u001f/""#)
  }

  @Test("Numbers are written in full, and are the same when read back")
  func numbers() throws {
    var json = JSONWriter()
    json.array { json in
      json.value(Int64.min)
      json.value(UInt64.max)
      json.value(Int8(-5))
      json.value(0)
      json.value(1e300)
      json.value(Double.leastNonzeroMagnitude)
      json.value(-0.0)
      json.value(Double.nan)
      json.value(Double.infinity)
    }
    #expect(
      json.text
        == "[-9223372036854775808,18446744073709551615,-5,0,1e+300,5e-324,-0.0,null,null]"
    )
    let values = try read(json.text).root.elements.map { $0 }
    #expect(try values[0].integer(as: Int64.self) == Int64.min)
    #expect(try values[5].double() == Double.leastNonzeroMagnitude)
  }

  @Test("Lines of JSON have no commas between them")
  func lines() {
    var json = JSONWriter()
    for number in 1...2 {
      json.object { $0.member("n", number) }
      json.endLine()
    }
    #expect(json.text == "{\"n\":1}\n{\"n\":2}\n")
  }
}
