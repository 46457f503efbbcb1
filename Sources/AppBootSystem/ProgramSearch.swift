#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A look-up of programs in `PATH`.
package enum ProgramSearch {
  /// The directories of `PATH`; those of POSIX's tools if it is not set.
  static var path: String { ProcessEnvironment.value(of: "PATH") ?? "/usr/bin:/bin" }

  /// Throws the error that starting a program would throw if it is missing or cannot be executed.
  ///
  /// - Parameter searchPath: The directories to search; `nil` for those of `PATH`.
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
  /// Relative entries of `searchPath` are resolved in `directory`, the directory that the program starts in.
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
