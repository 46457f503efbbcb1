/// An error that prevents the registration for remote notifications. Errors of the request itself have other types.
enum RemoteNotificationsError: Error, Sendable, Hashable {
  /// The stored token is damaged.
  case damagedToken(place: String)
  /// The platform gives the token, but no push service is provided.
  case noPushService
  /// The provider answered with a status other than 2xx. `response` is the first line of the response's body.
  case rejected(origin: String, status: Int, response: String)
}

extension RemoteNotificationsError: CustomStringConvertible {
  /// The error message: the problem and its fix.
  var description: String {
    switch self {
    case .damagedToken(let place):
      "\(place) is damaged: it must hold 64 hexadecimal digits; remove it, and the next launch makes a new token"
    case .noPushService:
      "no push service is provided, and only Apple gives tokens here: use AppBootAppDelegate, or call "
        + "registry.provide(service, for: .pushService)"
    case .rejected(let origin, let status, let response):
      "\(origin) answered with status \(status)" + (response.isEmpty ? "" : ": \(response)")
    }
  }
}
