import AppBootLibC
import AppBootSystem

extension FileSystem {
  /// Returns the permission bits of a file, for example `0o644`.
  package static func permissions(_ path: String) throws -> UInt32 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError.last("look at", path) }
    return UInt32(status.st_mode) & 0o7777
  }

  /// Sets the permission bits of a file (`chmod`, POSIX).
  package static func setPermissions(_ path: String, to mode: UInt32) throws {
    guard chmod(path, mode_t(truncatingIfNeeded: mode)) == 0 else {
      throw SystemError.last("change the permissions of", path)
    }
  }
}
