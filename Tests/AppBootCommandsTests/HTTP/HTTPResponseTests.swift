import Testing

@testable import AppBootCommands

@Suite("An HTTP response")
struct HTTPResponseTests {
  private func parsed(_ fields: String, _ body: String) -> HTTPResponse.Parsed {
    HTTPResponse.parse(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)".utf8))
  }

  private func text(_ fields: String, _ body: String) -> String {
    switch parsed(fields, body) {
    case .incomplete: "incomplete"
    case .notHTTP: "no HTTP"
    case .invalid(let problem): problem
    case .response(let response):
      String(decoding: response.body, as: UTF8.self) + (response.isComplete ? "" : " …")
    }
  }

  @Test("A body ends after its length or its last chunk")
  func body() {
    #expect(text("Content-Length: 2", "abc") == "ab")
    #expect(text("Content-Length: 4", "abc") == "abc …")
    #expect(text("Content-Length: 3\r\nContent-Length: 3", "abc") == "abc")
    #expect(text("Transfer-Encoding: chunked", "2;x=1\r\nab\r\n1 \r\nc\r\n0\r\n\r\n") == "abc")
    #expect(text("Transfer-Encoding: chunked", "5\r\nab") == "ab …")
    #expect(text("Server: a", "abc") == "abc …")
  }

  @Test(
    "A length that is not a number, and two different lengths, are invalid",
    arguments: ["-1", "+3", "abc", "", "1e3", "3, 3", "99999999999999999999", "3\r\nContent-Length: 4"])
  func invalidLength(length: String) {
    #expect(text("Content-Length: \(length)", "abc") == "its Content-Length is not one number")
  }

  @Test("A chunk without a valid size is invalid", arguments: ["zz", "-5", "", "+1", "fffffffffffffffff"])
  func invalidChunk(size: String) {
    #expect(
      text("Transfer-Encoding: chunked", "1\r\na\r\n\(size)\r\nab") == "a chunk has no valid size")
  }

  @Test("A response that arrives byte by byte is the same as in one piece")
  func pieces() {
    let head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let text = head + "2\r\nab\r\n1\nc\n0\r\n"
    var reader = HTTPResponse.Reader()
    var last = HTTPResponse.Parsed.incomplete
    for byte in text.utf8 { last = reader.append([byte]) }
    guard case .response(let response) = last else { return #expect(Bool(false), "\(last)") }
    #expect(response.isComplete && response.body == Array("abc".utf8) && reader.unread.isEmpty)
  }

  @Test("A response that has no body ends after its header fields", arguments: [204, 304])
  func noBody(status: Int) {
    let bytes = Array("HTTP/1.1 \(status) x\r\nContent-Length: 5\r\n\r\n".utf8)
    guard case .response(let response) = HTTPResponse.parse(bytes) else { return #expect(Bool(false)) }
    #expect(response.isComplete && response.body.isEmpty)
  }
}
