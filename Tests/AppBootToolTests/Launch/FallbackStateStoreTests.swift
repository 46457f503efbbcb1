import AppBoot
import AppBootRecords
import AppBootSystem
import Testing

@testable import AppBootTool

import AppBootLibC
import AppBootTestSupport

@Suite("The state of a launch by the tool")
struct FallbackStateStoreTests {
  private let warnings = Lock<[String]>([])

  private func store(_ path: String) -> FallbackStateStore {
    FallbackStateStore(path) { [warnings] warning in warnings.withLock { $0.append(warning) } }
  }

  @Test("While another launch uses the directory, writes go to memory and updates to the directory")
  func shared() throws {
    let directory = try TemporaryDirectory()
    let store = store(directory.path)
    store.useMemory()
    try store.write("token", [1])
    try store.update("count") { ($0 ?? []) + [2] }
    #expect(try store.read("token") == [1] && store.read("count") == [2])
    let other = DirectoryStateStore(path: directory.path)
    #expect(try other.read("token") == nil && other.read("count") == [2])
  }

  @Test("Updates stay in memory if the directory cannot be written, with one warning")
  func unwritable() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.writeFile(atomically: [], to: directory.file("file"))
    let store = store(directory.file("file/state"))
    for _ in 1...2 { try store.update("count") { ($0 ?? []) + [2] } }
    try store.write("token", [1])
    #expect(try store.read("count") == [2, 2] && store.read("token") == [1])
    #expect(warnings.withLock(\.self).count == 1)
    #expect(warnings.withLock(\.self).first?.hasPrefix("continuing without saving state: ") == true)
  }

  @Test("A planted token is not used: state stays in memory, with one warning at the first write")
  func planted() throws {
    let directory = try TemporaryDirectory()
    let (target, link) = (directory.file("target"), directory.file("device-token"))
    try FileSystem.writeFile(atomically: [49], to: target)
    #expect(symlink(target, link) == 0)
    let store = store(directory.path)
    #expect(try store.read("device-token") == nil)
    #expect(warnings.withLock(\.self).isEmpty)
    try store.write("device-token", [50])
    try store.update("count") { ($0 ?? []) + [2] }
    #expect(try store.read("device-token") == [50] && store.read("count") == [2])
    #expect(
      warnings.withLock(\.self) == [
        "continuing without saving state: cannot use \"\(link)\": it is a symbolic link: move it away"
      ])
    #expect(try FileSystem.list(directory.path) == ["device-token", "target"])
    #expect(try FileSystem.readFile(target) == [49])
  }

  @Test("After a planted lock file nothing is read from the directory either")
  func plantedLock() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.writeFile(atomically: [49], to: directory.file("device-token"))
    #expect(symlink(directory.file("target"), directory.file(".state.lock")) == 0)
    let store = store(directory.path)
    try store.update("count") { ($0 ?? []) + [2] }
    #expect(try store.read("count") == [2] && store.read("device-token") == nil)
    #expect(warnings.withLock(\.self).count == 1)
  }

  @Test("An update whose function throws changes nothing, and the directory stays in use")
  func refused() throws {
    let directory = try TemporaryDirectory()
    let store = store(directory.path)
    #expect(throws: Mishap.self) { try store.update("count") { _ in throw Mishap() } }
    try store.update("count") { ($0 ?? []) + [2] }
    #expect(try DirectoryStateStore(path: directory.path).read("count") == [2])
    #expect(warnings.withLock(\.self).isEmpty)
  }
}
