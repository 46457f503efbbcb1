import Testing

@testable import AppBootCommands

@Suite("Header fields")
struct HTTPHeaderTests {
  @Test("A header with a line break, a file or an empty name is invalid")
  func headers() {
    #expect(HTTPHeader.isValid("Authorization", "Bearer a\tb é"))
    for (name, value) in [
      ("", "a"), ("A B", "a"), ("@file", "a"), ("A:", "a"), ("A", "a\nB: c"), ("A", "\r"),
    ] {
      #expect(!HTTPHeader.isValid(name, value))
    }
  }
}
