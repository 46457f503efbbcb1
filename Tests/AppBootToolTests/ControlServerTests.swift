import AppBootSystem
import Testing

@testable import AppBootTool

@Suite("The server at the control socket")
struct ControlServerTests {
  @Test("lets nobody else in before the last writes, and leaves the socket of who comes after")
  func succession() throws {
    let directory = try TemporaryDirectory()
    let first = try ControlServer(in: directory.path) { _ in "" }
    try first.start()
    var isKeptOut = false
    first.stop { isKeptOut = (try? ControlServer(in: directory.path) { _ in "" }) == nil }
    #expect(isKeptOut)
    let second = try ControlServer(in: directory.path) { _ in "" }
    try second.start()
    first.remove()
    #expect(FileSystem.exists(directory.file(Control.socketName)))
    second.stop {}
    #expect(!FileSystem.exists(directory.file(Control.socketName)))
  }

  @Test("says of an answer that is too long that it is")
  func longAnswers() throws {
    let directory = try TemporaryDirectory()
    let server = try ControlServer(in: directory.path) { _ in String(repeating: "a", count: Control.limit) }
    try server.start()
    defer { server.stop {} }
    let error = #expect(throws: ControlError.self) {
      try ControlClient(directory: directory.path).ask(.status, limit: 60_000_000_000)
    }
    #expect(error == .refused("the answer has 1048577 bytes, and at most 1048576 are sent"))
  }
}
