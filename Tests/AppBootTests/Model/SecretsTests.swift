import Testing

@testable import AppBoot

@Suite("The forms of a secret")
struct SecretFormsTests {
  private let secrets = Secrets()

  @Test("A secret is hidden in JSON, in URLs and in base64 at each of the three alignments")
  func encodings() {
    secrets.add("s3cr\"et/k\u{E9}y+1")
    let texts = [
      "s3cr\"et/k\u{E9}y+1", #"{"key":"s3cr\"et/kéy+1"}"#, "https://a.b/?key=s3cr%22et%2Fk%C3%A9y%2B1",
      // base64 of the value alone, and after one and two bytes.
      "czNjciJldC9rw6l5KzE=", "eHMzY3IiZXQva8OpeSsx", "eHhzM2NyImV0L2vDqXkrMQ==",
    ]
    for text in texts { #expect(secrets.masking(text).contains("***"), "\(text)") }
    #expect(secrets.masking(texts[1]) == #"{"key":"***"}"#)
    #expect(secrets.masking(texts[2]) == "https://a.b/?key=***")
  }

  @Test("A secret is hidden in AppBoot's own JSON, which escapes more than RFC 8259 requires")
  func ownJSON() {
    for secret in ["pass\u{7F}word", "\u{202E}olleh", "x\u{85}yz\""] {
      let secrets = Secrets()
      secrets.add(secret)
      var json = JSONWriter()
      json.object { $0.member("key", "is \(secret)!") }
      #expect(secrets.masking(json.text) == #"{"key":"is ***!"}"#)
    }
  }

  @Test("A secret is hidden in a shell's quotes, also with a combining mark after its quote")
  func shell() {
    secrets.add("s3cr'\u{301}et")
    #expect(secrets.masking("curl -u 'me:s3cr'\\''\u{301}et'") == "curl -u 'me:***'")
  }

  @Test("Each line of a secret is hidden, except for short ones")
  func lines() {
    secrets.add("first line\r\n  second line\nx\n")
    #expect(secrets.masking("a first line b") == "a *** b")
    #expect(secrets.masking("second line") == "***")
    #expect(secrets.masking("x") == "x")
    #expect(secrets.masking("1first line\r\n  second line\nx2") == "1***2")
  }

  @Test(
    "An empty, blank or short value hides nothing", arguments: ["", "   \n\n ", "abc", " abc "])
  func short(value: String) {
    #expect(!secrets.add(value) && secrets.isEmpty)
    #expect(secrets.masking("abc   \n\n ") == "abc   \n\n ")
  }

  @Test("In a manifest's text each byte of a secret becomes an asterisk")
  func inPlace() {
    secrets.add("h\u{FC}nter")
    let bytes = secrets.maskingInPlace(Array("\"h\u{FC}nter\"!".utf8))
    #expect(String(decoding: bytes, as: UTF8.self) == "\"*******\"!")
  }
}
