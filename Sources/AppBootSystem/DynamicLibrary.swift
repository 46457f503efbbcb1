#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why a shared library cannot be used, with the loader's own words.
package enum DynamicLibraryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No library of this name can be loaded.
  case libraryNotFound(String, loader: String)
  /// The library has no such symbol.
  case symbolNotFound(library: String, symbol: String, loader: String)

  package var description: String {
    switch self {
    case .libraryNotFound(let name, let loader):
      return "cannot load the library \"\(name)\": \(loader)"
    case .symbolNotFound(let library, let symbol, let loader):
      return "the library \"\(library)\" has no symbol \"\(symbol)\": \(loader)"
    }
  }
}

/// A shared library, opened at run time and never unloaded: what it has started may run on (`dlopen`, POSIX).
///
/// `@unchecked Sendable`: the handle is the loader's, whose functions may be called from any thread.
package struct DynamicLibrary: @unchecked Sendable {
  /// The name it was opened by.
  package let name: String
  private let handle: UnsafeMutableRawPointer

  /// Loads a library with everything it needs, and runs its constructors.
  package static func open(_ name: String) throws(DynamicLibraryError) -> DynamicLibrary {
    _ = dlerror()
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw .libraryNotFound(name, loader: loaderMessage())
    }
    return DynamicLibrary(name: name, handle: handle)
  }

  /// The address of a symbol.
  package func symbol(_ symbol: String) throws(DynamicLibraryError) -> UnsafeMutableRawPointer {
    _ = dlerror()
    guard let address = dlsym(handle, symbol) else {
      throw .symbolNotFound(library: name, symbol: symbol, loader: Self.loaderMessage())
    }
    return address
  }

  /// Calls `const char *symbol(void)`, such as `zlibVersion`; empty where it returns no text.
  ///
  /// The caller vouches for the type: C keeps none.
  package func callVersion(_ symbol: String) throws(DynamicLibraryError) -> String {
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    let function = unsafeBitCast(try self.symbol(symbol), to: Function.self)
    return function().map { String(cString: $0) } ?? ""
  }

  /// Calls `int symbol(void)`, such as `sqlite3_initialize`; by custom, 0 is success.
  ///
  /// The caller vouches for the type: C keeps none.
  package func callInitializer(_ symbol: String) throws(DynamicLibraryError) -> Int32 {
    typealias Function = @convention(c) () -> Int32
    return unsafeBitCast(try self.symbol(symbol), to: Function.self)()
  }

  private static func loaderMessage() -> String {
    dlerror().map { String(cString: $0) } ?? "unknown error"
  }
}
