import AppBootLibC

extension FileSystem {
  /// Replaces the file at `path`. Readers find either the old bytes or all new bytes (`rename`, POSIX).
  ///
  /// - If `path` is a symbolic link, its target is replaced; without `followingLinks`, the link itself is replaced.
  /// - The bytes for `/dev/stdout`, `/dev/stderr` and `/dev/fd/N` go to the open descriptor. Replacing the file behind
  ///   it would lose the other output.
  /// - Devices and pipes are written directly.
  ///
  /// - Parameters:
  ///   - mode: The mode of a new file, less the umask.
  ///   - durably: True to wait until the bytes are on the disk (`fsync`, POSIX).
  package static func writeFile(
    atomically bytes: [UInt8], to path: String, mode: UInt32 = 0o644, durably: Bool = false,
    followingLinks: Bool = true
  ) throws(SystemError) {
    if let descriptor = openDescriptor(at: path) { return try writeAll(descriptor, bytes, path: path) }
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

  /// Returns the open descriptor that a path names; `nil` for other paths.
  package static func openDescriptor(at path: String) -> Int32? {
    switch path {
    case "/dev/stdin": 0
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    default: path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst(8)) : nil
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
  static func openTemporary(
    besides path: String, _ flags: Int32 = O_WRONLY, mode: UInt32
  ) throws(SystemError) -> (descriptor: Int32, path: String) {
    let prefix = join(directory(of: path), "." + lastComponent(path).prefix(200) + ".")
    var stamp = UInt64(truncatingIfNeeded: MonotonicClock.now()) ^ UInt64(getpid()) << 40
    for _ in 0..<100 {
      let candidate = prefix + String(stamp, radix: 36) + ".tmp"
      let descriptor = retryingInterrupts {
        systemOpen(candidate, flags | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
      }
      if descriptor >= 0 { return (descriptor, candidate) }
      if errno != EEXIST { throw .last("write", path) }
      stamp &+= 0x9E37_79B9_7F4A_7C15
    }
    throw SystemError(call: "write", path: path, code: EEXIST)
  }

  /// Removes the temporary files in a directory that are older than a day. A process that is killed leaves them.
  package static func removeTemporaries(in directory: String) {
    for name in (try? list(directory)) ?? [] where name.hasPrefix(".") && name.hasSuffix(".tmp") {
      let path = join(directory, name)
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        time(nil) - status.modified.tv_sec > 86_400
      else { continue }
      unlink(path)
    }
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
}

extension stat {
  /// The time of the last change.
  var modified: timespec {
    #if canImport(Darwin)
    st_mtimespec
    #else
    st_mtim
    #endif
  }
}

/// Calls open(2). The separate name is needed because `FileSystem.open` hides the function.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

extension FileSystem {
  /// Returns the bytes of a regular file. Does not block on a pipe.
  ///
  /// - Throws: `SystemError`, with the reason for distrust if the file is not a regular file, or a link that is not
  ///   followed.
  package static func readRegularFile(
    _ path: String, limit: Int = readLimit, followingLinks: Bool = true
  ) throws(SystemError) -> [UInt8] {
    let descriptor = try openRegularFile(path, followingLinks: followingLinks)
    defer { Descriptor.close(descriptor) }
    return try readAll(descriptor, path: path, limit: limit)
  }

  /// Opens a regular file for reading. Does not block on a pipe.
  ///
  /// - Throws: `SystemError`, with the reason for distrust if the file is not a regular file, or a link that is not
  ///   followed.
  package static func openRegularFile(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> Int32 {
    if !followingLinks { try refuseLink(path) }
    let follows = followingLinks || openDescriptor(at: path) != nil
    let descriptor = try open(path, O_RDONLY | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW))
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Descriptor.close(descriptor)
      throw SystemError(
        call: "read", path: path, code: EINVAL, distrust: "it is not a regular file: move it away")
    }
    return descriptor
  }

  /// Throws distrust for a symbolic link, but not for the path of an open descriptor.
  package static func refuseLink(_ path: String) throws(SystemError) {
    guard kind(of: path, followingLinks: false) == .link, openDescriptor(at: path) == nil else { return }
    throw SystemError(call: "read", path: path, code: ELOOP, distrust: "it is a symbolic link: move it away")
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
