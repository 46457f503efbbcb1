import AppBootLibC

extension FileSystem {
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

  /// Renames a file. A file that has the new name is replaced (`rename`, POSIX).
  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    guard systemRename(path, newPath) == 0 else { throw .last("rename", path) }
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
