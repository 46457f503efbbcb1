import AppBoot
import AppBootSystem

/// The error of a `curl` request without a response. The first value of most cases is the request in words.
enum CurlError: Error, Sendable, Hashable {
  /// The host's name has no address.
  case hostNotFound(String, reason: String)
  /// The server accepts no connections.
  case connectionRefused(String, reason: String)
  /// No response arrived in time.
  case timedOut(String, timeout: String)
  /// The connection was closed before the response was complete.
  case noResponse(String, reason: String)
  /// The connection could not be made secure.
  case notSecure(String, reason: String)
  /// The response is larger than the limit.
  case responseTooLarge(String, limit: Int)
  /// `curl` failed in another way; with its exit code (curl(1), "EXIT CODES") and message.
  case failed(String, code: Int, reason: String)
  /// A signal ended `curl`.
  case curlEnded(signal: String)
  /// `curl` could not be started; with the system's message.
  case notStarted(reason: String)
}

extension CurlError {
  /// Derives the error from the way curl ended; `nil` if it succeeded.
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
  /// A sentence with the request and the problem.
  var description: String {
    switch self {
    case .hostNotFound(let target, let reason): "\(target) was not found: \(reason)"
    case .connectionRefused(let target, let reason): "\(target) does not accept connections: \(reason)"
    case .timedOut(let target, let timeout): "\(target) did not answer within \(timeout)"
    case .noResponse(let target, let reason): "\(target) closed the connection without a response: \(reason)"
    case .notSecure(let target, let reason): "no secure connection to \(target): \(reason)"
    case .responseTooLarge(let target, let limit): "\(target) answered with more than \(limit) bytes"
    case .failed(let target, let code, let reason):
      "\(target) could not be reached: curl exited with code \(code): \(reason)"
    case .curlEnded(let signal): "curl was killed by \(signal)"
    case .notStarted(let reason): "curl could not be started: \(reason)"
    }
  }
}

/// The error for a missing `curl` program.
struct MissingCurl: MissingPrecondition, Hashable, CustomStringConvertible {
  /// The problem and the remedy.
  var description: String {
    "there is no program \"curl\" in PATH to send the request: install curl, or add its directory to PATH"
  }
}
