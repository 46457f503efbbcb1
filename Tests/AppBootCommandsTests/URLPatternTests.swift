import Testing

@testable import AppBootCommands

@Suite("URL patterns")
struct URLPatternTests {
  @Test(
    "A matching URL gives the placeholders their values",
    arguments: [
      ("notes://note/{id}", "notes://note/42", ["id": "42"]),
      ("notes://note/{id}", "NOTES://Note/42/", ["id": "42"]),
      ("notes://note/{id}", "notes://note/a%20b%2Fc%C3%A9", ["id": "a b/cé"]),
      ("notes://note/{id}", "notes://note/100%", ["id": "100%"]),
      (
        "notes://note/{id}", "notes://note/4?tab=x%26y&tab=z&flag#top",
        ["id": "4", "query.tab": "x&y", "query.flag": ""]
      ),
      ("notes://{host}/a", "notes://me@Example.org:80/a", ["host": "example.org:80"]),
      ("https://example.org/*", "https://example.org", [:]),
      ("https://example.org/a/*", "https://example.org/a/b/c", [:]),
      ("file:///{name}", "file:///etc", ["name": "etc"]),
      ("notes://a%20b", "notes://a%20b", [:]), ("notes://%41@B%43:80/a", "notes://bc:80/a", [:]),
      ("notes://me@b", "notes://me@b", [:]),
    ])
  func fits(pattern: String, url: String, values: [String: String]) throws {
    let parts = try #require(URLParts(url))
    #expect(try URLPattern(pattern).match(parts) == values)
  }

  @Test(
    "Other URLs do not match",
    arguments: [
      ("notes://note/{id}", "notes://note"), ("notes://note/{id}", "notes://note/1/2"),
      ("notes://note/{id}", "other://note/1"), ("notes://note/{id}", "notes://list/1"),
      ("notes://note/{id}", "notes://note//"), ("notes://note/a", "notes://note/A"),
      ("notes://note/a/*", "notes://note/b/c"), ("notes://{host}", "notes:///"),
    ])
  func doesNotFit(pattern: String, url: String) throws {
    let parts = try #require(URLParts(url))
    #expect(try URLPattern(pattern).match(parts) == nil)
  }

  @Test(
    "A text without scheme and authority is not a URL",
    arguments: ["", "note/42", "://x", "mailto:a@b", "1a://b"])
  func notAURL(text: String) {
    #expect(URLParts(text) == nil)
  }

  @Test(
    "An invalid pattern is an error",
    arguments: [
      ("note/{id}", URLPatternError.noScheme("note/{id}")), ("a://b?c={d}", .query("a://b?c={d}")),
      ("a://b/x{c}", .segment("x{c}")), ("a://b/*/c", .segment("*")), ("a://b/{}", .segment("{}")),
      ("a://{b}/{b}", .placeholderTwice("b")),
    ])
  func mistakes(text: String, expected: URLPatternError) {
    #expect(throws: expected) { try URLPattern(text) }
  }
}
