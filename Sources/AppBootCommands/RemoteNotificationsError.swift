/// An error that prevents the registration for remote notifications, besides those of the request.
enum RemoteNotificationsError: Error, Sendable, Hashable {
  /// The stored token is damaged.
  case damagedToken(place: String)
  /// The provider answered with a status other than 2xx; with the first line of its response.
  case rejected(origin: String, status: Int, response: String)
}

extension RemoteNotificationsError: CustomStringConvertible {
  /// A sentence with the problem and the remedy.
  var description: String {
    switch self {
    case .damagedToken(let place):
      "\(place) is damaged: it must hold 64 hexadecimal digits; remove it, and the next launch makes a new token"
    case .rejected(let origin, let status, let response):
      "\(origin) answered with status \(status)" + (response.isEmpty ? "" : ": \(response)")
    }
  }
}
