import AppBootLibC

/// A namespace for functions about this process's environment variables. Invalid UTF-8 is replaced by U+FFFD.
package enum ProcessEnvironment {
  /// Returns the value of a variable; `nil` if it is not set (`getenv`, POSIX).
  package static func value(of name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  /// Returns all variables. If a name occurs twice, the first value counts, as for `getenv`.
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

  /// Calls `body` with each `NAME=value` entry. The entries are in the system's memory.
  package static func forEach(_ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard var entry = block else { return }
    while let text = entry.pointee {
      body(text)
      entry += 1
    }
  }

  /// The array `environ`, in the form that a call which starts a program needs.
  package static var block: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
    _NSGetEnviron().pointee
    #else
    environ
    #endif
  }
}
