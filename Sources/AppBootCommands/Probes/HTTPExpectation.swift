import AppBoot

/// The response that an ``HTTPProbe`` expects. Each `{env.NAME}` is replaced by the variable's value.
struct HTTPExpectation: Sendable {
  /// The maximum number of body bytes that are searched for the expected text.
  static let bodyLimit = 1 << 16
  /// The maximum nanoseconds from the connection to the response.
  static let limit: Int64 = 10_000_000_000

  let address: HTTPAddress
  let status: [Int]
  let headers: [(name: String, value: String)]
  let body: String?

  init(_ probe: HTTPProbe, in context: LaunchContext) throws {
    address = try HTTPAddress(parsing: TextParameter.value(of: probe.url, in: context))
    status = probe.status?.values ?? []
    headers = try HTTPHeader.fields(probe.headers, in: context)
    body = try probe.body.map { try TextParameter.value(of: $0, in: context) }
  }

  /// The bytes of the request. It asks the server to close the connection after the response.
  var request: [UInt8] {
    Array(
      ("GET \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\nUser-Agent: appboot\r\nAccept: */*\r\n"
        + "Connection: close\r\n\r\n").utf8)
  }

  /// Compares the bytes received so far with the expectation; returns `nil` if more bytes are needed.
  ///
  /// - Parameter isWhole: True if the connection has ended, so that no more bytes will come.
  func judge(_ bytes: [UInt8], isWhole: Bool) -> Sighting? {
    let response: HTTPResponse
    switch HTTPResponse.parse(bytes) {
    case .incomplete where bytes.count > Self.bodyLimit:
      return .unready("\(address.shown) answered with more than 64 KiB of header fields")
    case .incomplete where isWhole:
      let isEmpty = bytes.isEmpty
      return .unready(
        "\(address.shown) closed the connection \(isEmpty ? "without a response" : "inside its response")")
    case .incomplete: return nil
    case .invalid(let problem): return .unready("\(address.shown) gave no valid response: \(problem)")
    case .notHTTP: return .unready("\(address.shown) does not answer in HTTP")
    case .response(let found): response = found
    }
    guard status.isEmpty ? (200...399).contains(response.status) : status.contains(response.status) else {
      return .unready("\(address.shown) answered \(response.status)")
    }
    for (name, value) in headers where !response.has(name, value) {
      return .unready(
        "\(address.shown) answered \(response.status) without the header field \"\(name): \(value)\"")
    }
    guard let body, !response.bodyContains(body) else {
      return .ready("\(address.shown) answered \(response.status)")
    }
    guard isWhole || response.isComplete || response.body.count > Self.bodyLimit else { return nil }
    return .unready("\(address.shown) answered \(response.status) without \"\(body)\" in its body")
  }
}
