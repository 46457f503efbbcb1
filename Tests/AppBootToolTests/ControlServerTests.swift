import AppBoot
import AppBootLibC
import AppBootSystem
import Testing
import AppBootTestSupport

@testable import AppBootTool

@Suite("The control socket's server")
struct ControlServerTests {
  private let deadline = Patience.end
  private let directory: TemporaryDirectory
  private var socket: String { directory.file(Control.socketName) }

  init() throws { directory = try TemporaryDirectory() }

  private func server(_ handler: @escaping ControlServer.Handler = { $1("{}") }) throws -> ControlServer {
    try ControlServer(in: directory.path, handler)
  }

  private func request(_ event: String, payload: String? = nil) -> ControlRequest {
    .emit(event: event, payload: payload, url: nil, scene: nil)
  }

  /// Connects, and sends the request if there is one.
  private func connect(_ request: ControlRequest? = nil) throws -> StreamSocket {
    let socket = try StreamSocket.connect(path: socket, until: deadline)
    if let request { try socket.write(Array("\(request.json(toAppOf: nil))\n".utf8), until: deadline) }
    return socket
  }

  @Test("A server keeps its lock until its last write, and leaves the socket of its successor")
  func succession() throws {
    let first = try server()
    try first.start()
    var isLocked = false
    first.stop { isLocked = (try? server()) == nil }
    #expect(isLocked)
    let second = try server()
    try second.start()
    first.remove()
    #expect(FileSystem.exists(socket))
    second.stop {}
    #expect(!FileSystem.exists(socket))
  }

  @Test("A client with a manifest asks once, and an app of another manifest does not get the request")
  func manifests() throws {
    let taken = Lock<[ControlRequest]>([])
    let server = try ControlServer(in: directory.path, manifest: "shop/ci.json") { request, reply in
      taken.withLock { $0.append(request) }
      reply(#"{"version":1}"#)
    }
    try server.start()
    defer { server.stop {} }
    let request = request("openURL")
    _ = try ControlClient(directory: directory.path, manifest: "ci.json").ask(
      request, timeout: Patience.nanoseconds)
    #expect(taken.withLock { $0 } == [request])
    let error = #expect(throws: StayError.self) {
      try ControlClient(directory: directory.path, manifest: "b.json").ask(
        request, timeout: Patience.nanoseconds)
    }
    #expect(error?.message.contains("is in use by shop/ci.json, not by b.json") == true)
    #expect(taken.withLock(\.count) == 1)
  }

