import AppBootLibC
import AppBootSystem

extension FileSystem {
  /// Renames a file. A file that has the new name is replaced (`rename`, POSIX).
  package static func rename(_ path: String, to newPath: String) throws {
    guard systemRename(path, newPath) == 0 else { throw SystemError.last("rename", path) }
  }
}
