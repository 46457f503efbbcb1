import AppBoot

/// A namespace for the schema of HTTP statuses in a manifest (RFC 9110, 15).
enum HTTPStatus {
  /// The schema of one status or of a list of statuses.
  static var oneOrMore: ParameterSchema {
    let status = ParameterSchema.integer(minimum: 100, maximum: 599)
    return .optional(.anyOf([status, .nonEmpty(.array(status))]))
  }
}

extension ParameterValidation {
  /// Rejects invalid statuses. Each error is reported at its status.
  mutating func checkStatus(_ status: OneOrMore<Int>?, at place: Place) {
    let values = status?.values ?? []
    for (index, value) in values.enumerated() where !(100...599).contains(value) {
      reject(
        "must be a whole number from 100 to 599, not \(value)",
        at: values.count == 1 ? [place] : [place, .index(index)])
    }
  }
}
