import AppBootLibC
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("FileSystem")
struct FileSystemTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test("A file contains the bytes that were written", arguments: [0, 1, 65_535, 65_536, 200_000])
  func roundTrip(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try FileSystem.writeFile(atomically: bytes, to: directory.file("a"))
    #expect(try FileSystem.readFile(directory.file("a")) == bytes)
  }

  @Test("A file of unknown size is read to its end")
  func procFile() throws {
    guard Host.platform == "linux" else { return }
    let status = String(decoding: try FileSystem.readFile("/proc/self/status"), as: UTF8.self)
    #expect(status.contains("Pid:"))
  }

  @Test("Reading more than the limit throws, for files and for endless devices")
  func limit() throws {
    let path = directory.file("a")
    try FileSystem.writeFile(atomically: [UInt8](repeating: 1, count: 100), to: path)
    #expect(try FileSystem.readFile(path, limit: 100).count == 100)
    for (path, limit, words) in [(path, 99, "99 bytes"), ("/dev/zero", 1 << 20, "1 MiB")] {
      let error = #expect(throws: SystemError.self) { try FileSystem.readFile(path, limit: limit) }
      #expect(error?.description == "cannot read more than \(words) of \"\(path)\": file too large")
    }
  }

  @Test("Reading a directory throws")
  func directoryIsNoFile() throws {
    #expect(throws: SystemError(call: "read", path: directory.path, code: 21)) {
      try FileSystem.readFile(directory.path)
    }
  }

  @Test("The error for a missing file names it")
  func missing() throws {
    let path = directory.file("none")
    let error = #expect(throws: SystemError.self) { try FileSystem.readFile(path) }
    #expect(error?.description == "cannot open \"\(path)\": no such file or directory")
    #expect(error?.isNotFound == true)
  }

  @Test("A new file has the requested mode", arguments: [0o600, 0o644] as [UInt32])
  func mode(mode: UInt32) throws {
    try FileSystem.writeFile(atomically: [1], to: directory.file("a"), mode: mode)
    #expect(try FileSystem.permissions(directory.file("a")) == mode)
  }

  @Test("Writing a file leaves no temporary file")
  func replaces() throws {
    try FileSystem.writeFile(atomically: [1, 2, 3], to: directory.file("a"))
    try FileSystem.writeFile(atomically: [4], to: directory.file("a"), durably: true)
    #expect(try FileSystem.readFile(directory.file("a")) == [4])
    #expect(try FileSystem.list(directory.path) == ["a"])
  }

  @Test("Writing to a directory throws and leaves no temporary file")
  func directoryInTheWay() throws {
    try FileSystem.createDirectory(directory.file("sub/full"), parents: true)
    #expect(throws: SystemError.self) {
      try FileSystem.writeFile(atomically: [1], to: directory.file("sub"))
    }
    #expect(try FileSystem.list(directory.path) == ["sub"])
  }

  @Test("A device is written in place, and a full device is an error")
  func devices() throws {
    try FileSystem.writeFile(atomically: [1], to: "/dev/null")
    #expect(FileSystem.kind(of: "/dev/null") == .other)
    guard FileSystem.exists("/dev/full") else { return }
    #expect(throws: SystemError(call: "write", path: "/dev/full", code: 28)) {
      try FileSystem.writeFile(atomically: [1], to: "/dev/full")
    }
    #expect(FileSystem.kind(of: "/dev/full") == .other)
  }

  @Test("Bytes for a path that names a descriptor follow its earlier output and do not replace its file")
  func openDescriptor() throws {
    let path = directory.file("log")
    let descriptor = try FileSystem.open(path, O_WRONLY | O_CREAT, mode: 0o600)
    defer { Descriptor.close(descriptor) }
    try FileSystem.writeAll(descriptor, Array("before\n".utf8), path: path)
    try FileSystem.writeFile(atomically: Array("report\n".utf8), to: "/dev/fd/\(descriptor)")
    try FileSystem.writeAll(descriptor, Array("after\n".utf8), path: path)
    #expect(try FileSystem.readFile(path) == Array("before\nreport\nafter\n".utf8))
  }

  @Test("Creating a directory again succeeds, and parents are created on request")
  func directories() throws {
    let path = directory.file("a/b/c")
    #expect(throws: SystemError.self) { try FileSystem.createDirectory(path) }
    try FileSystem.createDirectory(path, mode: 0o700, parents: true)
    try FileSystem.createDirectory(path, mode: 0o700, parents: true)
    #expect(FileSystem.isDirectory(path))
    #expect(try FileSystem.permissions(path) == 0o700)
  }

  @Test("Creating a directory at the path of a file throws")
  func fileInTheWay() throws {
    try FileSystem.writeFile(atomically: [], to: directory.file("a"))
    #expect(throws: SystemError(call: "use as a directory", path: directory.file("a"), code: 20)) {
      try FileSystem.createDirectory(directory.file("a"))
    }
  }

  @Test("A directory is listed in order and removed with its contents")
  func listAndRemove() throws {
    for name in ["b", "a", ".c"] { try FileSystem.writeFile(atomically: [], to: directory.file(name)) }
    #expect(try FileSystem.list(directory.path) == [".c", "a", "b"])
    try FileSystem.remove(directory.file("a"))
    #expect(!FileSystem.exists(directory.file("a")))
    try FileSystem.createDirectory(directory.file("d/e"), parents: true)
    try FileSystem.removeTree(directory.file("d"))
    #expect(try FileSystem.list(directory.path) == [".c", "b"])
  }
}
