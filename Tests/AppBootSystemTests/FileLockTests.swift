import AppBootSystem
import Testing

@Suite("A lock between processes")
struct FileLockTests {
  @Test("has one holder, and another when that one lets go")
  func oneHolder() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("lock")
    let first = try #require(try FileLock.acquire(path))
    #expect(try FileLock.acquire(path) == nil)
    first.release()
    let second = try #require(try FileLock.acquire(path))
    second.release()
  }

  @Test("is on the file at its path: one that was removed is no hindrance, and holds none")
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
