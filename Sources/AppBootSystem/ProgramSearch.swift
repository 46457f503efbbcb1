#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A look-up of programs in `PATH`, with a cache that lasts until `PATH` changes.
package enum ProgramSearch {
  private struct Cache {
    var searchPath = ""
    var found: [String: String] = [:]
  }

  private static let cache = Lock(Cache())

  /// Throws the error that starting a program would throw if it is missing or cannot be executed.
  ///
  /// - Parameter searchPath: The directories to search; `nil` for those of `PATH`.
  package static func check(
    _ name: String, searchPath: String? = nil, from directory: String
  ) throws(SpawnError) {
    let searchPath = searchPath ?? ProcessEnvironment.value(of: "PATH") ?? "/usr/bin:/bin"
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
    if let path = cached(name, searchPath) { return path }
    let entries = searchPath.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var blocked: String?
    for entry in entries where !name.isEmpty {
      // An empty entry is the current directory (POSIX, 8.3).
      let candidate = FileSystem.join(entry.isEmpty ? "." : entry, name)
      let seen = directory.map { FileSystem.join($0, candidate) } ?? candidate
      guard FileSystem.kind(of: seen) == .regular else { continue }
      if access(seen, X_OK) == 0 {
        if candidate.utf8.first == UInt8(ascii: "/") { remember(name, candidate, searchPath) }
        return candidate
      }
      blocked = blocked ?? candidate
    }
    if let blocked { throw .notExecutable(blocked) }
    throw .programNotFound(name, searched: entries)
  }

  /// Removes a program from the cache, because it is not at its path any more.
  static func forget(_ name: String) {
    cache.withLock { $0.found[name] = nil }
  }

  private static func cached(_ name: String, _ searchPath: String) -> String? {
    cache.withLock { $0.searchPath == searchPath ? $0.found[name] : nil }
  }

  private static func remember(_ name: String, _ path: String, _ searchPath: String) {
    cache.withLock { cache in
      if cache.searchPath != searchPath { cache = Cache(searchPath: searchPath) }
      cache.found[name] = path
    }
  }
}
