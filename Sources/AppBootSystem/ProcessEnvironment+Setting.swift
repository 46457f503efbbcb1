import AppBootLibC

extension ProcessEnvironment {
  /// Sets or removes a variable (`setenv`, POSIX). It is not thread-safe: use it in tests, or before other threads
  /// start.
  package static func set(_ name: String, to value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }
}
