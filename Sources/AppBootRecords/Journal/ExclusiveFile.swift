import AppBootSystem
import AppBootLibC

/// A file for appending that only one process at a time can hold.
///
/// The lock (`flock(2)`) is on the file itself. The system releases it when the process ends, even after a crash. If
/// the file is renamed or removed, another process can create and hold a file at its path.
final class ExclusiveFile: Sendable {
  /// The path that was passed to `open`.
  let path: String
  private let descriptor: Lock<Int32>

  /// Creates an instance for a file that is open and locked. The instance then owns the descriptor.
  init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = Lock(descriptor)
  }

  deinit { close() }

  /// Opens and locks a file that only this user and root can write. Returns `nil` if another process holds it.
  ///
  /// If the file is missing, creates it.
  static func open(_ path: String, mode: UInt32 = 0o600) throws(SystemError) -> ExclusiveFile? {
    try FileLock.open(path, O_RDWR | O_APPEND | O_CREAT, mode: mode) { lock($0) }
      .map { ExclusiveFile(path, $0) }
  }

  /// Opens and locks a file as ``open(_:mode:)`` does. Waits while another process holds it.
  ///
  /// - Parameter limit: The maximum wait in nanoseconds.
  static func open(_ path: String, within limit: Int64) throws(SystemError) -> ExclusiveFile {
    let deadline = MonotonicClock.now() + limit
    repeat {
      if let file = try open(path) { return file }
      _ = poll(nil, 0, 1)
    } while MonotonicClock.now() < deadline
    throw SystemError(call: "lock", path: path, code: EWOULDBLOCK)
  }

  /// Returns whether a process holds the file at a path; false if there is no file.
  static func isHeld(_ path: String) -> Bool {
    guard let descriptor = try? FileSystem.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW) else {
      return false
    }
    defer { Descriptor.close(descriptor) }
    if retryingInterrupts({ flock(descriptor, LOCK_SH | LOCK_NB) }) != 0 { return errno == EWOULDBLOCK }
    _ = flock(descriptor, LOCK_UN)
    return false
  }

  /// Locks a file. While other processes only look whether it is held (``isHeld(_:)``), waits up to a second.
  ///
  /// - Parameter pause: A function that waits before the next attempt.
  static func lock(_ descriptor: Int32, pause: () -> Void = { _ = poll(nil, 0, 1) }) -> Bool {
    for _ in 0..<1000 {
      if retryingInterrupts({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
      // A process that looks has a shared lock. A shared lock is refused only if a process holds the file.
      guard errno == EWOULDBLOCK, retryingInterrupts({ flock(descriptor, LOCK_SH | LOCK_NB) }) == 0 else {
        return false
      }
      _ = flock(descriptor, LOCK_UN)
      pause()
    }
    errno = EWOULDBLOCK
    return false
  }

  /// Appends bytes in one write, or in several writes if the system accepts only a part.
  func append(_ bytes: [UInt8]) throws(SystemError) {
    let failure = descriptor.withLock { descriptor in
      descriptor < 0 ? EBADF : bytes.withUnsafeBytes { FileSystem.writeAll(descriptor, $0) }
    }
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  /// Returns the last bytes of the file; all of them if it has fewer.
  func end(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    let failure = descriptor.withLock { descriptor in
      guard let length = Self.length(descriptor) else { return errno }
      bytes = [UInt8](repeating: 0, count: min(count, length))
      return bytes.withUnsafeMutableBytes { Self.read(descriptor, into: $0, from: length - $0.count) }
    }
    if failure != 0 { throw SystemError(call: "read", path: path, code: failure) }
    return bytes
  }

  /// The length of the file in bytes; `nil` if it is unknown, for example after `close()`.
  var length: Int? { descriptor.withLock { Self.length($0) } }

  private static func length(_ descriptor: Int32) -> Int? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Removes the bytes after a length.
  func truncate(to length: Int) throws(SystemError) {
    let failure = descriptor.withLock { ftruncate($0, off_t(length)) == 0 ? 0 : errno }
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  /// Fills a buffer with the bytes from an offset on. Returns the `errno` value; 0 for success.
  private static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, from offset: Int)
    -> Int32
  {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let read = retryingInterrupts { pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count)) }
      guard read > 0 else { return read < 0 ? errno : EIO }
      count += read
    }
    return 0
  }

  /// A Boolean that is true while this file is the one at its path. Another process may replace it.
  var isAtPath: Bool { descriptor.withLock { FileLock.isFile($0, at: path) } }

  /// Renames the file. A file that has the new name is replaced (`rename`, POSIX).
  ///
  /// Another process can then create a file at the old path.
  ///
  /// - Throws: `SystemError` with `ESTALE` if this file is no longer at its path.
  func rename(to newPath: String) throws(SystemError) {
    guard isAtPath else { throw SystemError(call: "keep", path: newPath, code: ESTALE) }
    guard systemRename(path, newPath) == 0 else { throw .last("keep", newPath) }
  }

  /// Removes the file if it is still at its path.
  func remove() {
    if isAtPath { unlink(path) }
  }

  /// Unlocks and closes the file. A second call has no effect.
  func close() {
    descriptor.withLock { FileLock.release(&$0) }
  }
}
