import AppBootSystem

/// A real HTTP/1.1 server on 127.0.0.1 for tests, with scripted answers and a log of requests.
///
/// Each request takes the next answer of the script. After the last one, requests get `fallback`. Each connection
/// carries one request (RFC 9112, 9.6: `Connection: close`).
package final class HTTPServer: Sendable {
  /// A request from a client.
  package struct Request: Sendable, Equatable {
    /// The method, for example `POST`.
    package let method: String
    /// The request target: the path with the query.
    package let path: String
    /// The header fields in the order of the request. The names have the client's upper and lower case.
    package let headers: [Header]
    /// The body. A chunked body is decoded.
    package let body: [UInt8]

    /// Returns the first value of a header field; `nil` if the request does not have the field. The name is
    /// case-insensitive.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body as text. Invalid UTF-8 is replaced by U+FFFD.
    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// A header field.
  package struct Header: Sendable, Equatable {
    /// The name, in the upper and lower case of the sender.
    package let name: String
    /// The value without surrounding white space.
    package let value: String
  }

  /// An answer of the server to one request.
  package enum Answer: Sendable {
    /// Sends a status with header fields and a body.
    case status(Int, headers: [String: String] = [:], body: String = "")
    /// Waits until the gate opens or the server stops, then sends a status with a body.
    case held(Gate, status: Int, body: String = "")
    /// Sends a status with a body but no `Content-Length`. The server closes the connection after the body.
    case unannounced(status: Int, body: String)
    /// Sends a status, and the request as the body: its target, header fields and body on one line.
    case echo(status: Int)
    /// Closes the connection without an answer.
    case closeConnection
  }

  private struct State: Sendable {
    var answers: [Answer] = []
    var requests: [Request] = []
    var gates: [Gate] = []
    var connections: [StreamSocket] = []
    var workers: [Thread] = []
    var isStopped = false
  }

  /// The port, chosen by the system.
  package let port: UInt16
  /// The answer to requests that arrive after the script's last answer was used.
  package let fallback: Answer

  private let listener: SocketListener
  private let poller: Poller
  private let state = Condition(State())

  /// Starts a server on a free port. The server runs until `stop()` is called or the object is released.
  package init(answers: [Answer] = [], fallback: Answer = .status(200)) throws {
    self.listener = try SocketListener()
    self.poller = try Poller()
    self.port = listener.port
    self.fallback = fallback
    try poller.add(listener.readDescriptor, token: 0)
    state.withLock { $0.answers = answers }
    let loop = AcceptLoop(listener: listener, poller: poller)
    let thread = try Thread.start(name: "http-accept") { [weak self] in
      loop.run(until: { self?.isStopped ?? true }, serve: { self?.serve($0) ?? $0.close() })
    }
    state.withLock { $0.workers.append(thread) }
  }

  deinit {
    // The last reference can be that of a worker, which cannot wait for itself.
    Thread.detach(name: "http-end", beginToStop())
  }

  /// Returns the URL of a path on this server: `http://127.0.0.1:PORT/path`.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Appends an answer to the script.
  package func enqueue(_ answer: Answer) { state.withLock { $0.answers.append(answer) } }

  /// The requests that were received completely, oldest first.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// Waits until at least `count` requests were received completely, or `seconds` have passed.
  ///
  /// Returns all requests that were received completely so far.
  package func waitForRequests(_ count: Int, seconds: Int = 30) -> [Request] {
    let deadline = MonotonicClock.now() + Int64(seconds) * 1_000_000_000
    return state.wait(until: deadline) { $0.requests.count >= count ? $0.requests : nil } ?? requests
  }

  /// Stops accepting connections, opens the gates of held answers, and closes all connections. A second call has no
  /// effect.
  package func stop() { beginToStop()() }

  /// Begins to stop. Returns a function that waits for the threads.
  private func beginToStop() -> @Sendable () -> Void {
    let before = state.withLock { state in
      defer {
        state.isStopped = true
        state.connections = []
        state.gates = []
        state.workers = []
      }
      return state
    }
    poller.wake()
    before.gates.forEach { $0.open() }
    before.connections.forEach { $0.shutdown() }
    return { [listener] in
      before.workers.forEach { $0.join() }
      listener.close()
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Serves a connection on its own thread, so that a held answer does not delay other connections.
  private func serve(_ socket: StreamSocket) {
    state.withLock { state in
      guard !state.isStopped else { return socket.close() }
      state.connections.append(socket)
      let thread = try? Thread.start(name: "http-worker") { [weak self] in
        self?.converse(on: socket)
        socket.shutdown()
      }
      if let thread { state.workers.append(thread) }
    }
  }

  private func converse(on socket: StreamSocket) {
    let deadline = Patience.end
    var reader = HTTPRequestReader(socket: socket, deadline: deadline)
    guard let request = try? reader.read() else { return }
    let answer = state.withLock { state -> Answer in
      state.requests.append(request)
      let answer = state.answers.isEmpty ? fallback : state.answers.removeFirst()
      if case .held(let gate, _, _) = answer { state.isStopped ? gate.open() : state.gates.append(gate) }
      return answer
    }
    state.broadcast()
    if let bytes = response(to: request, answer) { try? socket.write(bytes, until: deadline) }
  }

  private func response(to request: Request, _ answer: Answer) -> [UInt8]? {
    switch answer {
    case .status(let status, let headers, let body):
      return text(status, headers, body, isHead: request.method == "HEAD")
    case .held(let gate, let status, let body):
      gate.wait()
      return text(status, [:], body, isHead: request.method == "HEAD")
    case .unannounced(let status, let body):
      return Array("HTTP/1.1 \(status) OK\r\nConnection: close\r\n\r\n\(body)".utf8)
    case .echo(let status):
      let headers = request.headers.map { "\($0.name): \($0.value)" }
      return text(
        status, [:], ([request.path] + headers + [request.text]).joined(separator: " "), isHead: false)
    case .closeConnection:
      return nil
    }
  }

  private func text(_ status: Int, _ headers: [String: String], _ body: String, isHead: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(status < 400 ? "OK" : "Error")", "Connection: close"]
    if status != 204 && status != 304 { lines.append("Content-Length: \(body.utf8.count)") }
    lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (isHead ? "" : body)).utf8)
  }
}

/// A loop that accepts connections. It ends after the server has stopped and has woken the poller.
private struct AcceptLoop: Sendable {
  let listener: SocketListener
  let poller: Poller

  func run(until isStopped: () -> Bool, serve: (StreamSocket) -> Void) {
    while !isStopped(), (try? poller.wait()) != nil {
      while let socket = try? listener.accept(until: 0) { serve(socket) }
    }
  }
}
