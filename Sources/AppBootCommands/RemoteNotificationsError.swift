import AppBootSystem

/// An error that prevents the registration for remote notifications.
enum RemoteNotificationsError: Error, Sendable, Hashable {
  /// The stored token is damaged.
  case damagedToken(place: String)
  /// A header's name or value is not allowed in HTTP; the value is not shown.
  case badHeader(name: String)
  /// There is no `curl` program.
  case curlNotFound
  /// The `curl` program could not be started; with the system's message.
  case curlNotStarted(reason: String)
  /// The provider answered with a status other than 2xx; with the first line of its answer.
  case rejected(origin: String, status: Int, answer: String)
  /// The provider's name has no address.
  case hostNotFound(origin: String, reason: String)
  /// The provider accepts no connections.
  case connectionRefused(origin: String, reason: String)
  /// There was no answer in time.
  case timedOut(origin: String, timeout: String)
  /// The connection was closed without an answer, or in its middle.
  case noAnswer(origin: String, reason: String)
  /// The connection could not be made secure.
  case notSecure(origin: String, reason: String)
  /// The answer is larger than the limit.
  case answerTooLarge(origin: String, limit: Int)
  /// `curl` failed in another way: its exit code (curl(1), "EXIT CODES") and its words.
  case failed(origin: String, code: Int, reason: String)
  /// A signal ended `curl`.
  case curlEnded(signal: String)
}

extension RemoteNotificationsError {
  /// Creates the error from the exit code or signal of `curl`; returns `nil` if the exit code is 0.
  init?(_ end: ProcessEnd, output: String, origin: String, timeout: String) {
    guard case .exited(let code) = end else {
      guard case .signalled(let signal) = end else { return nil }
      self = .curlEnded(signal: Signals.name(signal))
      return
    }
    let reason = CurlAnswer.reason(in: output)
    switch code {
    case 0: return nil
    case 5, 6: self = .hostNotFound(origin: origin, reason: reason)
    case 7: self = .connectionRefused(origin: origin, reason: reason)
    case 28: self = .timedOut(origin: origin, timeout: timeout)
    case 18, 52, 55, 56, 92, 95: self = .noAnswer(origin: origin, reason: reason)
    case 35, 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91, 98:
      self = .notSecure(origin: origin, reason: reason)
    case 63: self = .answerTooLarge(origin: origin, limit: CurlRequest.answerLimit)
    default: self = .failed(origin: origin, code: Int(code), reason: reason)
    }
  }
}

extension RemoteNotificationsError: CustomStringConvertible {
  /// A sentence with the problem and the remedy.
  var description: String {
    switch self {
    case .damagedToken(let place):
      "\(place) is damaged: it must hold 64 hexadecimal digits; remove it, and the next launch makes a new token"
    case .badHeader(let name):
      "the header \"\(name)\" is not allowed in HTTP: a name is letters, digits and any of !#$%&'*+-.^_`|~, "
        + "and a value is one line without control characters"
    case .curlNotFound:
      "there is no program \"curl\" in PATH, to call the provider with: install it, or leave out \"provider\""
    case .curlNotStarted(let reason):
      "curl could not be started: \(reason)"
    case .rejected(let origin, let status, let answer):
      "\(origin) answered with status \(status)" + (answer.isEmpty ? "" : ": \(answer)")
    case .hostNotFound(let origin, let reason):
      "\(origin) was not found: \(reason)"
    case .connectionRefused(let origin, let reason):
      "\(origin) does not accept connections: \(reason)"
    case .timedOut(let origin, let timeout):
      "\(origin) did not answer within \(timeout)"
    case .noAnswer(let origin, let reason):
      "\(origin) closed the connection without an answer: \(reason)"
    case .notSecure(let origin, let reason):
      "no secure connection to \(origin): \(reason)"
    case .answerTooLarge(let origin, let limit):
      "\(origin) answered with more than \(limit) bytes"
    case .failed(let origin, let code, let reason):
      "\(origin) could not be reached: curl exited with code \(code): \(reason)"
    case .curlEnded(let signal):
      "curl was killed by \(signal)"
    }
  }
}
