import AppBoot
import AppBootCommands
import Testing
import AppBootTestSupport

@Suite("Secrets with escaped characters", .ownThread)
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
    // JSON by Go, Python, PHP and JavaScript.
    #"a\u003cb\u003e\u0026c/d 1\"2'3\\4%5 hé😀!(*)~+"#,
    #"a<b>&c/d 1\"2'3\\4%5 h\u00e9\ud83d\ude00!(*)~+"#,
    #"a<b>&c\/d 1\"2'3\\4%5 h\u00e9\ud83d\ude00!(*)~+"#,
    #"a<b>&c/d 1\"2'3\\4%5 hé😀!(*)~+"#,
    // URLs: curl, Python's quote with lower-case digits, encodeURIComponent, encodeURI, and HTML forms.
    "a%3Cb%3E%26c%2Fd%201%222%273%5C4%255%20h%C3%A9%F0%9F%98%80%21%28%2A%29~%2B",
    "a%3cb%3e%26c%2fd%201%222%273%5c4%255%20h%c3%a9%f0%9f%98%80%21%28%2a%29%7e%2b",
    "a%3Cb%3E%26c%2Fd%201%222'3%5C4%255%20h%C3%A9%F0%9F%98%80!(*)~%2B",
    "a%3Cb%3E&c/d%201%222'3%5C4%255%20h%C3%A9%F0%9F%98%80!(*)~+",
    "a%3Cb%3E%26c%2Fd+1%222%273%5C4%255+h%C3%A9%F0%9F%98%80%21%28*%29%7E%2B",
    // HTML and XML.
    "a&lt;b&gt;&amp;c/d 1&quot;2&#39;3\\4%5 hé😀!(*)~+",
    "a&lt;b&gt;&amp;c/d 1&#34;2&#39;3\\4%5 hé😀!(*)~+",
    "a&lt;b&gt;&amp;c/d 1&quot;2&apos;3\\4%5 hé😀!(*)~+",
    // A shell's single quotes and "%q", and a web server's log.
    #"a<b>&c/d 1"2'\''3\4%5 hé😀!(*)~+"#,
    #"a\<b\>\&c/d\ 1\"2\'3\\4%5\ hé😀\!\(\*\)~+"#,
    #"a<b>&c/d 1\x222'3\x5C4%5 h\xC3\xA9\xF0\x9F\x98\x80!(*)~+"#,
  ]

  @Test("A secret is hidden in every escaped form, across all chunk boundaries", arguments: Self.forms)
  func encodings(form: String) {
    expect("[\(form)]", becomes: "[***]", hiding: Self.value)
    expect(form, becomes: "***", hiding: Self.value)
    expect("\(form)\(form)%4", becomes: "******%4", hiding: Self.value)
  }

  @Test("An escaped secret is hidden next to incomplete escapes")
  func surroundings() {
    expect("%a%2Fb2%", becomes: "%***%", hiding: "a/b2")
    expect(#"\\hunter2\u00"#, becomes: #"\\***\u00"#, hiding: "hunter2")
    expect("&R&amp;D2&am", becomes: "&***&am", hiding: "R&D2")
    expect(
      "100% &c. C:\\dir %zz &#x; &; \\u12", becomes: "100% &c. C:\\dir %zz &#x; &; \\u12", hiding: "hunter2")
  }

  @Test("A secret that contains an escape is found both as it is and escaped")
  func ambiguous() {
    expect("<50%25>", becomes: "<***>", hiding: "50%25")
    expect("<50%2525>", becomes: "<***>", hiding: "50%25")
    expect("<50%25%25>", becomes: "<***>", hiding: "50%%")
    expect("<a%2541%2fb>", becomes: "<***>", hiding: "a%41/b")
    expect(#"<a\\nb>"#, becomes: "<***>", hiding: #"a\nb"#)
    expect("<R&amp;D&amp;x>", becomes: "<***>", hiding: "R&D&x")
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
    expect("-----BEGIN+KEY-----%0AMIIEabc%2B%2F%3D%0A-----END+KEY-----", becomes: "***", hiding: key)
    expect(#"key: MIIEabc+\/="#, becomes: "key: ***", hiding: key)
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
      ("+", "/"), ("-", "_"), ("+", "\\/"), ("%2B", "%2F"), ("%2b", "%2f"),
    ] {
      let form = base64.map { $0 == "+" ? plus : $0 == "/" ? slash : String($0) }.joined()
      #expect(secrets.masking("[\(form)]") == "[***]", "\(form)")
    }
  }

  @Test("Only text that may begin a form of a secret is held back")
  func heldBack() {
    let secrets = Secrets()
    secrets.add("a/b2")
    var filter = SecretFilter(secrets)
    var passed: [String] = []
    for chunk in ["99%", " 99%25 a", "%2", "F", "b2 x a\\", "/", "c\n"] {
      Array(chunk.utf8).withUnsafeBytes { bytes in
        filter.append(bytes) { passed.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    #expect(passed == ["99%", " 99%25 ", "*** x ", "a\\/c\n"])
    #expect(filter.unfinished.isEmpty)
  }

  @Test("A search for a secret of many repeated characters is fast, with and without a match")
  func hostile() {
    let value = String(repeating: "\\", count: 60) + "end"
    let secrets = Secrets()
    secrets.add(value)
    let slashes = String(repeating: "\\", count: 500)
    #expect(secrets.masking(slashes) == slashes)
    #expect(secrets.masking(slashes + "end!").hasSuffix("***!"))
  }
}
