import AppBootLibC

/// An error of a call to the operating system.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The action that failed, as a verb that fits after "cannot", for example `open`, `write` or `create directory`.
  package let call: String
  /// The path of the file; `nil` if the call has no file.
  package let path: String?
  /// The `errno` value.
  package let code: Int32
  /// The reason why a file is not trusted, with the correction; `nil` for an error of the system.
  private let distrust: String?

  package init(call: String, path: String? = nil, code: Int32, distrust: String? = nil) {
    self.call = call
    self.path = path
    self.code = code
    self.distrust = distrust
  }

  /// Returns the error of the last call on this thread that failed, from `errno`.
  package static func last(_ call: String, _ path: String? = nil) -> SystemError {
    SystemError(call: call, path: path, code: errno)
  }

  package var description: String {
    guard let path else { return "cannot \(call): \(reason)" }
    return "cannot \(call) \"\(path)\": \(reason)"
  }

  /// The system's message for the code, for example `permission denied`.
  package var reason: String { distrust ?? SystemError.message(for: code) }

  /// A Boolean that is true if another user may have created or changed the file, or if it is a link or a pipe.
  package var isDistrust: Bool { distrust != nil }

  /// A Boolean that is true if a file, or a directory in its path, does not exist.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Returns the system's message for an `errno` value. It begins in lower case (`strerror_r`, POSIX).
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

/// Repeats a call while signals interrupt it (`EINTR`, POSIX).
@inline(__always)
package func retryingInterrupts<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
