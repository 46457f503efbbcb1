import AppBootLibC

/// A namespace for functions that look up programs in `PATH`.
package enum ProgramSearch {
  /// The value of `PATH`; if it is not set, the directories of POSIX's tools.
  static var path: String { ProcessEnvironment.value(of: "PATH") ?? "/usr/bin:/bin" }

  /// Throws the error with which starting a program would fail, if it is missing or cannot be executed.
  ///
  /// - Parameters:
  ///   - searchPath: The directories to search; `nil` for those of `PATH`.
  ///   - directory: The directory in which the program would start.
  package static func check(
    _ name: String, searchPath: String? = nil, from directory: String
  ) throws(SpawnError) {
    let searchPath = searchPath ?? path
    let program = FileSystem.join(directory, try find(name, searchPath: searchPath, from: directory))
    guard FileSystem.kind(of: program) == .regular else { throw .programNotFound(name, searched: []) }
    guard access(program, X_OK) == 0 else { throw .notExecutable(name) }
  }

  /// Returns the path of a program. A name with a slash is a path already.
  ///
  /// - Parameter directory: The directory in which the program starts. Relative directories of `searchPath` are
  ///   relative to it.
  static func find(
    _ name: String, searchPath: String, from directory: String?
  ) throws(SpawnError) -> String {
    if name.utf8.contains(UInt8(ascii: "/")) { return name }
    let entries = searchPath.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var blocked: String?
    for entry in entries where !name.isEmpty {
      // An empty entry is the current directory (POSIX, 8.3).
      let candidate = FileSystem.join(entry.isEmpty ? "." : entry, name)
      let seen = directory.map { FileSystem.join($0, candidate) } ?? candidate
      guard FileSystem.kind(of: seen) == .regular else { continue }
      if access(seen, X_OK) == 0 { return candidate }
      blocked = blocked ?? candidate
    }
    if let blocked { throw .notExecutable(blocked) }
    throw .programNotFound(name, searched: entries)
  }
}
