import AppBootSystem

/// The temporary directory of a check. A lock in it shows that the check runs.
///
/// A check that was killed leaves its directory. The next check removes it.
struct CheckDirectory {
  private static let prefix = "appboot-check"
  private static let lockName = "lock"

  private let path: String
  private let lock: FileLock

  /// Removes the directories of checks that were killed, and makes a new one.
  init() throws(SystemError) {
    Self.removeLeftovers()
    while true {
      let path = try FileSystem.makeTemporaryDirectory(prefix: Self.prefix)
      do throws(SystemError) {
        // Another check may take the lock before this one, and then removes the directory.
        guard let lock = try FileLock.acquire(FileSystem.join(path, Self.lockName)) else { continue }
        (self.path, self.lock) = (path, lock)
        return
      } catch {
        guard error.isNotFound else { throw error }
      }
    }
  }

  /// Returns the path of a file in the directory.
  func file(_ name: String) -> String { FileSystem.join(path, name) }

  /// Removes the directory with its files.
  func remove() {
    try? FileSystem.removeTree(path)
    lock.release()
  }

  /// Removes the own directories whose lock is free. One without a lock may be a check that begins.
  private static func removeLeftovers() {
    let parent = FileSystem.temporaryDirectory
    for name in (try? FileSystem.list(parent)) ?? [] where name.hasPrefix(prefix + ".") {
      let path = FileSystem.join(parent, name)
      let lockFile = FileSystem.join(path, lockName)
      guard FileSystem.kind(of: lockFile, followingLinks: false) == .regular,
        (try? FileSystem.checkOwn(directory: path, followingLinks: false)) != nil,
        let lock = try? FileLock.acquire(lockFile)
      else { continue }
      try? FileSystem.removeTree(path)
      lock.release()
    }
  }
}
