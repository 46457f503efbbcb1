#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension FileSystem {
  /// The kind of a file.
  package enum Kind: Equatable, Sendable {
    case regular, directory, link, socket, other
  }

  /// The identity of a file: its device and its inode number (`stat`, POSIX).
  package struct Identity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Returns the identity of the file at a path; nil if there is no file. Does not follow links.
  package static func identity(of path: String) -> Identity? {
    var status = stat()
    return lstat(path, &status) == 0 ? Identity(status) : nil
  }

  /// Returns whether an open file is a character device, for example a terminal or `/dev/null`.
  static func isCharacterDevice(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }

  /// Returns the identity of an open file; nil if the descriptor is not open.
  static func identity(of descriptor: Int32) -> Identity? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Identity(status) : nil
  }

  /// Returns the kind of the file at a path; nil if there is no file or it cannot be reached.
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

  /// Returns whether a file exists at the path. Follows links; one system call (`access`, POSIX).
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns whether the path is a directory. Follows links.
  package static func isDirectory(_ path: String) -> Bool { kind(of: path) == .directory }

  /// Returns the size of a regular file in bytes; `nil` for anything else.
  package static func size(of path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Returns the bytes that this user can still write on the file system of a path (`statvfs`, POSIX).
  package static func freeSpace(at path: String) throws(SystemError) -> Int64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw .last("look at", path) }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Returns the permission bits of a file, for example `0o644`.
  package static func permissions(_ path: String) throws(SystemError) -> UInt32 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last("look at", path) }
    return UInt32(status.st_mode) & 0o7777
  }

  /// Sets the permission bits of a file (`chmod`, POSIX).
  package static func setPermissions(_ path: String, to mode: UInt32) throws(SystemError) {
    guard chmod(path, mode_t(truncatingIfNeeded: mode)) == 0 else {
      throw .last("change the permissions of", path)
    }
  }

  /// Creates a directory. If it exists already, it keeps its mode.
  ///
  /// With `parents`, the missing directories above it are created with the mode `0o777` less the umask.
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
      let name = name(of: UnsafeRawPointer(entry))
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    if errno != 0 { throw .last("list", directory) }
    return names.sorted()
  }

  /// Throws the error that writing the file would throw, without touching the file (`access`, POSIX).
  package static func checkWritable(_ path: String) throws(SystemError) {
    switch kind(of: path) {
    case .directory: throw SystemError(call: "write", path: path, code: EISDIR)
    case .regular, .link, .socket, .other: if access(path, W_OK) != 0 { throw .last("write", path) }
    case nil: if access(directory(of: path), W_OK | X_OK) != 0 { throw .last("write", path) }
    }
  }

  /// Renames a file, replacing any file with the new name (`rename`, POSIX).
  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    guard systemRename(path, newPath) == 0 else { throw .last("rename", path) }
  }

  /// Removes a file, a link or an empty directory (`remove`, POSIX).
  package static func remove(_ path: String) throws(SystemError) {
    guard systemRemove(path) == 0 else { throw .last("remove", path) }
  }

  /// Removes the file or directory at the path, with everything below it. Removes links, and does not follow them.
  package static func removeTree(_ path: String) throws(SystemError) {
    if kind(of: path, followingLinks: false) == .directory {
      for name in try list(path) { try removeTree(join(path, name)) }
    }
    try remove(path)
  }

  /// Returns the absolute path without links; nil if there is no file (`realpath`, POSIX).
  package static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Creates a directory with a unique name in `TMPDIR` or `/tmp`, mode 0700, and returns its path (`mkdtemp`, POSIX).
  package static func makeTemporaryDirectory(prefix: String = "appboot") throws(SystemError) -> String {
    var template = temporaryTemplate(prefix: prefix)
    guard mkdtemp(&template) != nil else { throw .last("create a directory in", temporaryDirectory) }
    let path = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: path, as: UTF8.self)
  }

  /// `TMPDIR`, or `/tmp` if that is unset.
  static var temporaryDirectory: String { ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp" }

  /// Returns a path in `temporaryDirectory` that ends in six characters for the system to replace (`mkstemp`, POSIX).
  static func temporaryTemplate(prefix: String) -> [CChar] {
    let placeholder = String(repeating: "X", count: 6)
    return Array(join(temporaryDirectory, "\(prefix).\(placeholder)").utf8CString)
  }

  private static func name(of entry: UnsafeRawPointer) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    return String(cString: (entry + offset).assumingMemoryBound(to: CChar.self))
  }
}

extension FileSystem {
  /// Returns `path` relative to `directory`, or `path` itself if it is absolute.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") || directory.isEmpty { return path }
    if path.isEmpty { return directory }
    return directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
  }

  /// Returns `path` relative to the directory of a file, or `path` itself if it is absolute.
  package static func path(_ path: String, beside file: String) -> String {
    let directory = directory(of: file)
    return directory == "." ? path : join(directory, path)
  }

  /// Returns the part before the last component: `a/b` → `a`, `a` → `.`, `/a` → `/` (`dirname`, POSIX).
  package static func directory(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return String(withoutTrailingSlashes(path[...slash]))
  }

  /// Returns the last component: `a/b.json` → `b.json`, `/` → `/` (`basename`, POSIX).
  package static func lastComponent(_ path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(path) }
    return String(path[path.utf8.index(after: slash)...])
  }

  static func withoutTrailingSlashes(_ path: some StringProtocol) -> Substring {
    var path = Substring(path)
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return path
  }
}

/// Calls remove(3), under a name that `FileSystem.remove` does not hide.
private func systemRemove(_ path: String) -> Int32 { remove(path) }

/// Calls rename(2), under a name that methods named `rename` do not hide.
func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
