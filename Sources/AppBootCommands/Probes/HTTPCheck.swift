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
