import Testing

@testable import AppBootSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("RotatingFile")
struct RotatingFileTests {
  private let directory: TemporaryDirectory
  private let limits = RotatingFile.Limits(maxSize: 4, files: 3)

  init() throws { directory = try TemporaryDirectory() }

  private func log(continues: Bool = false) -> RotatingFile {
    RotatingFile(in: directory.path, name: "web", limits: limits, continues: continues)
  }

  private func contents(_ age: Int) throws -> String {
    let path = RotatingFile.path(in: directory.path, name: "web", age: age)
    return String(decoding: try FileSystem.readFile(path), as: UTF8.self)
  }

  private func append(_ text: String, to log: inout RotatingFile) throws {
    var text = text
    try text.withUTF8 { bytes throws in try log.append(UnsafeRawBufferPointer(bytes)) }
  }

  @Test("A log that continues is not opened through a symbolic link")
  func linked() throws {
    #expect(symlink(directory.file("target"), directory.file("web.log")) == 0)
    var log = log(continues: true)
    #expect(throws: SystemError.self) { try append("abc", to: &log) }
    #expect(!FileSystem.exists(directory.file("target")))
  }

  @Test("A log creates nothing before its first byte")
  func nothing() throws {
    _ = log()
    #expect(try FileSystem.list(directory.path) == [])
  }

  @Test("A full log is renamed, and the oldest file is removed")
  func rotation() throws {
    var log = log()
    try append("0123456789abcdef", to: &log)
    #expect(try FileSystem.list(directory.path) == ["web.1.log", "web.2.log", "web.log"])
    #expect(try [contents(0), contents(1), contents(2)] == ["cdef", "89ab", "4567"])
  }

  @Test("A new log does not append to the last one, unless it continues it")
  func launches() throws {
    var first = log()
    try append("1", to: &first)
    var second = log()
    try append("2", to: &second)
    var third = log(continues: true)
    try append("3", to: &third)
    #expect(try [contents(0), contents(1)] == ["23", "1"])
  }

  @Test("Only the owner can read a log")
  func mode() throws {
    var log = log()
    try append("1", to: &log)
    #expect(try FileSystem.permissions(directory.file("web.log")) & 0o077 == 0)
  }
}
