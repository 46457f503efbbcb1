import AppBootSystem
import AppBootTestSupport
import Testing

import AppBootLibC

@Suite("FileLock")
struct FileLockTests {
  @Test("A lock has one holder until it is released")
  func oneHolder() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("lock")
    let first = try #require(try FileLock.acquire(path))
    #expect(try FileLock.acquire(path) == nil)
    first.release()
    let second = try #require(try FileLock.acquire(path))
    second.release()
  }

  @Test("A lock is not opened through a symbolic link")
  func linked() throws {
    let directory = try TemporaryDirectory()
    #expect(symlink(directory.file("target"), directory.file("lock")) == 0)
    #expect(throws: SystemError.self) { try FileLock.acquire(directory.file("lock")) }
    #expect(!FileSystem.exists(directory.file("target")))
  }

  @Test("Acquiring a lock waits for its holder, up to the limit")
  func waits() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("lock")
    let first = try #require(try FileLock.acquire(path))
    #expect(try FileLock.acquire(path, within: 1_000_000) == nil)
    let other = try Thread.start(name: "other") {
      #expect((try? FileLock.acquire(path, within: Patience.nanoseconds)) != nil)
    }
    first.release()
    other.join()
  }

  @Test("A lock on a removed file does not block a lock on its replacement")
  func removed() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("lock")
    let first = try #require(try FileLock.acquire(path))
    try FileSystem.remove(path)
    let second = try #require(try FileLock.acquire(path))
    first.release()
    #expect(try FileLock.acquire(path) == nil)
    second.release()
  }
}
