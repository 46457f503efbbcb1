import AppBootLibC

/// A file that can only be appended to. Each append is one write at the end, even with several writers (`O_APPEND`,
/// POSIX).
package final class AppendFile: Sendable {
  /// The path that was passed to `init`.
  package let path: String
  private let descriptor: Lock<Int32>

  /// Opens the file. If it is missing, creates it with the permissions `mode` less the umask.
  ///
  /// - Parameter truncating: True to remove the bytes that the file has.
  package init(_ path: String, mode: UInt32 = 0o644, truncating: Bool = false) throws(SystemError) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | (truncating ? O_TRUNC : 0)
    self.path = path
    self.descriptor = Lock(try FileSystem.open(path, flags, mode: mode))
  }

  /// Opens a file that only this user and root can write.
  ///
  /// - Parameter creating: True to create a missing file with mode 0600.
  package init(own path: String, creating: Bool = true) throws(SystemError) {
    let flags = O_WRONLY | O_APPEND | (creating ? O_CREAT : 0)
    self.path = path
    self.descriptor = Lock(try FileSystem.openOwn(path, flags, mode: 0o600))
  }

  /// Creates a file of mode 0600 beside a path, with a temporary name (``FileSystem/removeTemporaries(in:)``).
  package init(temporaryBesides path: String) throws(SystemError) {
    let temporary = try FileSystem.openTemporary(besides: path, O_WRONLY | O_APPEND, mode: 0o600)
    self.path = temporary.path
    self.descriptor = Lock(temporary.descriptor)
  }

  /// Opens the file as ``init(own:creating:)`` does. If this process has too many open files, waits up to a second
  /// until one is closed.
  static func waiting(own path: String, creating: Bool = true) throws(SystemError) -> AppendFile {
    for _ in 0..<100 {
      do throws(SystemError) {
        return try AppendFile(own: path, creating: creating)
      } catch {
        guard error.isShortage else { throw error }
        _ = poll(nil, 0, 10)
      }
    }
    return try AppendFile(own: path, creating: creating)
  }

  /// The state of the file; `nil` after `close()`.
  var status: FileSystem.Status? { descriptor.withLock { FileSystem.status(of: $0) } }

  deinit { close() }

  /// The descriptor, for a process that gets the file. It is closed with the file.
  package var openDescriptor: Int32 { descriptor.withLock(\.self) }

  /// Appends bytes in one write, or in several writes if the system accepts only a part.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    let failure = bytes.withUnsafeBytes(write)
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  /// Appends bytes in one write, or in several writes if the system accepts only a part.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    let failure = write(bytes)
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    descriptor.withLock { $0 < 0 ? EBADF : FileSystem.writeAll($0, bytes) }
  }

  /// Closes the file. A later append throws an error. A second close has no effect.
  package func close() {
    descriptor.withLock { descriptor in
      Descriptor.close(descriptor)
      descriptor = -1
    }
  }
}

/// A file that is open for reading, also after it was removed.
package final class ReadFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Opens a file without waiting at a pipe.
  ///
  /// - Throws: `SystemError`, also for a symbolic link, a pipe, a directory or a device.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    descriptor = try FileSystem.openRegularFile(path, followingLinks: false)
  }

  deinit { Descriptor.close(descriptor) }

  /// The size in bytes.
  package var size: Int { FileSystem.status(of: descriptor)?.size ?? 0 }

  /// The time of the last change in microseconds since 1970-01-01T00:00:00Z.
  package var modified: Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    return Int64(status.modified.tv_sec) &* 1_000_000 &+ Int64(status.modified.tv_nsec) / 1000
  }

  /// Returns up to `limit` bytes from an offset on, with one read; none at the end of the file.
  package func read(from offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
    try FileSystem.readOnce(descriptor, from: offset, limit: limit, path: path)
  }
}

/// A lock between processes (`flock(2)`). It is held until `release()` or `deinit`.
///
/// A file may be removed only under its lock: otherwise two processes could lock two different files at the same path.
package final class FileLock: Sendable {
  private let descriptor: Lock<Int32>

  private init(_ descriptor: Int32) { self.descriptor = Lock(descriptor) }

  deinit { release() }

  /// Locks a file that only this user and root can write. Returns `nil` if another process or this one has locked it.
  ///
  /// If the file is missing, creates it.
  package static func acquire(_ path: String, mode: UInt32 = 0o600) throws(SystemError) -> FileLock? {
    try open(path, O_RDWR | O_CREAT, mode: mode) { descriptor in
      retryingInterrupts { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
    }.map(FileLock.init)
  }

  /// Opens and locks a file that only this user and root can write. Returns `nil` if another process has locked it.
  ///
  /// - Parameter lock: A function that locks the file. If it returns false, `errno` has the reason.
  package static func open(
    _ path: String, _ flags: Int32, mode: UInt32, lock: (_ descriptor: Int32) -> Bool
  ) throws(SystemError) -> Int32? {
    // Another process may rename or remove the file after we open it and before we lock it. Then try again.
    for _ in 0..<16 {
      let descriptor = try FileSystem.openOwn(path, flags, mode: mode)
      let code = lock(descriptor) ? 0 : errno
      if code == 0, isFile(descriptor, at: path) { return descriptor }
      Descriptor.close(descriptor)
      if code == EWOULDBLOCK { return nil }
      if code != 0 { throw SystemError(call: "lock", path: path, code: code) }
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
