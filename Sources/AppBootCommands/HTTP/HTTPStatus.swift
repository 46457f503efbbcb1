import AppBoot

/// A namespace for the checks of HTTP statuses in a manifest (RFC 9110, 15).
enum HTTPStatus {
  /// The schema of one status or of a list of statuses.
  static var oneOrMore: ParameterSchema {
    let status = ParameterSchema.integer(minimum: 100, maximum: 599)
    return .optional(.anyOf([status, .nonEmpty(.array(status))]))
  }

  /// Returns an error message for an invalid status; `nil` if all statuses are valid.
  static func problem(with status: OneOrMore<Int>?) -> String? {
    guard let status, !status.values.allSatisfy((100...599).contains) else { return nil }
    return "give a status from 100 to 599, or a list of them"
  }
}
