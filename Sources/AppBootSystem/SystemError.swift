#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A call to the operating system that failed, with what was attempted and why it did not work.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was attempted, as a verb that fits behind "cannot": `open`, `write`, `create directory`.
  package let call: String
  /// The file that it was attempted on, where there is one.
  package let path: String?
  /// The `errno` value.
  package let code: Int32

  package init(call: String, path: String? = nil, code: Int32) {
    self.call = call
    self.path = path
    self.code = code
  }

  /// The error of the call that has just failed on this thread, from `errno`.
  static func last(_ call: String, _ path: String? = nil) -> SystemError {
    SystemError(call: call, path: path, code: errno)
  }

  package var description: String {
    guard let path else { return "cannot \(call): \(reason)" }
    return "cannot \(call) \"\(path)\": \(reason)"
  }

  /// The system's words for the code, such as `permission denied`.
  package var reason: String { SystemError.message(for: code) }

  /// Whether a file, or a directory on the way to it, does not exist.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether there are more bytes than a limit allows.
  package var isTooLarge: Bool { code == EFBIG }

  /// Whether the deadline passed.
  package var isTimeout: Bool { code == ETIMEDOUT }

  /// Whether nobody listens there.
  package var isRefused: Bool { code == ECONNREFUSED }

  /// Whether the other end has gone.
  package var isBrokenConnection: Bool { code == ECONNRESET || code == EPIPE }

  /// Whether a name is longer than the system takes.
  package var isNameTooLong: Bool { code == ENAMETOOLONG }

  /// The system's words for an `errno` value, beginning in lower case (`strerror_r`, POSIX).
  package static func message(for code: Int32) -> String {
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String in
      guard let start = buffer.baseAddress else { return "" }
      start.initialize(repeating: 0, count: 256)
      guard strerror_r(code, start, 255) == 0 else { return "" }
      return String(cString: start)
    }
    guard let first = text.first else { return "error \(code)" }
    let rest = text.dropFirst()
    return rest.first?.isUppercase == true ? text : first.lowercased() + rest
  }
}

/// Repeats a call for as long as a signal interrupts it (`EINTR`, POSIX).
@inline(__always)
func retryingInterrupts<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
