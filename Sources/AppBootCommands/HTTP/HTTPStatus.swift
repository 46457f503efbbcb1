import AppBoot

/// The statuses of HTTP (RFC 9110, 15) in a manifest.
enum HTTPStatus {
  /// The schema of a status, or of a list of them.
  static var oneOrMore: ParameterSchema {
    let status = ParameterSchema.integer(minimum: 100, maximum: 599)
    return .optional(.anyOf([status, .nonEmpty(.array(status))]))
  }

  /// Returns the mistake in statuses; `nil` if there is none.
  static func problem(with status: OneOrMore<Int>?) -> String? {
    guard let status, !status.values.allSatisfy((100...599).contains) else { return nil }
    return "give a status from 100 to 599, or a list of them"
  }
}
