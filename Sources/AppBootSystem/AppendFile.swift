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
  init(own path: String, creating: Bool = true) throws(SystemError) {
    let flags = O_WRONLY | O_APPEND | (creating ? O_CREAT : 0)
    self.path = path
    self.descriptor = Lock(try FileSystem.openOwn(path, flags, mode: 0o600))
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
