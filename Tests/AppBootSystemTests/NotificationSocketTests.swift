import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("NotificationSocket")
struct NotificationSocketTests {
  @Test("Assignments arrive in the order of their messages")
  func order() throws {
    let socket = try NotificationSocket()
    #expect(socket.assignments() == [])
    try NotificationSocket.send("STATUS=a\nREADY=1\n", to: socket.path)
    try NotificationSocket.send("STATUS=b", to: socket.path)
    #expect(socket.assignments() == ["STATUS=a", "READY=1", "STATUS=b"])
    #expect(socket.assignments() == [])
  }

  @Test("A closed socket leaves no file")
  func closed() throws {
    let socket = try NotificationSocket()
    let path = socket.path
    #expect(try FileSystem.permissions(FileSystem.directory(of: path)) == 0o700)
    socket.close()
    #expect(socket.assignments() == [])
    #expect(!FileSystem.exists(FileSystem.directory(of: path)))
    #expect(throws: SystemError.self) { try NotificationSocket.send("READY=1", to: path) }
  }
}
