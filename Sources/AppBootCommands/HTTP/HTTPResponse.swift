import AppBoot

/// The part of an HTTP/1 response that has been received so far (RFC 9112).
struct HTTPResponse: Sendable {
  enum Parsed {
    case incomplete
    case notHTTP
    /// The response does not say in a valid way where its body ends. The text is the problem.
    case invalid(String)
    case response(HTTPResponse)
  }

  let status: Int
  /// The header fields. The names are in lower case.
  let fields: [(name: String, value: String)]
  private(set) var body: [UInt8] = []
  /// True if the whole body has been received.
  private(set) var isComplete = false

  /// The bytes of the current chunk that have not been received.
  private var chunkRest = 0
  /// True if a line break ends the current chunk, and has not been received.
  private var awaitsLineBreak = false

  /// Parses the bytes received so far. Skips interim responses (status 1xx; RFC 9110, 15.2).
  static func parse(_ bytes: [UInt8]) -> Parsed {
    var reader = Reader()
    return reader.append(bytes)
  }

  /// A reader of a response that arrives in pieces. It reads each byte of the body once.
  struct Reader: Sendable {
    private var response: HTTPResponse?
    /// The bytes that have been received and not read: the beginning of the head, or of a line between chunks.
    private(set) var unread: [UInt8] = []

    /// Reads more bytes, and returns the response so far.
    mutating func append(_ bytes: [UInt8]) -> Parsed {
      unread += bytes
      var rest = unread[...]
      defer { unread = Array(rest) }
      while response == nil {
        guard rest.starts(with: "HTTP/".utf8.prefix(rest.count)) else { return .notHTTP }
        guard let head = HTTPResponse.takeHead(&rest) else { return .incomplete }
        let words = head.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count > 1, let status = Int(words[1]), (100...999).contains(status) else {
          return .notHTTP
        }
        if status >= 200 {
          response = HTTPResponse(status: status, fields: head.dropFirst().compactMap(HTTPResponse.field))
        }
      }
      do throws(InvalidBody) {
        try response?.read(&rest)
      } catch {
        return .invalid(error.problem)
      }
      return response.map { .response($0) } ?? .incomplete
    }
  }

  /// An error of a response whose body has no valid end.
  private struct InvalidBody: Error {
    let problem: String
  }

  private init(status: Int, fields: [(name: String, value: String)]) {
    self.status = status
    self.fields = fields
  }

  /// True if the response itself says where its body ends; otherwise the end of the connection is its end.
  var declaresEnd: Bool { fields.contains { ["content-length", "transfer-encoding"].contains($0.name) } }

  /// Returns whether the response has a header field with this name and value. The name is case-insensitive.
  func has(_ name: String, _ value: String) -> Bool {
    let name = name.lowercased()
    return fields.contains { $0.name == name && $0.value == value }
  }

  /// Returns whether the body received so far contains a text.
  func bodyContains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    var rest = body[...]
    while let start = rest.firstIndex(of: first) {
      if body[start...].starts(with: wanted) { return true }
      rest = body[(start + 1)...]
    }
    return false
  }

  /// Removes the status line and the header fields from the bytes, and returns their lines.
  ///
  /// Returns `nil` if the empty line after them has not been received yet.
  private static func takeHead(_ bytes: inout ArraySlice<UInt8>) -> [String]? {
    var lines: [String] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      var line = rest[..<end]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      rest = rest[(end + 1)...]
      guard !line.isEmpty else {
        bytes = rest
        return lines
      }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    return nil
  }

  private static func field(_ line: String) -> (name: String, value: String)? {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let value = line[line.utf8.index(after: colon)...].utf8.drop { $0 == 0x20 || $0 == 0x09 }
    let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { value.index(after: $0) } ?? value.startIndex
    return (line[..<colon].lowercased(), String(Substring(value[..<end])))
  }

  /// Moves bytes to the body, up to the end of the response.
  private mutating func read(_ bytes: inout ArraySlice<UInt8>) throws(InvalidBody) {
    // They have no body, whatever their fields say (RFC 9112, 6.3).
    if status == 204 || status == 304 {
      isComplete = true
      return
    }
    if fields.contains(where: { $0.name == "transfer-encoding" && $0.value.lowercased().hasSuffix("chunked") }
    ) {
      return try readChunks(&bytes)
    }
    var length: Int?
    for field in fields where field.name == "content-length" {
      guard let number = Self.number(field.value.utf8, radix: 10), number == length ?? number else {
        throw InvalidBody(problem: "its Content-Length is not one number")
      }
      length = number
    }
    take(length.map { $0 - body.count } ?? .max, from: &bytes)
    isComplete = length == body.count
  }

  /// Moves the chunks that have been received to the body (RFC 9112, 7.1).
  private mutating func readChunks(_ bytes: inout ArraySlice<UInt8>) throws(InvalidBody) {
    while !isComplete {
      chunkRest -= take(chunkRest, from: &bytes)
      guard chunkRest == 0, !awaitsLineBreak || takeLineBreak(&bytes),
        let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      else { return }
      let digits = bytes[..<end].prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\r") && $0 != 0x20 }
      guard let size = Self.number(digits, radix: 16) else {
        throw InvalidBody(problem: "a chunk has no valid size")
      }
      bytes = bytes[(end + 1)...]
      (chunkRest, awaitsLineBreak, isComplete) = (size, size > 0, size == 0)
    }
  }

  /// Moves at most `count` bytes to the body, and returns their number.
  @discardableResult
  private mutating func take(_ count: Int, from bytes: inout ArraySlice<UInt8>) -> Int {
    let taken = bytes.prefix(count)
    body += taken
    bytes = bytes[taken.endIndex...]
    return taken.count
  }

  /// Removes the line break after a chunk. Returns false if it has not been received.
  private mutating func takeLineBreak(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    let isLong = bytes.first == UInt8(ascii: "\r")
    guard bytes.count > (isLong ? 1 : 0) else { return false }
    if isLong { bytes = bytes.dropFirst() }
    if bytes.first == UInt8(ascii: "\n") { bytes = bytes.dropFirst() }
    awaitsLineBreak = false
    return true
  }

  /// Returns the number that digits are; `nil` for anything else, for example a sign.
  private static func number(_ digits: some Collection<UInt8>, radix: Int) -> Int? {
    digits.first.flatMap { $0 >= 0x30 ? Int(String(decoding: digits, as: UTF8.self), radix: radix) : nil }
  }
}

/// A namespace for the schema of HTTP statuses in a manifest (RFC 9110, 15).
enum HTTPStatus {
  /// The schema of one status or of a list of statuses.
  static var oneOrMore: ParameterSchema {
    let status = ParameterSchema.integer(minimum: 100, maximum: 599)
    return .optional(.anyOf([status, .nonEmpty(.array(status))]))
  }
}

extension ParameterValidation {
  /// Rejects invalid statuses. Each error is reported at its status.
  mutating func checkStatus(_ status: OneOrMore<Int>?, at place: Place) {
    let values = status?.values ?? []
    for (index, value) in values.enumerated() {
      check(value, isIn: 100...599, at: values.count == 1 ? [place] : [place, .index(index)])
    }
  }

  /// Rejects a number that is out of a range.
  mutating func check(_ number: Int, isIn range: ClosedRange<Int>, at places: [Place]) {
    guard !range.contains(number) else { return }
    let (least, most) = (range.lowerBound, range.upperBound)
    reject("must be a whole number from \(least) to \(most), not \(number)", at: places)
  }
}
