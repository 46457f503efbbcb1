import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("AppendFile")
struct AppendFileTests {
  @Test("An append file keeps the bytes of several writers in order")
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

  @Test("Appending to a closed file throws")
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
