import AppBoot
import AppBootSystem

/// An error of an HTTP request without a usable response.
struct CurlError: ShortageError, CustomStringConvertible {
  /// The error message: the request and the problem.
  let description: String
  /// True if `curl` could not be started, and a later start may succeed.
  var isShortage = false

  /// Creates the error of a request.
  ///
  /// - Parameter target: The text that describes the request in messages.
  init(_ target: String, _ problem: String) { description = "\(target) \(problem)" }

  /// Creates the error of a start of `curl`.
  init(starting error: SpawnError) {
    (description, isShortage) = ("curl could not be started: \(error)", error.isShortage)
  }

  /// Creates the error of a response whose body is larger than `limit` bytes.
  init(_ target: String, limit: Int) { self.init(target, "answered with more than \(limit) bytes") }

  /// Creates the error from curl's exit code (curl(1), "EXIT CODES") or signal; returns `nil` if curl succeeded.
  init?(_ end: ProcessEnd, output: String, target: String, limit: Int, timeout: Duration?) {
    let reason = CurlResponse.reason(in: output)
    switch end {
    case .exited(0): return nil
    case .exited(5), .exited(6): self.init(target, "was not found: \(reason)")
    case .exited(7): self.init(target, "does not accept connections: \(reason)")
    case .exited(28):
      self.init(target, "did not answer within \(timeout.map(DurationText.exact) ?? "curl's own limit")")
    case .exited(63): self.init(target, limit: limit)
    case .exited(let code) where [18, 52, 55, 56, 92, 95].contains(code):
      self.init(target, "gave no valid response: \(reason)")
    case .exited(let code) where Self.codesOfTLS.contains(code):
      self.init("no secure connection to \(target):", reason)
    case .exited(let code):
      self.init(target, "could not be reached: curl exited with code \(code): \(reason)")
    case .signalled: self.init("curl", end.words)
    }
  }

  /// Curl's exit codes for a connection that cannot be encrypted or verified.
  private static let codesOfTLS: [Int32] = [
    35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98,
  ]
}

/// An error that reports that the program `curl` is missing.
struct MissingCurl: MissingPrecondition, Hashable, CustomStringConvertible {
  /// The error message: the problem and its fix.
  var description: String {
    "there is no program \"curl\" in PATH to send the request: install curl, or add its directory to PATH"
  }
}
