#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A lock between processes, held until `release()` or the end of this value (`flock(2)`).
///
/// The file itself stays: removing it would let two processes hold "the" lock on two different files.
package final class FileLock: Sendable {
  private let descriptor: Lock<Int32>

  private init(_ descriptor: Int32) { self.descriptor = Lock(descriptor) }

  deinit { release() }

  /// The lock on a file, which is created where it is missing; nil when another holder has it now.
  package static func acquire(_ path: String, mode: UInt32 = 0o600) throws(SystemError) -> FileLock? {
    // Others may remove the file between our opening and our locking it: then it is not the one at the path.
    for _ in 0..<16 {
      let descriptor = try FileSystem.open(path, O_RDWR | O_CREAT, mode: mode)
      guard retryingInterrupts({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
        let code = errno
        Descriptor.close(descriptor)
        if code == EWOULDBLOCK { return nil }
        throw SystemError(call: "lock", path: path, code: code)
      }
      if ExclusiveFile.isFile(descriptor, at: path) { return FileLock(descriptor) }
      Descriptor.close(descriptor)
    }
    return nil
  }

  /// Lets others have the lock; a second call is nothing.
  package func release() {
    descriptor.withLock { Self.release(&$0) }
  }

  /// Unlocks and closes a file; -1 is none.
  static func release(_ descriptor: inout Int32) {
    // Closing alone would not do while a child that is just being started still shares the descriptor.
    if descriptor >= 0 { _ = flock(descriptor, LOCK_UN) }
    Descriptor.close(descriptor)
    descriptor = -1
  }
}
