import AppBootSystem
import Testing

@testable import AppBoot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("OutputLogs")
struct OutputLogsTests {
  @Test(
    "A log's name can be turned back into the step's id", arguments: ["web", "a/b", "x.1", "ä %", "-", ".."])
  func names(_ id: String) throws {
    let state = try FileSystem.makeTemporaryDirectory()
    defer { try? FileSystem.removeTree(state) }
    let logs = OutputLogs(state: state) { _ in }
    var file: RotatingFile?
    Array("x".utf8).withUnsafeBytes { logs.append($0, to: &file, ofStep: id) }
    #expect(OutputLogs.steps(in: state) == [id])
  }

  @Test("A symbolic link in place of the directory of the logs is an error")
  func linked() throws {
    let state = try FileSystem.makeTemporaryDirectory()
    defer { try? FileSystem.removeTree(state) }
    let target = FileSystem.join(state, "target")
    try FileSystem.createDirectory(target)
    #expect(symlink(target, FileSystem.join(state, "logs")) == 0)
    let warnings = Lock<[String]>([])
    let logs = OutputLogs(state: state) { text in warnings.withLock { $0.append(text) } }
    var file: RotatingFile?
    Array("x".utf8).withUnsafeBytes { logs.append($0, to: &file, ofStep: "a") }
    #expect(warnings.withLock { $0.first }?.hasSuffix("it is a symbolic link: move it away") == true)
    #expect(try FileSystem.list(target) == [])
  }

  @Test("The first error is reported once, and ends the logs")
  func errors() throws {
    let state = try FileSystem.makeTemporaryDirectory()
    defer { try? FileSystem.removeTree(state) }
    try FileSystem.writeFile(atomically: [], to: FileSystem.join(state, "logs"))
    let warnings = Lock<[String]>([])
    let logs = OutputLogs(state: state) { text in warnings.withLock { $0.append(text) } }
    var file: RotatingFile?
    for _ in 0..<2 { Array("x".utf8).withUnsafeBytes { logs.append($0, to: &file, ofStep: "a") } }
    #expect(warnings.withLock(\.count) == 1)
    #expect(logs.location(ofStep: "a") == nil)
  }
}
