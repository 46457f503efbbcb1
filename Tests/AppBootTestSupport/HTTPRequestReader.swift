import AppBootSystem

/// A parser that reads one HTTP/1.1 request from a connection (RFC 9112).
struct HTTPRequestReader {
  /// An error that prevents a request from being read.
  enum Failure: Error {
    case ended, malformed
  }

  let socket: StreamSocket
  let deadline: Int64
  private var buffer: ArraySlice<UInt8> = []

  init(socket: StreamSocket, deadline: Int64) {
    self.socket = socket
    self.deadline = deadline
  }

  /// Reads the request with its body. If the client expects `100 Continue`, sends that before reading the body.
  mutating func read() throws -> HTTPServer.Request {
    let start = try readLine().split(separator: " ")
    guard start.count == 3, start[2].hasPrefix("HTTP/1.") else { throw Failure.malformed }
    let headers = try readHeaders()
    let body = try readBody(headers)
    return HTTPServer.Request(
      method: String(start[0]), path: String(start[1]), headers: headers, body: body)
  }

  private mutating func readHeaders() throws -> [HTTPServer.Header] {
    var headers: [HTTPServer.Header] = []
    while true {
      let line = try readLine()
      if line.isEmpty { return headers }
      guard let colon = line.firstIndex(of: ":") else { throw Failure.malformed }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(HTTPServer.Header(name: String(line[..<colon]), value: trimmedEnd(value)))
    }
  }

  private mutating func readBody(_ headers: [HTTPServer.Header]) throws -> [UInt8] {
    func value(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name }?.value.lowercased()
    }
    if value("expect") == "100-continue" {
      try socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), until: deadline)
    }
    if value("transfer-encoding")?.hasSuffix("chunked") == true { return try readChunks() }
    guard let length = value("content-length") else { return [] }
    guard let count = Int(length), count >= 0 else { throw Failure.malformed }
    return try readBytes(count)
  }

  /// Reads a chunked body: the chunks up to the last one, which has size 0, and the trailer fields (RFC 9112, 7.1).
  private mutating func readChunks() throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let digits = try readLine().prefix { $0.isHexDigit }
      guard let size = Int(digits, radix: 16), size >= 0 else { throw Failure.malformed }
      if size == 0 {
        _ = try readHeaders()
        return body
      }
      body += try readBytes(size)
      guard try readLine().isEmpty else { throw Failure.malformed }
    }
  }

  private mutating func readLine() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        var line = buffer[..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        buffer = buffer[(end + 1)...]
        return String(decoding: line, as: UTF8.self)
      }
      try fill()
    }
  }

  private mutating func readBytes(_ count: Int) throws -> [UInt8] {
    while buffer.count < count { try fill() }
    defer { buffer = buffer.dropFirst(count) }
    return Array(buffer.prefix(count))
  }

  private mutating func fill() throws {
    let bytes = try socket.read(until: deadline)
    guard !bytes.isEmpty else { throw Failure.ended }
    buffer += bytes
  }

  private func trimmedEnd(_ text: Substring) -> String {
    var text = text
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
