import AppBootSystem
import Testing

@Suite("A shared library")
struct DynamicLibraryTests {
  /// The C library, which is always there.
  private let name = Host.platform == "linux" ? "libc.so.6" : "/usr/lib/libSystem.B.dylib"

  @Test("gives its symbols, and its functions can be called")
  func calls() throws {
    let library = try DynamicLibrary.open(name)
    _ = try library.symbol("malloc")
    #expect(try library.callInitializer("getpid") == Host.processIdentifier)
    guard Host.platform == "linux" else { return }
    #expect(try library.callVersion("gnu_get_libc_version").hasPrefix("2."))
  }

  @Test("that is missing is named, with the loader's words")
  func missing() {
    let error = #expect(throws: DynamicLibraryError.self) { try DynamicLibrary.open("libappboot-none.so.1") }
    guard case .libraryNotFound("libappboot-none.so.1", let loader) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(loader.contains("libappboot-none.so.1"))
  }

  @Test("without the symbol says so, with the loader's words")
  func missingSymbol() throws {
    let library = try DynamicLibrary.open(name)
    let error = #expect(throws: DynamicLibraryError.self) { try library.callVersion("appboot_none") }
    guard case .symbolNotFound(name, "appboot_none", let loader) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(loader.contains("appboot_none"))
  }
}
