import AppBootLibC
import Testing

@testable import AppBootSystem

@Suite("ExclusiveFile")
struct ExclusiveFileTests {
  @Test("An exclusive file cannot be a device")
  func special() {
    #expect(throws: SystemError.self) { try ExclusiveFile.open("/dev/null") }
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

  @Test("A file still appends at its end after bytes in its middle are removed")
  func removesBytes() throws {
    let directory = try TemporaryDirectory()
    let file = try #require(try ExclusiveFile.open(directory.file("journal")))
    try file.append(Array("launch,old,new".utf8))
    try file.removeBytes(7..<11)
    try file.append(Array(",newest".utf8))
    #expect(try FileSystem.readFile(directory.file("journal")) == Array("launch,new,newest".utf8))
    #expect(file.length == 17)
    file.close()
    #expect(file.length == nil)
    #expect(throws: SystemError.self) { try file.removeBytes(0..<1) }
  }

  @Test("Removing bytes keeps the longer rest of the file")
  func removesFewBytes() throws {
    let directory = try TemporaryDirectory()
    let file = try #require(try ExclusiveFile.open(directory.file("journal")))
    try file.append(Array("launch,old,newer,newest".utf8))
    try file.removeBytes(6..<10)
    #expect(try FileSystem.readFile(directory.file("journal")) == Array("launch,newer,newest".utf8))
    try file.removeBytes(6..<19)
    try file.append(Array(".".utf8))
    #expect(try FileSystem.readFile(directory.file("journal")) == Array("launch.".utf8))
  }

  #if os(Linux)
  @Test("Removing bytes keeps the rest of the file even if the file cannot grow")
  func removesBytesOfFullFile() throws {
    let memory = linuxMemoryFile("full", 3)  // MFD_CLOEXEC, MFD_ALLOW_SEALING (memfd_create(2))
    let path = "/proc/self/fd/\(memory)"
    let file = ExclusiveFile(path, memory)
    defer { file.close() }
    try file.append(Array("launch,old,new".utf8))
    #expect(fcntl(memory, 1033, 4) == 0)  // F_ADD_SEALS, F_SEAL_GROW (fcntl(2))
    #expect(throws: SystemError.self) { try file.append([0]) }
    try file.removeBytes(7..<11)
    #expect(try FileSystem.readFile(path) == Array("launch,new".utf8))
  }
  #endif
}
