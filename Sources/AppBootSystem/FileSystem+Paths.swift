#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension FileSystem {
  /// What stands at a path.
  package enum Kind: Equatable, Sendable {
    case regular, directory, link, socket, other
  }

  /// What tells one file from another: the device and its number there (`stat`, POSIX).
  package struct Identity: Equatable, Sendable {
    let device: UInt64
    let number: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Which file stands at a path, a link itself and not what it leads to; nil where there is none.
  package static func identity(of path: String) -> Identity? {
    var status = stat()
    return lstat(path, &status) == 0 ? Identity(status) : nil
  }

  /// What stands at a path, or nil when nothing can be seen there.
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

  /// Whether a file exists at the path, after following links: one system call (`access`, POSIX).
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether the path is a directory, after following links.
  package static func isDirectory(_ path: String) -> Bool { kind(of: path) == .directory }

  /// How many bytes a regular file has; `nil` for anything else.
  package static func size(of path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The permission bits of a file, such as `0o644`.
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

  /// Creates a directory; one that exists already is fine, and keeps its mode.
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
    // "File exists" would not say what is wrong with that.
    if code == EEXIST { throw SystemError(call: "use as a directory", path: path, code: ENOTDIR) }
    throw SystemError(call: "create directory", path: path, code: code)
  }

  /// The names in a directory, in ascending order, without `.` and `..`.
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

  /// Finds out whether a file could be written, without touching it (`access`, POSIX).
  package static func checkWritable(_ path: String) throws(SystemError) {
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

  /// Removes whatever stands at the path, with everything below it; links are removed, not followed.
  package static func removeTree(_ path: String) throws(SystemError) {
    if kind(of: path, followingLinks: false) == .directory {
      for name in try list(path) { try removeTree(join(path, name)) }
    }
    try remove(path)
  }

  /// The absolute path without links, or nil when it leads nowhere (`realpath`, POSIX).
  package static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A new directory of its own below `TMPDIR` or `/tmp`, mode 0700 (`mkdtemp`, POSIX).
  package static func makeTemporaryDirectory(prefix: String = "appboot") throws(SystemError) -> String {
    var template = temporaryTemplate(prefix: prefix)
    guard mkdtemp(&template) != nil else { throw .last("create a directory in", temporaryDirectory) }
    let path = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: path, as: UTF8.self)
  }

  /// `TMPDIR`, or else `/tmp`.
  static var temporaryDirectory: String { ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp" }

  /// A name below ``temporaryDirectory`` that ends in the six places that the system fills (`mkstemp`, POSIX).
  static func temporaryTemplate(prefix: String) -> [CChar] {
    let places = String(repeating: "X", count: 6)
    return Array(join(temporaryDirectory, "\(prefix).\(places)").utf8CString)
  }

  private static func name(of entry: UnsafeRawPointer) -> String {
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    return String(cString: (entry + offset).assumingMemoryBound(to: CChar.self))
  }
}

extension FileSystem {
  /// `path` seen from `directory`; an absolute `path` is itself.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") || directory.isEmpty { return path }
    if path.isEmpty { return directory }
    return directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
  }

  /// Everything before the last component: `a/b` → `a`, `a` → `.`, `/a` → `/` (`dirname`, POSIX).
  package static func directory(of path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return String(withoutTrailingSlashes(path[...slash]))
  }

  /// The last component: `a/b.json` → `b.json`, `/` → `/` (`basename`, POSIX).
  package static func lastComponent(_ path: String) -> String {
    let path = withoutTrailingSlashes(path)
    guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return String(path) }
    return String(path[path.utf8.index(after: slash)...])
  }

  private static func withoutTrailingSlashes(_ path: some StringProtocol) -> Substring {
    var path = Substring(path)
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return path
  }
}

/// remove(3), under a name that `FileSystem.remove` does not hide.
private func systemRemove(_ path: String) -> Int32 { remove(path) }
