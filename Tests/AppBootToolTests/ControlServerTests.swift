#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import AppBoot
import AppBootSystem
import Testing

@testable import AppBootTool

@Suite("The server at the control socket")
struct ControlServerTests {
  private let limit = MonotonicClock.now() + 60_000_000_000
  private let directory: TemporaryDirectory
  private var socket: String { directory.file(Control.socketName) }

  init() throws { directory = try TemporaryDirectory() }

  private func server(_ handler: @escaping ControlServer.Handler = { $1("{}") }) throws -> ControlServer {
    try ControlServer(in: directory.path, handler)
  }

  private func request(_ event: String, payload: String? = nil) -> ControlRequest {
    .emit(event: event, payload: payload, url: nil, scene: nil)
  }

  /// Connects, and sends a request where there is one.
  private func connect(_ request: ControlRequest? = nil) throws -> StreamSocket {
    let socket = try StreamSocket.connect(path: socket, until: limit)
    if let request { try socket.write(Array("\(request.json)\n".utf8), until: limit) }
    return socket
  }

  @Test("lets nobody else in before the last writes, and leaves the socket of who comes after")
  func succession() throws {
    let first = try server()
    try first.start()
    var isKeptOut = false
    first.stop { isKeptOut = (try? server()) == nil }
    #expect(isKeptOut)
    let second = try server()
    try second.start()
    first.remove()
    #expect(FileSystem.exists(socket))
    second.stop {}
    #expect(!FileSystem.exists(socket))
  }

  @Test("says of an answer that is too long that it is")
  func longAnswers() throws {
    let server = try server { $1(String(repeating: "a", count: Control.limit)) }
    try server.start()
    defer { server.stop {} }
    let error = #expect(throws: ControlError.self) {
      try ControlClient(directory: directory.path).ask(.status, limit: 60_000_000_000)
    }
    #expect(error == .refused("the answer has 1048577 bytes, and at most 1048576 are sent"))
  }

  @Test("is not read beyond the longest answer")
  func endlessAnswers() throws {
    let listener = try SocketListener(path: socket)
    let thread = try Thread.start(name: "endless") { [limit] in
      guard let socket = try? listener.accept(until: limit) else { return }
      while (try? socket.write([UInt8](repeating: 97, count: 65_536), until: limit)) != nil {}
    }
    let error = #expect(throws: ControlFailure.self) {
      try ControlClient(directory: directory.path).ask(.status, limit: 60_000_000_000)
    }
    #expect(error == .longAnswer && error?.exit == .preconditionMissing)
    thread.join()
  }

  @Test("sends an answer as large as it may be, also to one who is slow to read")
  func largeAnswers() throws {
    let text = String(repeating: "a", count: Control.limit - 1)
    let server = try server { $1(text) }
    try server.start()
    defer { server.stop {} }
    let slow = try connect(.status)
    let quick = try connect(.status)
    #expect(try Control.readLine(quick, until: limit)?.count == Control.limit - 1)
    #expect(try Control.readLine(slow, until: limit)?.count == Control.limit - 1)
  }

  @Test("takes requests in the order of their connections, where they wait together")
  func order() throws {
    let taken = Lock<[ControlRequest]>([])
    let server = try server { request, reply in
      taken.withLock { $0.append(request) }
      reply("{}")
    }
    let requests = (1...30).map { request("event \($0)") }
    let sockets = try requests.map(connect)
    try server.start()
    for socket in sockets { #expect(try Control.readLine(socket, until: limit) == Array("{}".utf8)) }
    #expect(taken.withLock { $0 } == requests)
    server.stop {}
  }

  @Test("takes a request when its line is complete, whoever connected before")
  func completion() throws {
    let taken = Lock<[ControlRequest]>([])
    let server = try server { request, reply in
      taken.withLock { $0.append(request) }
      reply("{}")
    }
    try server.start()
    let (early, late) = (request("early"), request("late", payload: String(repeating: "a", count: 100_000)))
    let socket = try connect()
    try socket.write(Array(early.json.utf8), until: limit)
    #expect(try Control.readLine(connect(late), until: limit) == Array("{}".utf8))
    try socket.write([10], until: limit)
    #expect(try Control.readLine(socket, until: limit) == Array("{}".utf8))
    #expect(taken.withLock { $0 } == [late, early])
    server.stop {}
  }

  @Test("refuses one more than it serves, who hears of it though the request is still being sent")
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
      try ControlClient(directory: directory.path).ask(large, limit: 60_000_000_000)
    }
    #expect(error == .refused("too many others are asking"))
    for reply in replies.withLock({ $0 }) { reply("{}") }
    for socket in waiting { #expect(try Control.readLine(socket, until: limit) == Array("{}".utf8)) }
    server.stop {}
  }

  @Test("lets those in who come after others that have left unanswered")
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
    #expect(try Control.readLine(connect(.status), until: limit) == Array("{}".utf8))
    server.stop {}
  }

  @Test("is no longer waited for than the request says, though it takes no connections")
  func crowded() throws {
    let listener = try SocketListener(path: socket)
    var queue: [StreamSocket] = []
    while let next = try? StreamSocket.connect(path: socket, until: 0) { queue.append(next) }
    let failure = #expect(throws: ControlFailure.self) {
      try ControlClient(directory: directory.path).ask(.status, limit: 1)
    }
    #expect(failure == .unheard && failure?.exit == .deadlinePassed)
    listener.close()
  }

  @Test("tells those who wait for an answer that the app is ending")
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
    let line = try #require(try Control.readLine(socket, until: limit))
    let answer = try JSONDocument(parsing: SourceText(name: "answer", bytes: line)).root
    #expect(answer["error"]?["message"]?.string == "the app is ending")
  }

  @Test("replaces a socket that nobody listens at")
  func stale() throws {
    try SocketListener(path: socket).close()
    let server = try server()
    try server.start()
    #expect(try Control.readLine(connect(.status), until: limit) == Array("{}".utf8))
    server.stop {}
  }

  @Test("leaves a file, a link and a directory in its place as they are, and says what stands there")
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
      let error = #expect(throws: ToolError.self) { try server() }
      #expect(error?.message?.contains("is \(place.words), and no control socket") == true)
      #expect(error?.exit == .preconditionMissing && error?.isAboutControl == true)
      #expect(FileSystem.kind(of: socket, followingLinks: false) == kind)
      try FileSystem.remove(socket)
    }
  }

  @Test("does not take the socket of one who listens, though the lock's file was removed")
  func withoutLock() throws {
    let first = try server { $1(#"{"status":1}"#) }
    try first.start()
    try FileSystem.remove(directory.file(Control.lockName))
    let error = #expect(throws: ToolError.self) { try server() }
    #expect(error?.message?.contains("stays running") == true)
    let answer = try ControlClient(directory: directory.path).ask(.status, limit: 60_000_000_000)
    #expect(answer["status"] != nil)
    first.stop {}
  }

  @Test("leaves at its end what somebody else has put in the place of its socket")
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
