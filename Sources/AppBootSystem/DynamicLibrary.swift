import AppBootLibC

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
