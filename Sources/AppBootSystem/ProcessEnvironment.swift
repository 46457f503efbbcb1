#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The environment variables of this process. Invalid UTF-8 is repaired.
package enum ProcessEnvironment {
  /// The value of one variable, found without reading the others (`getenv`, POSIX).
  package static func value(of name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  /// All variables; built on each call. Of a name that occurs twice, the first counts, as for `getenv`.
  package static func all() -> [String: String] {
    var variables: [String: String] = [:]
    forEach { entry in
      let entry = String(cString: entry)
      guard let equals = entry.utf8.firstIndex(of: UInt8(ascii: "=")) else { return }
      let name = String(entry[..<equals])
      if variables[name] == nil { variables[name] = String(entry[entry.utf8.index(after: equals)...]) }
    }
    return variables
  }

  /// Sets a variable of this process, for those started later (`setenv`, POSIX); for tests and single threads.
  package static func set(_ name: String, to value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }

  /// Each `NAME=value` entry in the system's own memory.
  static func forEach(_ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard var entry = block else { return }
    while let text = entry.pointee {
      body(text)
      entry += 1
    }
  }

  /// `environ` itself, which may be handed to a new process as it is.
  static var block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
    _NSGetEnviron().pointee
    #else
    environ
    #endif
  }
}
