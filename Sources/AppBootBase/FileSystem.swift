import AppBootLibC

/// A namespace for functions about files and their paths. Every descriptor is closed on exec.
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

  /// The default limit in bytes. Some devices, for example `/dev/zero`, have no end.
  package static let readLimit = 1 << 28

  /// Reads standard input to its end.
  package static func readStandardInput() throws(SystemError) -> [UInt8] {
    try readAll(0, path: "standard input", limit: readLimit)
  }

  /// Calls open(2) with `O_CLOEXEC`, and retries if a signal interrupts it.
  package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
    let descriptor = retryingInterrupts {
      systemOpen(path, flags | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
    }
    guard descriptor >= 0 else { throw .last("open", path) }
    return descriptor
  }

  /// Reads an open file to its end.
  ///
  /// - Parameter path: The path for errors.
  package static func readAll(
    _ descriptor: Int32, path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("read", path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw SystemError(call: "read", path: path, code: EISDIR)
    }
    guard status.st_size <= limit else { throw tooLarge(path, limit) }
    var all: [UInt8] = []
    while true {
      let chunk = try readChunk(descriptor, path: path)
      all += chunk
      guard all.count <= limit else { throw tooLarge(path, limit) }
      if chunk.count < chunkSize { return all }
    }
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> SystemError {
    let most = limit % (1 << 20) == 0 ? "\(limit >> 20) MiB" : "\(limit) bytes"
    return SystemError(call: "read more than \(most) of", path: path, code: EFBIG)
  }

  /// The number of bytes that are read at a time.
  private static let chunkSize = 1 << 16

  /// Reads until the end of the file, or until a whole chunk is read.
  private static func readChunk(_ descriptor: Int32, path: String) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
      while count < chunkSize, let start = buffer.baseAddress {
        let read = readWaiting(descriptor, start + count, chunkSize - count)
        if read < 0 { failure = errno }
        if read <= 0 { return }
        count += read
      }
    }
    if failure != 0 { throw SystemError(call: "read", path: path, code: failure) }
    return bytes
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

  /// Returns whether an open file is a pipe with or without a name.
  package static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Returns whether a file exists at a path. It follows links, and makes one system call (`access`, POSIX).
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the absolute path without links; `nil` if there is no file (`realpath`, POSIX).
  package static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  // MARK: - Paths

  /// Returns `directory/path`; if `path` is absolute, returns `path` itself.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") || directory.isEmpty { return path }
    if path.isEmpty { return directory }
    return directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
  }

  /// Returns `path` in the directory of a file; if `path` is absolute, returns `path` itself.
  package static func path(_ path: String, beside file: String) -> String {
    let directory = directory(of: file)
    return directory == "." ? path : join(directory, path)
  }

  /// Returns the part of a path before its last component: `a/b` → `a`, `a` → `.`, `/a` → `/` (`dirname`, POSIX).
  package static func directory(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return String(withoutTrailingSlashes(path[...slash]))
  }

  /// Returns the last component of a path: `a/b.json` → `b.json`, `/` → `/` (`basename`, POSIX).
  package static func lastComponent(_ path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(path) }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Returns a path without the slashes at its end; `/` stays.
  package static func withoutTrailingSlashes(_ path: some StringProtocol) -> Substring {
    var path = Substring(path)
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return path
  }
}

/// Calls open(2). The separate name is needed because `FileSystem.open` hides the function.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

/// A namespace for operations on file descriptors.
package enum Descriptor {
  /// Closes a descriptor. It does not retry after `EINTR`, because Linux has then closed it already (close(2)).
  package static func close(_ descriptor: Int32) {
    if descriptor >= 0 { _ = systemClose(descriptor) }
  }

  /// Waits until a descriptor is ready for `events`. Returns false if the deadline passes first, or if poll(2) fails.
  package static func wait(_ descriptor: Int32, for events: Int32, until deadline: Int64?) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let count = poll(&entry, 1, milliseconds(until: deadline))
      if count > 0 { return true }
      if count < 0 && errno != EINTR { return false }
      if let deadline, MonotonicClock.now() >= deadline { return false }
    }
  }

  /// Returns the milliseconds until a deadline for poll(2), rounded up; -1 if there is no deadline.
  static func milliseconds(until deadline: Int64?) -> Int32 {
    guard let deadline else { return -1 }
    let left = deadline.subtractingReportingOverflow(MonotonicClock.now()).partialValue
    return left <= 0 ? 0 : Int32(clamping: (left - 1) / 1_000_000 + 1)
  }
}

/// Calls close(2). The separate name is needed because `Descriptor.close` hides the function.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// The limits of a log's size and age.
package struct LogLimits: Sendable, Hashable {
  /// The most bytes of one file.
  ///
  /// A line whose beginning was appended on its own may exceed it; the line itself is not longer.
  package var maxSize: Int
  /// The maximum number of files, including the current one.
  package var files: Int
  /// The days after which a launch's files are removed; `nil` for no limit.
  package var maxDays: Int?

  package init(maxSize: Int = 1 << 20, files: Int = 3, maxDays: Int? = nil) {
    (self.maxSize, self.files, self.maxDays) = (maxSize, files, maxDays)
  }
}
