import AppBootSystem
import Testing

@Suite("A file that only grows")
struct AppendFileTests {
  @Test("takes what several writers append, in order")
  func appends() throws {
    let directory = try TemporaryDirectory()
    let first = try AppendFile(directory.file("journal"), mode: 0o600)
    let second = try AppendFile(directory.file("journal"))
    try first.append([1])
    try second.append([2])
    try first.append([3])
    #expect(try FileSystem.readFile(directory.file("journal")) == [1, 2, 3])
    #expect(try FileSystem.permissions(directory.file("journal")) == 0o600)
  }

  @Test("says so when it was closed")
  func closed() throws {
    let directory = try TemporaryDirectory()
    let file = try AppendFile(directory.file("journal"))
    file.close()
    file.close()
    #expect(throws: SystemError(call: "write", path: directory.file("journal"), code: 9)) {
      try file.append([1])
    }
  }
}
