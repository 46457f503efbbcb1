import AppBootLibC

extension FileSystem {
  /// Returns the bytes of a regular file. Does not block on a pipe.
  ///
  /// - Throws: `SystemError`, with the reason for distrust if the file is not a regular file.
  package static func readRegularFile(_ path: String, limit: Int = readLimit) throws(SystemError) -> [UInt8] {
    let descriptor = try openRegularFile(path)
    defer { Descriptor.close(descriptor) }
    return try readAll(descriptor, path: path, limit: limit)
  }

  /// Opens a regular file for reading. Does not block on a pipe.
  ///
  /// - Throws: `SystemError`, with the reason for distrust if the file is not a regular file.
  package static func openRegularFile(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> Int32 {
    let descriptor = try open(path, O_RDONLY | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW))
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Descriptor.close(descriptor)
      throw SystemError(
        call: "read", path: path, code: EINVAL, distrust: "it is not a regular file: move it away")
    }
    return descriptor
  }

  /// Returns at most `limit` bytes of a file, with one read. Files in `/proc` are slow to read to their end.
  ///
  /// It does not wait for the writer of a pipe.
  package static func readStart(
    of path: String, from offset: Int = 0, limit: Int
  ) throws(SystemError) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY | O_NONBLOCK)
    defer { Descriptor.close(descriptor) }
    return try readOnce(descriptor, from: offset == 0 ? nil : offset, limit: limit, path: path)
  }

  /// Returns at most `limit` bytes of an open file, with one read; none at the end of the file.
  ///
  /// - Parameters:
  ///   - offset: The offset to read from; `nil` for the descriptor's own.
  ///   - path: The path for errors.
  static func readOnce(
    _ descriptor: Int32, from offset: Int?, limit: Int, path: String
  ) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, count in
      let result = retryingInterrupts {
        offset.map { pread(descriptor, buffer.baseAddress, buffer.count, off_t($0)) }
          ?? read(descriptor, buffer.baseAddress, buffer.count)
      }
      failure = result < 0 ? errno : 0
      count = max(0, result)
    }
    if failure != 0 { throw SystemError(call: "read", path: path, code: failure) }
    return bytes
  }
}
