import AppBoot
import AppBootSystem

/// A check that sends a plain HTTP/1.1 request, on a new connection for each attempt.
struct HTTPCheck: ProbeCheck {
  private struct Exchange: Sendable {
    let socket: StreamSocket
    let since: Int64
    var unsent: ArraySlice<UInt8>
    var response: [UInt8] = []
  }

  /// The maximum number of reads of one look. A server that never stops sending would delay timeouts and signals.
  private static let mostReads = 64

  private let expectation: HTTPExpectation
  private var connector: Connector
  private var exchange: Exchange?

  init(_ expectation: HTTPExpectation) {
    self.expectation = expectation
    connector = Connector(.tcp(expectation.address.address))
  }

  var pace: ProbePace { connector.target.isLocal ? .local : .remote }

  mutating func look(at time: Int64) -> Sighting {
    if exchange == nil {
      switch connector.advance(at: time) {
      case .connected(let socket):
        exchange = Exchange(socket: socket, since: time, unsent: expectation.request[...])
      case .pending(let text): return .undecided(text)
      case .failed(let text): return .unready(text)
      }
    }
    guard let sighting = converse() else {
      let text = "no response yet from \(expectation.address.shown)"
      guard let since = exchange?.since, time - since >= HTTPExpectation.limit else {
        return .undecided(text)
      }
      close()
      return .unready("\(expectation.address.shown) did not answer within 10s")
    }
    close()
    return sighting
  }

  mutating func close() {
    exchange?.socket.close()
    exchange = nil
    connector.close()
  }

  /// Sends and receives without blocking. Returns the result; `nil` while the response is incomplete.
  private mutating func converse() -> Sighting? {
    guard var exchange else { return nil }
    defer { self.exchange = exchange }
    do throws(SystemError) {
      while !exchange.unsent.isEmpty {
        let sent = try exchange.socket.writeSome(exchange.unsent)
        if sent == 0 { return nil }
        exchange.unsent.removeFirst(sent)
      }
      for _ in 0..<Self.mostReads {
        guard let bytes = try exchange.socket.readAvailable() else { return nil }
        exchange.response += bytes
        if let sighting = expectation.judge(exchange.response, isWhole: bytes.isEmpty) { return sighting }
      }
      return nil
    } catch {
      return expectation.judge(exchange.response, isWhole: true)
    }
  }
}

/// A condition that holds if a server answers a request with the expected response.
///
/// A manifest writes it as a URL, or as an object with the URL and the expectations.
struct HTTPProbe: ParameterGroup {
  @Parameter("The http or https URL; may hold {env.NAME}.", schema: HTTPAddress.schema)
  var url: String

  @Parameter(
    "The status of a ready server, or a list of them. Default: 200 to 399.",
    schema: HTTPStatus.oneOrMore)
  var status: OneOrMore<Int>?

  @Parameter(
    "Header fields that the response must have, with these values; they may hold {env.NAME}.",
    schema: .dictionary(HTTPHeader.valueSchema, names: HTTPHeader.nameSchema))
  var headers: [String: String] = [:]

  @Parameter(
    "A text that the first 64 KiB of the response's body contain; may hold {env.NAME}.",
    schema: .optional(TextParameter.schema))
  var body: String?

  init() {}

  /// Creates a condition in code.
  ///
  /// - Parameter status: The statuses that the response may have; empty for 200 to 399.
  init(url: String, status: [Int] = [], headers: [String: String] = [:], body: String? = nil) {
    (self.url, self.headers, self.body) = (url, headers, body)
    if !status.isEmpty { self.status = OneOrMore(status) }
  }

  func validate(_ validation: inout ParameterValidation) {
    validation.checkStatus(status, at: "status")
    validation.checkHeaders(headers, at: "headers")
    if let problem = body.flatMap(TextParameter.problem) { validation.reject(problem, at: "body") }
  }

  /// The names of the variables in the expected header fields. Their values are secret.
  var secretVariables: [String] { TextParameter.variables(in: headers.values) }
}

extension HTTPProbe {
  /// An object, or the URL.
  static var parameterType: ParameterType<HTTPProbe> { parameterType(orOnly: "url") }
}

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
