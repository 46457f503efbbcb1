import AppBootC
import AppBootLibC

/// Functions for trusted files, which no other user can have created or changed.
///
/// They belong to this user or to root. Only their owner may write to them, or root's group, or a group that has this
/// user's number and no other member. Such a private group is the reason for the umask 002. No access control list may
/// let others write (acl(5)).
extension FileSystem {
  /// Checks that only this user and root can change the names in a directory. A missing directory passes the check.
  ///
  /// - Parameter followingLinks: True if the path may be a symbolic link. The link must belong to this user or root
  ///   too.
  /// - Throws: `SystemError` that is distrust (``SystemError/isDistrust``).
  package static func checkOwn(
    directory path: String, followingLinks: Bool = true
  ) throws(SystemError) {
    let path = String(withoutTrailingSlashes(path))
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFLNK {
      guard followingLinks else { throw distrust(path, "it is a symbolic link: move it away") }
      if let owner = otherOwner(status) { throw distrust(path, "\(owner): move it away") }
      guard stat(path, &status) == 0 else { return }
    }
    if let owner = otherOwner(status) {
      let user = "run as that user, with `sudo -u '#\(status.st_uid)'`"
      throw distrust(path, "\(owner): \(user), or use another directory")
    }
    guard isWritableByOthers(status, path) else { return }
    throw distrust(
      path, "other users may write to it: run `chmod go-w` on it, or use another directory")
  }

  /// Checks that a socket belongs to this user or root. A missing file passes the check.
  ///
  /// - Throws: `SystemError` that is distrust, also for a symbolic link.
  package static func checkOwn(socket path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFLNK { throw distrust(path, "it is a symbolic link: move it away") }
    if let owner = otherOwner(status) { throw distrust(path, "\(owner): move it away") }
  }

  /// Returns the bytes of a trusted file. It does not follow a link, and does not wait for the writer of a pipe.
  ///
  /// - Parameter restricting: True to remove the permissions of other users if that is possible.
  /// - Throws: `SystemError`. It is distrust if the file does not belong to this user or root, or if others may write
  ///   to it.
  package static func readOwnFile(
    _ path: String, limit: Int = readLimit, restricting: Bool = false
  ) throws(SystemError) -> [UInt8] {
    let descriptor = try openOwn(path, O_RDONLY, restricting: restricting)
    defer { Descriptor.close(descriptor) }
    return try readAll(descriptor, path: path, limit: limit)
  }

  /// Opens a trusted file as `open` does. It does not follow a link, and does not wait for the writer of a pipe.
  ///
  /// - Parameter restricting: True to remove the permissions of other users if that is possible.
  package static func openOwn(
    _ path: String, _ flags: Int32, mode: UInt32 = 0, restricting: Bool = false
  ) throws(SystemError) -> Int32 {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try open(path, flags | O_NOFOLLOW | O_NONBLOCK, mode: mode)
    } catch {
      switch kind(of: path, followingLinks: false) {
      case .link: throw distrust(path, "it is a symbolic link: move it away")
      case .socket, .other: throw distrust(path, "it is not a file: move it away")
      case .regular, .directory, nil: throw error
      }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { Descriptor.close(descriptor) }
      throw .last("look at", path)
    }
    if let problem = problem(with: status, path) {
      Descriptor.close(descriptor)
      throw distrust(path, problem)
    }
    if restricting, status.st_mode & 0o077 != 0 { _ = fchmod(descriptor, status.st_mode & 0o700) }
    return descriptor
  }

  private static func problem(with status: stat, _ path: String) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a file: move it away" }
    if let owner = otherOwner(status) { return "\(owner): move it away" }
    return isWritableByOthers(status, path) ? "other users may write to it: run `chmod go-w` on it" : nil
  }

  private static func distrust(_ path: String, _ reason: String) -> SystemError {
    SystemError(call: "use", path: path, code: EPERM, distrust: reason)
  }

  private static func otherOwner(_ status: stat) -> String? {
    guard status.st_uid != geteuid(), status.st_uid != 0 else { return nil }
    return "it belongs to another user (uid \(status.st_uid))"
  }

  private static func isWritableByOthers(_ status: stat, _ path: String) -> Bool {
    if status.st_mode & 0o002 != 0 { return true }
    // With a list, the bits of the group are the most that a user or a group of the list has.
    guard status.st_mode & 0o020 != 0 else { return false }
    return hasAccessList(path)
      || status.st_gid != 0 && (status.st_gid != geteuid() || UserAccount.isShared(group: status.st_gid))
  }

  /// Returns whether a file has an access control list beside its mode. It does not know the lists of Darwin.
  private static func hasAccessList(_ path: String) -> Bool {
    #if os(Linux)
    appboot_getxattr(path, "system.posix_acl_access", nil, 0) >= 0
    #else
    false
    #endif
  }
}

extension FileSystem {
  /// Returns a text that identifies a directory on its file system: its inode and its birth time.
  ///
  /// Renaming the directory, or one above it, does not change the text. A copy has another one, and so has a directory
  /// that git or an archive creates. Without birth times on the file system, the text has only the inode. Returns `nil`
  /// if there is no file.
  package static func origin(of directory: String) -> String? {
    var status = stat()
    guard stat(directory, &status) == 0 else { return nil }
    return "\(status.st_ino)-\(birth(of: directory, status))"
  }

  #if os(Linux)
  /// Returns the birth time in nanoseconds (statx(2)); 0 if it is unknown.
  private static func birth(of path: String, _ status: stat) -> Int64 {
    #if arch(x86_64)
    let call = 332
    #else
    let call = 291
    #endif
    let (birthTime, currentDirectory) = (0x800, -100)
    // `struct statx` has 256 bytes: at 0 the mask, at 80 the seconds and at 88 the nanoseconds of the birth.
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      guard let base = buffer.baseAddress,
        path.withCString({
          appboot_syscall(call, currentDirectory, Int(bitPattern: $0), 0, birthTime, Int(bitPattern: base), 0)
        }) == 0, Int(buffer.load(as: UInt32.self)) & birthTime != 0
      else { return 0 }
      let nanoseconds = Int64(buffer.load(fromByteOffset: 88, as: UInt32.self))
      return buffer.load(fromByteOffset: 80, as: Int64.self) &* 1_000_000_000 &+ nanoseconds
    }
  }
  #else
  private static func birth(of path: String, _ status: stat) -> Int64 {
    #if canImport(Darwin)
    let time = status.st_birthtimespec
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    #else
    return 0
    #endif
  }
  #endif
}
