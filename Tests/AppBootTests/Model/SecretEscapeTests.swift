import AppBootTestKit
import Testing

@testable import AppBoot

@Suite("Secrets with escaped characters")
struct SecretEscapeTests {
  /// Filters chunks of a text.
  private func filtered(_ chunks: [ArraySlice<UInt8>], _ secrets: Secrets) -> String {
    var filter = SecretFilter(secrets)
    var result: [UInt8] = []
    for chunk in chunks {
      chunk.withUnsafeBytes { filter.append($0) { result += $0 } }
    }
    filter.finish { result += $0 }
    return String(decoding: result, as: UTF8.self)
  }

  /// Expects a text with the secrets replaced, regardless of the chunks.
  private func expect(
    _ text: String, becomes masked: String, hiding values: String...,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let secrets = Secrets()
    for value in values { secrets.add(value) }
    #expect(secrets.masking(text) == masked, "\(text)", sourceLocation: location)
    let bytes = Array(text.utf8)
    for border in 0...bytes.count {
      #expect(
        filtered([bytes[..<border], bytes[border...]], secrets) == masked,
        "\(text) in two chunks at \(border)",
        sourceLocation: location)
    }
    #expect(
      filtered(bytes.indices.map { bytes[$0...$0] }, secrets) == masked, "each byte of \(text)",
      sourceLocation: location)
  }

  private static let value = "a<b>&c/d 1\"2'3\\4%5 h\u{E9}\u{1F600}!(*)~+"

  private static let forms: [String] = [
    // As it is.
    value,
    // JSON by Go, Python, PHP and JavaScript, and with each character escaped.
    #"a\u003cb\u003e\u0026c/d 1\"2'3\\4%5 hé😀!(*)~+"#,
    #"a<b>&c/d 1\"2'3\\4%5 h\u00e9\ud83d\ude00!(*)~+"#,
    #"a<b>&c\/d 1\"2'3\\4%5 h\u00E9\uD83D\uDE00!(*)~+"#,
    #"a<b>&c/d 1\"2'3\\4%5 hé😀!(*)~+"#,
    value.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }.joined(),
    // URLs: curl, Python's quote with lower-case digits, encodeURIComponent, encodeURI, and HTML forms.
    "a%3Cb%3E%26c%2Fd%201%222%273%5C4%255%20h%C3%A9%F0%9F%98%80%21%28%2A%29~%2B",
    "a%3cb%3e%26c%2fd%201%222%273%5c4%255%20h%c3%a9%f0%9f%98%80%21%28%2a%29%7e%2b",
    "a%3Cb%3E%26c%2Fd%201%222'3%5C4%255%20h%C3%A9%F0%9F%98%80!(*)~%2B",
    "a%3Cb%3E&c/d%201%222'3%5C4%255%20h%C3%A9%F0%9F%98%80!(*)~+",
    "a%3Cb%3E%26c%2Fd+1%222%273%5C4%255+h%C3%A9%F0%9F%98%80%21%28*%29%7E%2B",
    value.utf8.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined(),
    // HTML and XML.
    "a&lt;b&gt;&amp;c/d 1&quot;2&#39;3\\4%5 hé😀!(*)~+",
    "a&lt;b&gt;&amp;c/d 1&#34;2&apos;3\\4%5 h&#233;&#128512;!(*)~+",
    "a&#60;b&#x3E;&#X26;c&#x2f;d&#032;1&#x22;2&#039;3&#92;4%5 h&#xe9;&#x1F600;!(*)~&#43;",
    // A shell's "%q" and a web server's log.
    #"a\<b\>\&c/d\ 1\"2\'3\\4%5\ hé😀\!\(\*\)~+"#,
    #"a<b>&c/d 1\x222\x273\x5C4%5 h\xC3\xA9\xF0\x9F\x98\x80!(*)~+"#,
    // A mixture.
    #"a%3cb\u003E&amp;c\/d+1\"2&#x27;3\\4%255%20hé\ud83d\uDE00!%28*)~+"#,
  ]

  @Test("A secret is hidden in every escaped form, across all chunk boundaries", arguments: Self.forms)
  func encodings(form: String) {
    expect("[\(form)]", becomes: "[***]", hiding: Self.value)
    expect(form, becomes: "***", hiding: Self.value)
    expect("\(form)\(form)%4", becomes: "******%4", hiding: Self.value)
  }

  @Test("An escaped secret is hidden next to incomplete escapes")
  func surroundings() {
    expect("%hunt%65r2%", becomes: "%***%", hiding: "hunter2")
    expect(#"\\hunter2\u00"#, becomes: #"\\***\u00"#, hiding: "hunter2")
    expect(#"\nhunter2\n"#, becomes: #"\n***\n"#, hiding: "hunter2")
    expect("&hunt&#101;r2&am", becomes: "&***&am", hiding: "hunter2")
    expect(
      "100% &c. C:\\dir %zz &#x; &; \\u12", becomes: "100% &c. C:\\dir %zz &#x; &; \\u12", hiding: "hunter2")
    expect("hunt%65r and hunt%6", becomes: "hunt%65r and hunt%6", hiding: "hunter2")
  }

  @Test("A secret that contains an escape is found both as it is and escaped")
  func ambiguous() {
    expect("<50%25>", becomes: "<***>", hiding: "50%25")
    expect("<50%2525>", becomes: "<***>", hiding: "50%25")
    expect("<50%%25>", becomes: "<***>", hiding: "50%%")
    expect("<50%25%25>", becomes: "<***>", hiding: "50%%")
    expect("<a%2541%2fb>", becomes: "<***>", hiding: "a%41/b")
    expect("<a%41%2fb>", becomes: "<***>", hiding: "a%41/b")
    expect(#"<a\\nb>"#, becomes: "<***>", hiding: #"a\nb"#)
    expect(#"<a\nb\\c>"#, becomes: "<***>", hiding: #"a\nb\c"#)
    expect("<R&amp;D&amp;x>", becomes: "<***>", hiding: "R&D&x")
    expect("<R&amp;D&amp;x>", becomes: "<***>", hiding: "R&amp;D&x")
  }

  @Test("A secret that begins or ends with an escape is hidden")
  func ends() {
    expect("<%2fabc%2f>", becomes: "<***>", hiding: "/abc/")
    expect("<abc%25>", becomes: "<***>", hiding: "abc%")
    expect("<abc%>", becomes: "<***>", hiding: "abc%")
    expect(#"<\u0026abc\u0026>"#, becomes: "<***>", hiding: "&abc&")
  }

  @Test("An escaped line feed in a secret is found, and trailing white space is optional")
  func lines() {
    let key = "-----BEGIN KEY-----\nMIIEabc+/=\n-----END KEY-----\n"
    expect(
      #"{"key":"-----BEGIN KEY-----\nMIIEabc+\/=\n-----END KEY-----\n"}"#, becomes: #"{"key":"***\n"}"#,
      hiding: key)
    expect("-----BEGIN%20KEY-----%0AMIIEabc%2B%2F%3D%0a-----END+KEY-----", becomes: "***", hiding: key)
    expect(#"key: MIIEabc\u002b/="#, becomes: "key: ***", hiding: key)
  }

  @Test("A plus sign matches a space of a secret, but a space does not match a plus sign")
  func plus() {
    expect("two+words two words two%20words", becomes: "*** *** ***", hiding: "two words")
    expect("two words two+words", becomes: "two words ***", hiding: "two+words")
    expect("a+b+c+d", becomes: "***", hiding: "a b c d")
  }

  @Test("The base64 of a secret is hidden in JSON and in a URL")
  func base64() {
    let secret = "s\u{FF}??~~~~~"
    let secrets = Secrets()
    secrets.add(secret)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = Array(secret.utf8)
    let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    let digits = stride(from: 0, through: bits.count - 6, by: 6).map { start in
      alphabet[bits[start..<(start + 6)].reduce(0) { $0 << 1 | Int($1) }]
    }
    let base64 = String(decoding: digits, as: UTF8.self)
    #expect(base64.contains("/") && base64.contains("+"))
    for (plus, slash) in [
      ("+", "/"), ("-", "_"), ("+", "\\/"), ("%2B", "%2F"), ("%2b", "%2f"), ("\\u002B", "/"),
    ] {
      let form = base64.map { $0 == "+" ? plus : $0 == "/" ? slash : String($0) }.joined()
      #expect(secrets.masking("[\(form)]") == "[***]", "\(form)")
    }
  }

  @Test("Text is held back only while it may be an escape or continue a secret")
  func heldBack() {
    let secrets = Secrets()
    secrets.add("hunter2")
    var filter = SecretFilter(secrets)
    var passed: [String] = []
    for chunk in ["99%", " 99%25 hun", "t%6", "5", "x &am", "p; &amb \\", "\\ h\\u0075\\", "u006e\n"] {
      Array(chunk.utf8).withUnsafeBytes { bytes in
        filter.append(bytes) { passed.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    #expect(passed == ["99", "% 99%25 ", "hunt%65x &am", "p; &amb ", "\\\\ ", "h\\u0075\\u006e\n"])
    #expect(filter.unfinished.isEmpty)
  }

  @Test("The text that is held back is bounded, even if an escape never ends")
  func bounded() {
    let secrets = Secrets()
    secrets.add("aaaaaaaaaaaaaaaab")
    for piece in ["a", "%61", "\\u0061", "&#0000000", "&#x00000061;", "\\", "%", "%6", "&"] {
      var filter = SecretFilter(secrets)
      for _ in 0..<1000 {
        Array(piece.utf8).withUnsafeBytes { bytes in filter.append(bytes) { _ in } }
        #expect(filter.unfinished.count <= 17 * SecretEscape.longest, "\(piece)")
      }
    }
  }

  @Test(
    "The result equals that of a search that tries every reading, for random text and any chunks",
    arguments: 0..<120)
  func random(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    let letters = Array("ab%\\& +".utf8)
    let values = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
      // White space at the ends would be ignored.
      [UInt8(ascii: "a")]
        + (0..<Int.random(in: 2...5, using: &numbers)).compactMap { _ in
          letters.randomElement(using: &numbers)
        }
        + [UInt8(ascii: "b")]
    }
    let pieces =
      letters.map { [$0] }
      + [
        "%61", "%62", "%25", "%5c", "%26", "%20", "%2", "5", "%2b", "\\\\", "\\u0061", "\\u0025", "\\u00",
        "62", "\\&",
        "\\x61", "&amp;", "&am", "p;", "&#97;", "&#x62;", "&#", "37;", "u0026",
      ].map { Array($0.utf8) }
    var text: [UInt8] = []
    for _ in 0..<60 {
      // Some whole secrets, each byte in a form of its own.
      if Int.random(in: 0..<8, using: &numbers) == 0, let value = values.randomElement(using: &numbers) {
        text += value.flatMap { Self.forms(of: $0).randomElement(using: &numbers) ?? [] }
      } else {
        text += pieces.randomElement(using: &numbers) ?? []
      }
    }
    let secrets = Secrets()
    for value in values { secrets.add(String(decoding: value, as: UTF8.self)) }
    let expected = plainly(text, values)
    #expect(secrets.masking(String(decoding: text, as: UTF8.self)) == expected)
    for size in [1, 2, 3, 5, 8, 13] {
      let chunks = stride(from: 0, to: text.count, by: size).map { text[$0..<min($0 + size, text.count)] }
      #expect(filtered(chunks, secrets) == expected, "\(values.map { String(decoding: $0, as: UTF8.self) })")
    }
  }

  /// The ways to write an ASCII character that the text of the random test can contain.
  private static func forms(of byte: UInt8) -> [[UInt8]] {
    let digits = String(0x100 + Int(byte), radix: 16).dropFirst()
    var forms = ["%\(digits)", "\\u00\(digits)", "\\x\(digits)", "&#\(byte);", "&#x\(digits);"].map {
      Array($0.utf8)
    }
    forms += [[byte]] + ["%\(digits.uppercased())"].map { Array($0.utf8) }
    if byte == UInt8(ascii: " ") { forms.append([UInt8(ascii: "+")]) }
    if byte == UInt8(ascii: "&") { forms.append(Array("&amp;".utf8)) }
    if "%\\& +".utf8.contains(byte) { forms.append([UInt8(ascii: "\\"), byte]) }
    return forms
  }

  /// Replaces each union of overlapping values, found by a search that tries every form of every byte at each place.
  private func plainly(_ text: [UInt8], _ values: [[UInt8]]) -> String {
    func end(_ place: Int, _ value: ArraySlice<UInt8>) -> Int? {
      guard let first = value.first else { return place }
      return Self.forms(of: first).compactMap { form in
        text[place...].starts(with: form) ? end(place + form.count, value.dropFirst()) : nil
      }.max()
    }
    var (result, last): ([UInt8], Int) = ([], 0)
    for place in text.indices {
      if let found = values.compactMap({ end(place, $0[...]) }).max() {
        if place >= last { result += Array("***".utf8) }
        last = max(last, found)
      }
      if place >= last { result.append(text[place]) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  @Test("A search for a secret of many ambiguous characters is fast, with and without a match")
  func hostile() {
    let value = String(repeating: "\\", count: 60) + "end"
    let secrets = Secrets()
    secrets.add(value)
    let slashes = String(repeating: "\\", count: 500)
    #expect(secrets.masking(slashes) == slashes)
    #expect(secrets.masking(slashes + "end!").hasSuffix("***!"))
  }
}
