import AppBootLibC

extension FileSystem {
  /// Changes the working directory of this process (chdir, POSIX).
  package static func changeDirectory(to path: String) throws(SystemError) {
    if chdir(path) != 0 { throw SystemError(call: "enter", path: path, code: errno) }
  }

  /// Creates a directory. If it exists already, its mode does not change.
  ///
  /// - Parameter parents: True to also create missing directories above it, with the mode `0o777` less the umask.
  package static func createDirectory(
    _ path: String, mode: UInt32 = 0o755, parents: Bool = false
  ) throws(SystemError) {
    if mkdir(path, mode_t(truncatingIfNeeded: mode)) == 0 { return }
    let code = errno
    if code == ENOENT, parents, directory(of: path) != path {
      try createDirectory(directory(of: path), mode: 0o777, parents: true)
      return try createDirectory(path, mode: mode, parents: false)
    }
    if isDirectory(path) { return }
    // "File exists" would not explain the problem.
    if code == EEXIST { throw SystemError(call: "use as a directory", path: path, code: ENOTDIR) }
    throw SystemError(call: "create directory", path: path, code: code)
  }

  /// Returns the names in a directory in ascending order, without `.` and `..`.
  package static func list(_ directory: String) throws(SystemError) -> [String] {
    guard let stream = opendir(directory) else { throw .last("list", directory) }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = name(of: entry)
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    if errno != 0 { throw .last("list", directory) }
    return names.sorted()
  }

  /// Throws the error with which writing the file would fail. It does not change the file (`access`, POSIX). Of an open
  /// descriptor, it checks the mode (`fcntl`, POSIX).
  package static func checkWritable(_ path: String) throws(SystemError) {
    if let descriptor = openDescriptor(at: path) {
      let mode = fcntl(descriptor, F_GETFL) & O_ACCMODE
      if mode == O_RDONLY || mode == O_ACCMODE { throw SystemError(call: "write", path: path, code: EBADF) }
      return
    }
    switch kind(of: path) {
    case .directory: throw SystemError(call: "write", path: path, code: EISDIR)
    case .regular, .link, .socket, .other: if access(path, W_OK) != 0 { throw .last("write", path) }
    case nil: if access(directory(of: path), W_OK | X_OK) != 0 { throw .last("write", path) }
    }
  }

  /// Removes a file, a link or an empty directory (`remove`, POSIX).
  package static func remove(_ path: String) throws(SystemError) {
    guard systemRemove(path) == 0 else { throw .last("remove", path) }
  }

  /// Removes the file or directory at a path, with all files below it. It removes links, and does not follow them.
  package static func removeTree(_ path: String) throws(SystemError) {
    if kind(of: path, followingLinks: false) == .directory {
      for name in try list(path) { try removeTree(join(path, name)) }
    }
    try remove(path)
  }

  /// Creates a directory with a unique name in `TMPDIR` or `/tmp`, and returns its path (`mkdtemp`, POSIX).
  ///
  /// Its mode is 0700.
  package static func makeTemporaryDirectory(prefix: String = "appboot") throws(SystemError) -> String {
    var template = temporaryTemplate(prefix: prefix)
    guard mkdtemp(&template) != nil else {
      throw .last("create a temporary directory (TMPDIR selects where) in", temporaryDirectory)
    }
    let path = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: path, as: UTF8.self)
  }

  /// The value of `TMPDIR`; `/tmp` if the variable is not set.
  package static var temporaryDirectory: String { ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp" }

  /// Returns a path in `temporaryDirectory`. It ends in six characters that the system replaces (`mkstemp`, POSIX).
  package static func temporaryTemplate(prefix: String) -> [CChar] {
    let placeholder = String(repeating: "X", count: 6)
    return Array(join(temporaryDirectory, "\(prefix).\(placeholder)").utf8CString)
  }

  /// Returns the name of a directory's entry.
  static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    return String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
  }
}

/// Calls remove(3). The separate name is needed because `FileSystem.remove` hides the function.
private func systemRemove(_ path: String) -> Int32 { remove(path) }

/// Calls rename(2). The separate name is needed because methods named `rename` hide the function.
package func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }

extension FileSystem {
  /// The kind of a file.
  package enum Kind: Equatable, Sendable {
    case regular, directory, link, socket, other
  }

  /// The identity of a file: the numbers of its device and its inode (`stat`, POSIX).
  package struct Identity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Returns the identity of the file at a path; `nil` if there is no file. It does not follow links.
  package static func identity(of path: String) -> Identity? {
    var status = stat()
    return lstat(path, &status) == 0 ? Identity(status) : nil
  }

  /// Returns whether an open file is a character device, for example a terminal or `/dev/null`.
  package static func isCharacterDevice(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }

  /// Returns whether the file at a path is a pipe with a name. It follows links.
  static func isPipe(at path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Returns the identity of an open file; `nil` if the descriptor is not open.
  package static func identity(of descriptor: Int32) -> Identity? { status(of: descriptor)?.identity }

  /// The state of an open file (`fstat`, POSIX).
  package struct Status: Equatable, Sendable {
    package let identity: Identity
    /// The size in bytes.
    package let size: Int
    /// True if the file has no links left.
    package let isRemoved: Bool
  }

  /// Returns the state of an open file; `nil` if the descriptor is not open.
  package static func status(of descriptor: Int32) -> Status? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return Status(
      identity: Identity(status), size: Int(status.st_size), isRemoved: status.st_nlink == 0)
  }

  /// Returns the kind of the file at a path; `nil` if there is no file, or if it cannot be reached.
  package static func kind(of path: String, followingLinks: Bool = true) -> Kind? {
    var status = stat()
    let result = followingLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .directory
    case S_IFLNK: return .link
    case S_IFSOCK: return .socket
    default: return .other
    }
  }

  /// Returns whether a path is a directory. It follows links.
  package static func isDirectory(_ path: String) -> Bool { kind(of: path) == .directory }

  /// Returns the size of a regular file in bytes; `nil` for other files, and if there is no file.
  package static func size(of path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Returns the number of bytes that this user can still write on the file system of a path (`statvfs`, POSIX).
  package static func freeSpace(at path: String) throws(SystemError) -> Int64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw .last("look at", path) }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }
}
