import AppBootSystem
import Testing

@Suite("DynamicLibrary")
struct DynamicLibraryTests {
  /// The C library, which every system has.
  private let name = Host.platform == "linux" ? "libc.so.6" : "/usr/lib/libSystem.B.dylib"

  @Test("A loaded library resolves symbols and calls functions")
  func calls() throws {
    let library = try DynamicLibrary.open(name)
    _ = try library.symbol("malloc")
    #expect(try library.callInitializer("getpid") == Host.processIdentifier)
    guard Host.platform == "linux" else { return }
    #expect(try library.callVersion("gnu_get_libc_version").hasPrefix("2."))
  }

  @Test("The error for a missing library names it and has the loader's message")
  func missing() {
    let error = #expect(throws: DynamicLibraryError.self) { try DynamicLibrary.open("libappboot-none.so.1") }
    guard case .libraryNotFound("libappboot-none.so.1", let loader) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(loader.contains("libappboot-none.so.1"))
  }

  @Test("The error for a missing symbol names it and has the loader's message")
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
