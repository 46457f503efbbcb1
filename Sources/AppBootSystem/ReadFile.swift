import AppBootLibC

/// A file that is open for reading, also after it was removed.
package final class ReadFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Opens a file without waiting at a pipe.
  ///
  /// - Throws: `SystemError`, also for a symbolic link, a pipe, a directory or a device.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    if FileSystem.kind(of: path, followingLinks: false) == .link {
      throw SystemError(
        call: "read", path: path, code: ELOOP, distrust: "it is a symbolic link: move it away")
    }
    descriptor = try FileSystem.openRegularFile(path, followingLinks: false)
  }

  deinit { Descriptor.close(descriptor) }

  /// The size in bytes.
  package var size: Int { FileSystem.status(of: descriptor)?.size ?? 0 }

  /// The time of the last change in microseconds since 1970-01-01T00:00:00Z.
  package var modified: Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
  }

  /// Returns up to `limit` bytes from an offset on, with one read; none at the end of the file.
  package func read(from offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
    try FileSystem.readOnce(descriptor, from: offset, limit: limit, path: path)
  }
}
