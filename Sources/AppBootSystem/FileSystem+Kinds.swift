import AppBootLibC

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
