#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that only grows and that one process has at a time: each append is one write at its end.
///
/// The lock (`flock(2)`) is on the file itself and goes with the process, however that ends. A file that is
/// renamed or removed leaves its path free for the next holder.
package final class ExclusiveFile: Sendable {
  /// The path as it was opened.
  package let path: String
  private let descriptor: Lock<Int32>

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = Lock(descriptor)
  }

  deinit { close() }

  /// The file at the path, which is created where it is missing; `nil` where another process has it now.
  package static func open(_ path: String, mode: UInt32 = 0o600) throws(SystemError) -> ExclusiveFile? {
    // Opening a pipe would wait for whoever is at its other end.
    if let kind = FileSystem.kind(of: path), kind == .other || kind == .socket {
      throw SystemError(call: "use as a file", path: path, code: EINVAL)
    }
    // A holder may rename the file between our opening and our locking it: then it is not the one at the path.
    for _ in 0..<16 {
      let descriptor = try FileSystem.open(path, O_RDWR | O_APPEND | O_CREAT, mode: mode)
      guard lock(descriptor) else {
        let code = errno
        Descriptor.close(descriptor)
        if code == EWOULDBLOCK { return nil }
        throw SystemError(call: "lock", path: path, code: code)
      }
      if isFile(descriptor, at: path) { return ExclusiveFile(path, descriptor) }
      Descriptor.close(descriptor)
    }
    return nil
  }

  /// Whether a process has the file at the path; false also where there is none.
  package static func isHeld(_ path: String) -> Bool {
    guard let descriptor = try? FileSystem.open(path, O_RDONLY | O_NONBLOCK) else { return false }
    defer { Descriptor.close(descriptor) }
    if retryingInterrupts({ flock(descriptor, LOCK_SH | LOCK_NB) }) != 0 { return errno == EWOULDBLOCK }
    _ = flock(descriptor, LOCK_UN)
    return false
  }

  /// Takes the lock; somebody who only looks (`isHeld`) has it for a moment, so that one refusal is none.
  private static func lock(_ descriptor: Int32) -> Bool {
    for attempt in 0..<3 {
      if retryingInterrupts({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
      guard errno == EWOULDBLOCK, attempt < 2 else { return false }
      _ = poll(nil, 0, 1)
    }
    return false
  }

  /// Whether an open file is the one that stands at a path.
  static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Whether nothing was written to the file yet.
  package var isEmpty: Bool { length == 0 }

  /// Appends in one write; more than one only where the system takes less than all.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    let failure = descriptor.withLock { descriptor in
      descriptor < 0 ? EBADF : bytes.withUnsafeBytes { FileSystem.writeAll(descriptor, $0) }
    }
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  /// How long the file is; `nil` where that cannot be told.
  package var length: Int? { descriptor.withLock { Self.length($0) } }

  private static func length(_ descriptor: Int32) -> Int? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Takes bytes out; what stood behind them moves up.
  ///
  /// Nothing of it is lost where a write fails or the process ends in that moment: some of it may then stand
  /// there twice, and be cut where the copies meet.
  package func removeBytes(_ range: Range<Int>) throws(SystemError) {
    let failure = descriptor.withLock { descriptor in
      guard let length = Self.length(descriptor) else { return errno }
      var rest = [UInt8](repeating: 0, count: max(0, length - range.upperBound))
      let failure = rest.withUnsafeMutableBytes { Self.read(descriptor, into: $0, from: range.upperBound) }
      guard failure == 0 else { return failure }
      let unwritten = rest.withUnsafeBytes { Self.write(descriptor, $0, at: range.lowerBound) }
      guard unwritten == 0 else { return unwritten }
      return ftruncate(descriptor, off_t(range.lowerBound + rest.count)) == 0 ? 0 : errno
    }
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  /// Writes over what stands at an offset; the `errno` value, or 0.
  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    // Linux appends whatever the offset is where the descriptor appends (pwrite(2), "Bugs").
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~O_APPEND) == 0 else { return errno }
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    var count = 0
    while count < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
      let written = retryingInterrupts {
        pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      }
      guard written > 0 else { return written < 0 ? errno : EIO }
      count += written
    }
    return 0
  }

  /// Fills the buffer with what stands at an offset; the `errno` value, or 0.
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

  /// Whether the file still stands at its path: others may have removed it there, and made a new one.
  package var isAtPath: Bool { descriptor.withLock { Self.isFile($0, at: path) } }

  /// Gives the file another name, which replaces what stands there; the path is free then (`rename`, POSIX).
  ///
  /// - Throws: `SystemError` with `ESTALE` where another file, or none, stands at the path.
  package func rename(to newPath: String) throws(SystemError) {
    guard isAtPath else { throw SystemError(call: "keep", path: newPath, code: ESTALE) }
    guard systemRename(path, newPath) == 0 else { throw .last("keep", newPath) }
  }

  /// Removes the file, if it still stands at its path.
  package func remove() {
    if isAtPath { unlink(path) }
  }

  /// Lets go of the file; a second close is nothing.
  package func close() {
    descriptor.withLock { FileLock.release(&$0) }
  }
}

/// rename(2), under a name that `ExclusiveFile.rename` does not hide.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
