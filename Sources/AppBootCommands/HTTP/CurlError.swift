import AppBoot
import AppBootSystem

/// An error of a `curl` request without a usable response. The first value of most cases is the request, for messages.
enum CurlError: Error, Sendable, Hashable {
  /// The name of the host has no address. `reason` is curl's message.
  case hostNotFound(String, reason: String)
  /// Curl could not connect to the server. `reason` is curl's message.
  case connectionRefused(String, reason: String)
  /// The response did not arrive within the timeout.
  case timedOut(String, timeout: String)
  /// The response is incomplete or invalid.
  case noResponse(String, reason: String)
  /// The connection could not be encrypted or verified (TLS). `reason` is curl's message.
  case notSecure(String, reason: String)
  /// The response is larger than `limit` bytes.
  case responseTooLarge(String, limit: Int)
  /// `curl` failed for another reason. `code` is its exit code (curl(1), "EXIT CODES"), `reason` its message.
  case failed(String, code: Int, reason: String)
  /// `curl` was killed by a signal.
  case curlEnded(signal: String)
  /// `curl` could not be started. `reason` is the system's message; `isShortage` is true if a later start may succeed.
  case notStarted(reason: String, isShortage: Bool)
}

extension CurlError: ShortageError {
  var isShortage: Bool {
    if case .notStarted(_, let isShortage) = self { isShortage } else { false }
  }
}

extension CurlError {
  /// Creates the error from curl's exit code or signal; returns `nil` if curl succeeded.
  init?(_ end: ProcessEnd, output: String, target: String, limit: Int, timeout: Duration?) {
    guard case .exited(let code) = end else {
      guard case .signalled(let signal) = end else { return nil }
      self = .curlEnded(signal: Signals.name(signal))
      return
    }
    let reason = CurlResponse.reason(in: output)
    switch code {
    case 0: return nil
    case 5, 6: self = .hostNotFound(target, reason: reason)
    case 7: self = .connectionRefused(target, reason: reason)
    case 28: self = .timedOut(target, timeout: timeout.map(DurationText.exact) ?? "curl's own limit")
    case 18, 52, 55, 56, 92, 95: self = .noResponse(target, reason: reason)
    case 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98: self = .notSecure(target, reason: reason)
    case 63: self = .responseTooLarge(target, limit: limit)
    default: self = .failed(target, code: Int(code), reason: reason)
    }
  }
}

extension CurlError: CustomStringConvertible {
  /// The error message: the request and the problem.
  var description: String {
    switch self {
    case .hostNotFound(let target, let reason): "\(target) was not found: \(reason)"
    case .connectionRefused(let target, let reason): "\(target) does not accept connections: \(reason)"
    case .timedOut(let target, let timeout): "\(target) did not answer within \(timeout)"
    case .noResponse(let target, let reason): "\(target) gave no valid response: \(reason)"
    case .notSecure(let target, let reason): "no secure connection to \(target): \(reason)"
    case .responseTooLarge(let target, let limit): "\(target) answered with more than \(limit) bytes"
    case .failed(let target, let code, let reason):
      "\(target) could not be reached: curl exited with code \(code): \(reason)"
    case .curlEnded(let signal): "curl was killed by \(signal)"
    case .notStarted(let reason, _): "curl could not be started: \(reason)"
    }
  }
}

/// An error that reports that the program `curl` is missing.
struct MissingCurl: MissingPrecondition, Hashable, CustomStringConvertible {
  /// The error message: the problem and its fix.
  var description: String {
    "there is no program \"curl\" in PATH to send the request: install curl, or add its directory to PATH"
  }
}
