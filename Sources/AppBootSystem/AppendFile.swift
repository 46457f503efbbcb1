#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that only grows: each append is one write at its end, also with several writers (`O_APPEND`, POSIX).
package final class AppendFile: Sendable {
  /// The path as it was opened.
  package let path: String
  private let descriptor: Lock<Int32>

  /// Opens the file, and creates it with `mode` less the umask where it is missing.
  package init(_ path: String, mode: UInt32 = 0o644, truncating: Bool = false) throws(SystemError) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | (truncating ? O_TRUNC : 0)
    self.path = path
    self.descriptor = Lock(try FileSystem.open(path, flags, mode: mode))
  }

  deinit { close() }

  /// Appends in one write; more than one only where the system takes less than all.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    let failure = descriptor.withLock { descriptor in
      descriptor < 0 ? EBADF : bytes.withUnsafeBytes { FileSystem.writeAll(descriptor, $0) }
    }
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  /// Closes the file; an append after that is an error, a second close is nothing.
  package func close() {
    descriptor.withLock { descriptor in
      Descriptor.close(descriptor)
      descriptor = -1
    }
  }
}