  @Test("An answer over the limit becomes an error")
  func longAnswers() throws {
    let server = try server { $1(String(repeating: "a", count: Control.limit)) }
    try server.start()
    defer { server.stop {} }
    let error = #expect(throws: ControlError.self) {
      try ControlClient(directory: directory.path).ask(.status, timeout: Patience.nanoseconds)
    }
    #expect(error == .refused("the answer has 1048577 bytes, more than the limit of 1048576"))
  }

  @Test("A client stops reading at the limit of an answer")
  func endlessAnswers() throws {
    let listener = try SocketListener(path: socket)
    let thread = try Thread.start(name: "endless") { [deadline] in
      guard let socket = try? listener.accept(until: deadline) else { return }
      while (try? socket.write([UInt8](repeating: 97, count: 65_536), until: deadline)) != nil {}
    }
    let error = #expect(throws: ControlFailure.self) {
      try ControlClient(directory: directory.path).ask(.status, timeout: Patience.nanoseconds)
    }
    #expect(error == .longAnswer && error?.exit == .preconditionMissing)
    thread.join()
  }

  @Test("A server sends an answer of maximal length to a slow client")
  func largeAnswers() throws {
    let text = String(repeating: "a", count: Control.limit - 1)
    let server = try server { $1(text) }
    try server.start()
    defer { server.stop {} }
    let slow = try connect(.status)
    let quick = try connect(.status)
    #expect(try Control.readLine(quick, until: deadline)?.count == Control.limit - 1)
    #expect(try Control.readLine(slow, until: deadline)?.count == Control.limit - 1)
  }

  @Test("Waiting requests are taken in the order of their connections")
  func order() throws {
    let taken = Lock<[ControlRequest]>([])
    let server = try server { request, reply in
      taken.withLock { $0.append(request) }
      reply("{}")
    }
    let requests = (1...30).map { request("event \($0)") }
    let sockets = try requests.map(connect)
    try server.start()
    for socket in sockets { #expect(try Control.readLine(socket, until: deadline) == Array("{}".utf8)) }
    #expect(taken.withLock { $0 } == requests)
    server.stop {}
  }

  @Test("A request is taken when its line is complete, even after later connections")
  func completion() throws {
    let taken = Lock<[ControlRequest]>([])
    let server = try server { request, reply in
      taken.withLock { $0.append(request) }
      reply("{}")
    }
    try server.start()
    let (early, late) = (request("early"), request("late", payload: String(repeating: "a", count: 100_000)))
    let socket = try connect()
    try socket.write(Array(early.json(toAppOf: nil).utf8), until: deadline)
    #expect(try Control.readLine(connect(late), until: deadline) == Array("{}".utf8))
    try socket.write([10], until: deadline)
    #expect(try Control.readLine(socket, until: deadline) == Array("{}".utf8))
    #expect(taken.withLock { $0 } == [late, early])
    server.stop {}
  }

  @Test("A connection over the capacity is refused, even while it still sends")
  func capacity() throws {
    let (asked, replies) = (Condition(0), Lock<[@Sendable (String) -> Void]>([]))
    let server = try server { _, reply in
      replies.withLock { $0.append(reply) }
      asked.withLock { $0 += 1 }
      asked.broadcast()
    }
    try server.start()
    let waiting = try (1...ControlConnections.capacity).map { _ in try connect(.status) }
    _ = asked.wait { $0 == waiting.count ? true : nil }
    let large = request("large", payload: String(repeating: "a", count: 1_000_000))
    let error = #expect(throws: ControlError.self) {
      try ControlClient(directory: directory.path).ask(large, timeout: Patience.nanoseconds)
    }
    #expect(error == .refused("too many requests are waiting: try again later"))
    for reply in replies.withLock({ $0 }) { reply("{}") }
    for socket in waiting { #expect(try Control.readLine(socket, until: deadline) == Array("{}".utf8)) }
    server.stop {}
  }

  @Test("Connections that their clients abandoned free the capacity")
  func abandoned() throws {
    let asked = Condition(0)
    let server = try server { _, reply in
      let count = asked.withLock { count in
        count += 1
        return count
      }
      asked.broadcast()
      if count > ControlConnections.capacity { reply("{}") }
    }
    try server.start()
    let left = try (1...ControlConnections.capacity).map { _ in try connect(.status) }
    _ = asked.wait { $0 == left.count ? true : nil }
    for socket in left { socket.close() }
    #expect(try Control.readLine(connect(.status), until: deadline) == Array("{}".utf8))
    server.stop {}
  }

  @Test("A client times out while the server accepts no connections")
  func crowded() throws {
    let listener = try SocketListener(path: socket)
    var queue: [StreamSocket] = []
    while let next = try? StreamSocket.connect(path: socket, until: 0) { queue.append(next) }
    let failure = #expect(throws: ControlFailure.self) {
      try ControlClient(directory: directory.path).ask(.status, timeout: 1)
    }
    #expect(failure == .notSent && failure?.exit == .deadlinePassed)
    listener.close()
  }

  @Test("A stopping server answers that the app is ending")
  func ending() throws {
    let asked = Condition(false)
    let server = try server { _, _ in
      asked.withLock { $0 = true }
      asked.broadcast()
    }
    try server.start()
    let socket = try connect(.status)
    _ = asked.wait { $0 ? true : nil }
    server.stop {}
    let line = try #require(try Control.readLine(socket, until: deadline))
    let answer = try JSONDocument(parsing: SourceText(name: "answer", bytes: line)).root
    #expect(answer["error"]?["message"]?.string == "the app is ending")
  }

  @Test("A server replaces a socket without a listener")
  func stale() throws {
    try SocketListener(path: socket).close()
    let server = try server()
    try server.start()
    #expect(try Control.readLine(connect(.status), until: deadline) == Array("{}".utf8))
    server.stop {}
  }

  @Test("A server does not replace a socket at which another program listens")
  func foreign() throws {
    let (listener, isOver) = (try SocketListener(path: socket), Lock(false))
    let thread = try Thread.start(name: "foreign") {
      while !isOver.withLock(\.self) {
        _ = try? listener.accept(until: MonotonicClock.now() + 10_000_000)
      }
    }
    // A program that does not hang up within a second may be a suspended app.
    let isForeign = Patience.wait {
      let error = #expect(throws: StayError.self) { try server() }
      return error?.message.contains("another program listens at") == true
    }
    #expect(isForeign)
    isOver.withLock { $0 = true }
    thread.join()
    #expect(FileSystem.kind(of: socket, followingLinks: false) == .socket)
  }

  @Test("A server leaves a file, a link or a directory at its path unchanged, and reports it")
  func occupied() throws {
    try FileSystem.writeFile(atomically: [1], to: directory.file("target"))
    let places: [(words: String, make: () throws -> Void)] = [
      ("a regular file", { try FileSystem.writeFile(atomically: [1], to: socket) }),
      ("a directory", { try FileSystem.createDirectory(socket) }),
      ("a symbolic link", { #expect(symlink(directory.file("target"), socket) == 0) }),
    ]
    for place in places {
      try place.make()
      let kind = FileSystem.kind(of: socket, followingLinks: false)
      let error = #expect(throws: StayError.self) { try server() }
      #expect(error?.message.contains("is \(place.words), not a control socket") == true)
      #expect(error?.exit == .preconditionMissing)
      #expect(FileSystem.kind(of: socket, followingLinks: false) == kind)
      try FileSystem.remove(socket)
    }
  }

  @Test("A client sends nothing through a symbolic link in place of the socket")
  func linkedSocket() throws {
    let listener = try SocketListener(path: directory.file("other"))
    defer { listener.close() }
    #expect(symlink(directory.file("other"), socket) == 0)
    let error = #expect(throws: SystemError.self) {
      try ControlClient(directory: directory.path).ask(.status, timeout: Patience.nanoseconds)
    }
    #expect(error?.reason == "it is a symbolic link: move it away")
  }

  @Test("A server does not replace the socket of a listener whose lock file was removed")
  func withoutLock() throws {
    let first = try server { $1(#"{"version":1,"status":1}"#) }
    try first.start()
    try FileSystem.remove(directory.file(Control.lockName))
    let error = #expect(throws: StayError.self) { try server() }
    #expect(error?.message.contains("an app is already running") == true)
    let answer = try ControlClient(directory: directory.path).ask(.status, timeout: Patience.nanoseconds)
    #expect(answer["status"] != nil)
    first.stop {}
  }

  @Test("A stopping server leaves another process's socket at its path")
  func replaced() throws {
    let server = try server()
    try server.start()
    try FileSystem.remove(socket)
    let other = try SocketListener(path: socket)
    server.stop {}
    #expect(FileSystem.kind(of: socket) == .socket)
    other.close()
  }
}
