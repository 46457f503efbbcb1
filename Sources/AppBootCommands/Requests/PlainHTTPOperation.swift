import AppBoot
import AppBootSystem

/// An operation that sends an HTTP/1.1 request without encryption, on a connection of its own (RFC 9112).
final class PlainHTTPOperation: PolledOperation {
  /// A function that returns the step's result. The secrets in the response that it receives are not masked.
  typealias Judge = @Sendable (Result<CurlResponse, CurlError>) -> Result<Void, any Error>

  private struct State: Sendable {
    var connector: Connector
    var socket: StreamSocket?
    var unsent: ArraySlice<UInt8>
    var reader = HTTPResponse.Reader()
    /// The time of the next look; `nil` while only the response is missing.
    var due: Int64?
    var isStopped = false
  }

  /// The most reads before the poller looks at its timeouts again.
  private static let mostReads = 64

  private let request: CurlRequest
  private let target: String
  private let judge: Judge
  private let startedAt = MonotonicClock.now()
  private let state: Lock<State>

  /// Creates the operation.
  ///
  /// - Parameters:
  ///   - body: The bytes of the request's body.
  ///   - target: The text that describes the request in messages.
  init(
    _ request: CurlRequest, to address: HTTPAddress, body: [UInt8], for target: String, judge: @escaping Judge
  ) {
    (self.request, self.target, self.judge) = (request, target, judge)
    state = Lock(
      State(
        connector: Connector(.tcp(address.address)),
        unsent: Self.bytes(of: request, to: address, body: body)[...],
        due: startedAt))
  }

  /// Returns whether this machine sends plain requests without a proxy, which only curl can use.
  static func isDirect(in context: LaunchContext) -> Bool {
    ["http_proxy", "all_proxy", "ALL_PROXY"].allSatisfy { context.environment($0)?.isEmpty ?? true }
  }

  private static func bytes(of request: CurlRequest, to address: HTTPAddress, body: [UInt8]) -> [UInt8] {
    var fields = [("Host", address.authority), ("User-Agent", "appboot"), ("Accept", "*/*")]
      .filter { !request.hasHeader($0.0) }
    fields += request.headers.map { ($0.name, $0.value) }
    fields.append(("Connection", "close"))
    if request.body != .none || !["GET", "HEAD"].contains(request.method) {
      fields.append(("Content-Length", "\(body.count)"))
    }
    let head = "\(request.method) \(address.target) HTTP/1.1\r\n" + fields.map { "\($0): \($1)\r\n" }.joined()
    return Array((head + "\r\n").utf8) + body
  }

  var descriptors: [Int32] { state.withLock { $0.socket.map { [$0.pollDescriptor] } ?? [] } }
  var nextDeadline: Int64? { state.withLock { $0.isStopped ? 0 : $0.due } }
  var obstacle: String? { "\(target) has no response yet" }

  func advance() -> Result<Void, any Error>? {
    let (result, isStopped) = state.withLock { state in
      (state.isStopped ? nil : converse(&state), state.isStopped)
    }
    return isStopped ? .failure(CancellationError()) : result.map(judge)
  }

  func stop(isForced: Bool) { state.withLock { $0.isStopped = true } }

  func release() {
    state.withLock { state in
      state.connector.close()
      state.socket?.close()
      state.socket = nil
    }
  }

  /// Connects, sends and receives as far as possible without waiting.
  private func converse(_ state: inout State) -> Result<CurlResponse, CurlError>? {
    let time = MonotonicClock.now()
    state.due = time + ProbePace.local.look(after: time - startedAt)
    if state.socket == nil {
      switch state.connector.advance(at: time) {
      case .connected(let socket): state.socket = socket
      case .pending: return nil
      case .failed(let reason):
        let isUnknown = reason.hasPrefix("no address")
        let problem = isUnknown ? "was not found" : "does not accept connections"
        return .failure(CurlError(target, "\(problem): \(reason)"))
      }
    }
    guard let socket = state.socket else { return nil }
    do throws(SystemError) {
      try send(&state.unsent, to: socket)
      // From now on the descriptor says when there is something to read.
      if state.unsent.isEmpty { state.due = nil }
      for _ in 0..<Self.mostReads {
        guard let bytes = try socket.readAvailable() else { return nil }
        if let result = result(of: bytes, in: &state.reader) { return result }
      }
      state.due = time
      return nil
    } catch {
      return noResponse("\(error)")
    }
  }

  /// Sends as much as possible without waiting. Drops the rest if the server has closed the connection, because a
  /// response may already be there (RFC 9112, 9.5).
  private func send(_ unsent: inout ArraySlice<UInt8>, to socket: StreamSocket) throws(SystemError) {
    do throws(SystemError) {
      while !unsent.isEmpty {
        let sent = try socket.writeSome(unsent)
        if sent == 0 { return }
        unsent.removeFirst(sent)
      }
    } catch  where error.isBrokenConnection {
      unsent = []
    }
  }

  /// Reads the next bytes, none at the end of the connection. Returns the response or the error.
  ///
  /// Returns `nil` if more bytes are needed.
  private func result(
    of bytes: [UInt8], in reader: inout HTTPResponse.Reader
  ) -> Result<CurlResponse, CurlError>? {
    let isWhole = bytes.isEmpty
    let parsed = reader.append(bytes)
    if reader.unread.count > request.responseLimit {
      return .failure(CurlError(target, limit: request.responseLimit))
    }
    switch parsed {
    case .invalid(let problem): return noResponse(problem)
    case .notHTTP: return noResponse("it does not answer in HTTP")
    case .incomplete:
      let reason = reader.unread.isEmpty ? "it sent nothing" : "it ended inside the header fields"
      return isWhole ? noResponse(reason) : nil
    case .response(let response):
      // A response to HEAD has no body, whatever its fields say (RFC 9110, 9.3.2).
      let body = request.method == "HEAD" ? [] : response.body
      if body.count > request.responseLimit {
        return .failure(CurlError(target, limit: request.responseLimit))
      }
      let isComplete = request.method == "HEAD" || response.isComplete
      guard isComplete || isWhole else { return nil }
      if !isComplete, response.declaresEnd { return noResponse("it ended inside the body") }
      return .success(
        CurlResponse(
          status: response.status, size: body.count, body: String(decoding: body, as: UTF8.self)))
    }
  }
  private func noResponse(_ reason: String) -> Result<CurlResponse, CurlError> {
    .failure(CurlError(target, "gave no valid response: \(reason)"))
  }
}
