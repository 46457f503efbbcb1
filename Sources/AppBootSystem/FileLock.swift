import AppBootLibC

/// A lock between processes (`flock(2)`). It is held until `release()` or `deinit`.
///
/// The file is never removed: otherwise two processes could lock two different files at the same path.
package final class FileLock: Sendable {
  private let descriptor: Lock<Int32>

  private init(_ descriptor: Int32) { self.descriptor = Lock(descriptor) }

  deinit { release() }

  /// Locks a file that only this user and root can write. Returns `nil` if another process or this one has locked it.
  ///
  /// If the file is missing, creates it.
  package static func acquire(_ path: String, mode: UInt32 = 0o600) throws(SystemError) -> FileLock? {
    // Another process may remove the file after we open it and before we lock it. Then try again.
    for _ in 0..<16 {
      let descriptor = try FileSystem.openOwn(path, O_RDWR | O_CREAT, mode: mode)
      guard retryingInterrupts({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
        let code = errno
        Descriptor.close(descriptor)
        if code == EWOULDBLOCK { return nil }
        throw SystemError(call: "lock", path: path, code: code)
      }
      if isFile(descriptor, at: path) { return FileLock(descriptor) }
      Descriptor.close(descriptor)
    }
    return nil
  }

  /// Locks a file, and waits while it is locked, by another process or this one. Returns `nil` if that takes too long.
  ///
  /// - Parameter limit: The maximum wait in nanoseconds.
  package static func acquire(_ path: String, within limit: Int64) throws(SystemError) -> FileLock? {
    let deadline = MonotonicClock.now() + limit
    while true {
      if let lock = try acquire(path) { return lock }
      guard MonotonicClock.now() < deadline else { return nil }
      _ = poll(nil, 0, 1)
    }
  }

  /// Locks a directory, and waits while it is locked. Returns `nil` if that takes too long or is not possible.
  ///
  /// - Parameter limit: The maximum wait in nanoseconds.
  package static func acquire(directory path: String, within limit: Int64) -> FileLock? {
    guard let descriptor = try? FileSystem.open(path, O_RDONLY | O_DIRECTORY) else { return nil }
    let deadline = MonotonicClock.now() + limit
    while retryingInterrupts({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK, MonotonicClock.now() < deadline else {
        Descriptor.close(descriptor)
        return nil
      }
      _ = poll(nil, 0, 1)
    }
    return FileLock(descriptor)
  }

  /// Locks a directory together with other processes. Returns `nil` if that is not possible.
  static func share(directory path: String) -> FileLock? {
    guard let descriptor = try? FileSystem.open(path, O_RDONLY | O_DIRECTORY) else { return nil }
    guard retryingInterrupts({ flock(descriptor, LOCK_SH) }) == 0 else {
      Descriptor.close(descriptor)
      return nil
    }
    return FileLock(descriptor)
  }

  /// Returns whether a process has locked a directory. True if the directory cannot be opened.
  static func isHeld(directory path: String) -> Bool {
    guard let descriptor = try? FileSystem.open(path, O_RDONLY | O_DIRECTORY) else { return true }
    let lock = FileLock(descriptor)
    defer { lock.release() }
    return retryingInterrupts({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 && errno == EWOULDBLOCK
  }

  /// Returns whether an open file is the file at a path. It does not follow links.
  package static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Releases the lock. A second call has no effect.
  package func release() {
    descriptor.withLock { Self.release(&$0) }
  }

  /// Unlocks and closes a descriptor, and sets the variable to -1. Does nothing if it is -1.
  package static func release(_ descriptor: inout Int32) {
    // Closing is not enough: a child before its exec still shares the descriptor, and with it the lock.
    if descriptor >= 0 { _ = flock(descriptor, LOCK_UN) }
    Descriptor.close(descriptor)
    descriptor = -1
  }
}
