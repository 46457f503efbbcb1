import Testing

@testable import AppBootCommands

@Suite("A provider's URL")
struct ProviderURLTests {
  @Test("A provider has an http or https URL")
  func urls() {
    for text in ["http://a", "HTTPS://a:8443/b?c=d", "http://user:secret@a/b"] {
      #expect(ProviderURL(text) != nil)
    }
    #expect(
      ProviderURL("https://user:secret@Push.Example:1/b?key=secret")?.origin == "https://push.example:1")
    for text in [
      "ftp://a", "file:///etc/passwd", "a", "", "http://", "http:///a", "http://a b", "http://a\n",
    ] {
      #expect(ProviderURL(text) == nil)
    }
  }
}
