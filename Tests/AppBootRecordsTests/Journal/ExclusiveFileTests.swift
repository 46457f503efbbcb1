import AppBootLibC
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootRecords

@Suite("ExclusiveFile")
struct ExclusiveFileTests {
  @Test("An exclusive file cannot be a device")
  func special() {
    #expect(throws: SystemError.self) { try ExclusiveFile.open("/dev/null") }
  }

  @Test("A file of another user is not opened", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("journal")
    try FileSystem.writeFile(atomically: [1], to: path)
    #expect(chown(path, 65534, 65534) == 0)
    #expect(throws: SystemError.self) { try ExclusiveFile.open(path) }
  }

  @Test("An exclusive file is not opened through a symbolic link")
  func linked() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("journal")
    #expect(symlink(directory.file("target"), path) == 0)
    let error = #expect(throws: SystemError.self) { try ExclusiveFile.open(path) }
    #expect(error?.description == "cannot use \"\(path)\": it is a symbolic link: move it away")
    #expect(!FileSystem.exists(directory.file("target")))
  }

  @Test("A file is locked although another process looks at it for a long time, but not if one holds it")
  func looking() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("journal")
    let file = try FileSystem.open(path, O_RDWR | O_CREAT, mode: 0o600)
    let other = try FileSystem.open(path, O_RDONLY)
    defer { for descriptor in [file, other] { Descriptor.close(descriptor) } }
    #expect(flock(other, LOCK_SH | LOCK_NB) == 0)
    var pauses = 0
    let isLocked = ExclusiveFile.lock(file) {
      pauses += 1
      if pauses == 50 { #expect(flock(other, LOCK_UN) == 0) }
    }
    #expect(isLocked && pauses == 50)
    #expect(!ExclusiveFile.lock(other) { pauses += 1 })
    #expect(pauses == 50)
  }

  @Test("A replaced file does not rename or remove its replacement")
  func replaced() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("journal")
    let first = try #require(try ExclusiveFile.open(path))
    #expect(first.isAtPath)
    try FileSystem.remove(path)
    #expect(!first.isAtPath)
    let second = try #require(try ExclusiveFile.open(path))
    try second.append([2])
    #expect(throws: SystemError.self) { try first.rename(to: directory.file("kept")) }
    first.remove()
    #expect(try FileSystem.readFile(path) == [2])
    #expect(!FileSystem.exists(directory.file("kept")))
    try second.rename(to: directory.file("kept"))
    #expect(try FileSystem.readFile(directory.file("kept")) == [2])
    #expect(!second.isAtPath)
  }
}
