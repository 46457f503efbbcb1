import AppBootLibC

/// A namespace for functions that read and write whole files. Every descriptor is closed on exec.
package enum FileSystem {
  /// Returns the bytes of a file. It also reads pipes, `/dev/stdin` and growing files to their end.
  ///
  /// - Parameter waitsForPipe: False to refuse a pipe, whose writer may never come.
  /// - Throws: `SystemError` with `EISDIR` for a directory, and with `EFBIG` for more bytes than the limit.
  package static func readFile(
    _ path: String, limit: Int = readLimit, waitsForPipe: Bool = true
  ) throws(SystemError) -> [UInt8] {
    let descriptor = try open(path, waitsForPipe ? O_RDONLY : O_RDONLY | O_NONBLOCK)
    defer { Descriptor.close(descriptor) }
    if !waitsForPipe, Self.isPipe(descriptor) {
      throw SystemError(call: "read", path: path, code: EINVAL, distrust: "it is a pipe, not a file")
    }
    return try readAll(descriptor, path: path, limit: limit)
  }

  /// Returns the bytes of a regular file. Does not block on a pipe.
  ///
  /// - Throws: `SystemError`, with the reason for distrust if the file is not a regular file.
  package static func readRegularFile(_ path: String, limit: Int = readLimit) throws(SystemError) -> [UInt8] {
    let (descriptor, _) = try openRegularFile(path)
    defer { Descriptor.close(descriptor) }
    return try readAll(descriptor, path: path, limit: limit)
  }

  /// Opens a regular file for reading. Does not block on a pipe.
  ///
  /// - Throws: `SystemError`, with the reason for distrust if the file is not a regular file.
  package static func openRegularFile(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> (descriptor: Int32, identity: Identity) {
    let descriptor = try open(path, O_RDONLY | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW))
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Descriptor.close(descriptor)
      throw SystemError(
        call: "read", path: path, code: EINVAL, distrust: "it is not a regular file: move it away")
    }
    return (descriptor, Identity(status))
  }

  /// The default limit in bytes. Some devices, for example `/dev/zero`, have no end.
  package static let readLimit = 1 << 28

  /// Returns at most `limit` bytes of a file, with one read. Files in `/proc` are slow to read to their end.
  ///
  /// It does not wait for the writer of a pipe.
  package static func readStart(
    of path: String, from offset: Int = 0, limit: Int
  ) throws(SystemError) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY | O_NONBLOCK)
    defer { Descriptor.close(descriptor) }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, count in
      let result = retryingInterrupts {
        offset == 0
          ? read(descriptor, buffer.baseAddress, buffer.count)
          : pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      }
      failure = result < 0 ? errno : 0
      count = max(0, result)
    }
    if failure != 0 { throw SystemError(call: "read", path: path, code: failure) }
    return bytes
  }

  /// Reads standard input to its end.
  package static func readStandardInput() throws(SystemError) -> [UInt8] {
    try readAll(0, path: "standard input", limit: readLimit)
  }

  /// Replaces the file at `path`. Readers find either the old bytes or all new bytes (`rename`, POSIX).
  ///
  /// - If `path` is a symbolic link, its target is replaced; without `followingLinks`, the link itself is replaced.
  /// - Devices and pipes, for example `/dev/stdout`, are written directly.
  ///
  /// - Parameters:
  ///   - mode: The mode of a new file, less the umask.
  ///   - durably: True to wait until the bytes are on the disk (`fsync`, POSIX).
  package static func writeFile(
    atomically bytes: [UInt8], to path: String, mode: UInt32 = 0o644, durably: Bool = false,
    followingLinks: Bool = true
  ) throws(SystemError) {
    switch kind(of: path, followingLinks: false) {
    case .link where followingLinks:
      try writeThroughLink(path, bytes, mode: mode, durably: durably)
    case .regular, .link, nil:
      try replaceFile(path, bytes, mode: mode, durably: durably)
    case .directory:
      throw SystemError(call: "write", path: path, code: EISDIR)
    case .socket, .other:
      try writeInPlace(path, bytes)
    }
  }

  private static func writeThroughLink(
    _ path: String, _ bytes: [UInt8], mode: UInt32, durably: Bool
  ) throws(SystemError) {
    // Writing to a dangling link creates its target.
    guard let target = resolve(path) else { return try writeInPlace(path, bytes, mode: mode) }
    try writeFile(atomically: bytes, to: target, mode: mode, durably: durably)
  }

  private static func writeInPlace(
    _ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644
  ) throws(SystemError) {
    // Without O_NONBLOCK the call would wait for a reader of a pipe, which may never come.
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, mode: mode)
    } catch  where error.code == ENXIO && isPipe(at: path) {
      throw SystemError(
        call: "open", path: path, code: ENXIO,
        distrust: "it is a pipe without a reader: start its reader first")
    }
    defer { Descriptor.close(descriptor) }
    try writeAll(descriptor, bytes, path: path)
  }

  private static func replaceFile(
    _ path: String, _ bytes: [UInt8], mode: UInt32, durably: Bool
  ) throws(SystemError) {
    let temporary = try openTemporary(besides: path, mode: mode)
    var isOpen = true
    do throws(SystemError) {
      try writeAll(temporary.descriptor, bytes, path: path)
      if durably, fsync(temporary.descriptor) != 0 { throw .last("write", path) }
      isOpen = false
      // Some file systems report a full disk or quota only on close (NFS; close(2)).
      if close(temporary.descriptor) != 0, errno != EINTR { throw .last("write", path) }
      if systemRename(temporary.path, path) != 0 { throw .last("write", path) }
    } catch {
      if isOpen { Descriptor.close(temporary.descriptor) }
      unlink(temporary.path)
      throw error
    }
  }

  /// Creates a temporary file in the directory of `path`, so that renaming it never crosses file systems.
  private static func openTemporary(
    besides path: String, mode: UInt32
  ) throws(SystemError) -> (descriptor: Int32, path: String) {
    let prefix = join(directory(of: path), "." + lastComponent(path).prefix(200) + ".")
    var stamp = UInt64(truncatingIfNeeded: MonotonicClock.now()) ^ UInt64(getpid()) << 40
    for _ in 0..<100 {
      let candidate = prefix + String(stamp, radix: 36) + ".tmp"
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
      let descriptor = retryingInterrupts {
        systemOpen(candidate, flags, mode_t(truncatingIfNeeded: mode))
      }
      if descriptor >= 0 { return (descriptor, candidate) }
      if errno != EEXIST { throw .last("write", path) }
      stamp &+= 0x9E37_79B9_7F4A_7C15
    }
    throw SystemError(call: "write", path: path, code: EEXIST)
  }

  /// Calls open(2) with `O_CLOEXEC`, and retries if a signal interrupts it.
  package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
    let descriptor = retryingInterrupts {
      systemOpen(path, flags | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
    }
    guard descriptor >= 0 else { throw .last("open", path) }
    return descriptor
  }

  /// Writes all bytes, in as many calls as needed.
  package static func writeAll(
    _ descriptor: Int32, _ bytes: [UInt8], path: String?
  ) throws(SystemError) {
    let failure = bytes.withUnsafeBytes { writeAll(descriptor, $0) }
    if failure != 0 { throw SystemError(call: "write", path: path, code: failure) }
  }

  /// Writes all bytes. If a non-blocking descriptor is not ready, waits. Returns the `errno` value; 0 for success.
  package static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let slice = UnsafeRawBufferPointer(rebasing: rest)
      let count = retryingInterrupts { write(descriptor, slice.baseAddress, slice.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        _ = Descriptor.wait(descriptor, for: Int32(POLLOUT), until: nil)
      } else {
        return errno
      }
    }
    return 0
  }

  // MARK: Reading

  static func readAll(
    _ descriptor: Int32, path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("read", path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw SystemError(call: "read", path: path, code: EISDIR)
    }
    guard status.st_size <= limit else { throw tooLarge(path, limit) }
    // One byte more than the size, so that the end of the file is found without another buffer.
    let isSized = status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
    var bytes = try readChunk(descriptor, capacity: isSized ? Int(status.st_size) + 1 : 1 << 16, path: path)
    guard bytes.isFull else { return bytes.bytes }
    var all = bytes.bytes
    repeat {
      bytes = try readChunk(descriptor, capacity: 1 << 16, path: path)
      all += bytes.bytes
      guard all.count <= limit else { throw tooLarge(path, limit) }
    } while bytes.isFull
    return all
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> SystemError {
    let most = limit % (1 << 20) == 0 ? "\(limit >> 20) MiB" : "\(limit) bytes"
    return SystemError(call: "read more than \(most) of", path: path, code: EFBIG)
  }

  /// Reads until the end of the file, or until `capacity` bytes are read.
  private static func readChunk(
    _ descriptor: Int32, capacity: Int, path: String
  ) throws(SystemError) -> (bytes: [UInt8], isFull: Bool) {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < capacity, let start = buffer.baseAddress {
        let read = readWaiting(descriptor, start + count, capacity - count)
        if read < 0 { failure = errno }
        if read <= 0 { return }
        count += read
      }
    }
    if failure != 0 { throw SystemError(call: "read", path: path, code: failure) }
    return (bytes, bytes.count == capacity)
  }

  /// Calls read(2). Waits if another process has made the shared descriptor non-blocking.
  private static func readWaiting(
    _ descriptor: Int32, _ start: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int {
    while true {
      let result = retryingInterrupts { read(descriptor, start, count) }
      guard result < 0, errno == EAGAIN || errno == EWOULDBLOCK else { return result }
      guard Descriptor.wait(descriptor, for: Int32(POLLIN), until: nil) else { return result }
    }
  }
}

/// Calls open(2). The separate name is needed because `FileSystem.open` hides the function.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
