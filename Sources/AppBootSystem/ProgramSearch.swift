import AppBootLibC

/// A namespace for functions that look up programs in `PATH`.
package enum ProgramSearch {
  /// The value of `PATH`; if it is not set, the directories of POSIX's tools.
  static var path: String { ProcessEnvironment.value(of: "PATH") ?? "/usr/bin:/bin" }

  /// The directories for a process with the rights of root. NixOS has only the last one.
  private static let systemPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin"

  /// True if this process has the rights of root or of another user.
  package static var isPrivileged: Bool { geteuid() == 0 || CurrentProcess.isSetUserID }

  /// Returns the directories of programs that AppBoot itself needs: the absolute ones of a path.
  ///
  /// A privileged process has fixed ones: another user may have set its `PATH`, or may write to a directory there.
  package static func helperPath(of path: String? = nil) -> String {
    let entries = (path ?? self.path).split(separator: ":").filter { $0.hasPrefix("/") }
    return isPrivileged || entries.isEmpty ? systemPath : entries.joined(separator: ":")
  }

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

/// An error in the use of a shared library, with the loader's message.
package enum DynamicLibraryError: Error, Equatable, Sendable {
  /// The loader found no library with this name, or could not load it.
  case libraryNotFound(String, loader: String)
  /// The library does not have the symbol.
  case symbolNotFound(library: String, symbol: String, loader: String)
}

/// A shared library that is opened at run time (`dlopen`, POSIX). It is never unloaded, because its threads may still
/// run.
///
/// `@unchecked Sendable`: the handle belongs to the loader, whose functions may be called from any thread.
package struct DynamicLibrary: @unchecked Sendable {
  /// The name that was passed to `open`.
  package let name: String
  private let handle: UnsafeMutableRawPointer

  /// Loads a library and its dependencies. The loader runs their constructors.
  package static func open(_ name: String) throws(DynamicLibraryError) -> DynamicLibrary {
    _ = dlerror()
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw .libraryNotFound(name, loader: loaderMessage())
    }
    return DynamicLibrary(name: name, handle: handle)
  }

  /// Returns the address of a symbol in the library.
  package func symbol(_ symbol: String) throws(DynamicLibraryError) -> UnsafeMutableRawPointer {
    _ = dlerror()
    guard let address = dlsym(handle, symbol) else {
      throw .symbolNotFound(library: name, symbol: symbol, loader: Self.loaderMessage())
    }
    return address
  }

  /// Calls a function of type `const char *symbol(void)`, for example `zlibVersion`. Returns "" for a null result.
  ///
  /// The caller guarantees the type: C symbols have no type at run time.
  package func callVersion(_ symbol: String) throws(DynamicLibraryError) -> String {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    let function = unsafeBitCast(try self.symbol(symbol), to: Function.self)
    return function().map { String(cString: $0) } ?? ""
  }

  /// Calls a function of type `int symbol(void)`, for example `sqlite3_initialize`. By convention 0 is success.
  ///
  /// The caller guarantees the type: C symbols have no type at run time.
  package func callInitializer(_ symbol: String) throws(DynamicLibraryError) -> Int32 {
    typealias Function = @convention(c) () -> Int32
    return unsafeBitCast(try self.symbol(symbol), to: Function.self)()
  }

  private static func loaderMessage() -> String {
    dlerror().map { String(cString: $0) } ?? "unknown error"
  }
}
