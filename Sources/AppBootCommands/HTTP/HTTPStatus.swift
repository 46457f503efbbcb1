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
    for (index, value) in values.enumerated() {
      check(value, isIn: 100...599, at: values.count == 1 ? [place] : [place, .index(index)])
    }
  }

  /// Rejects a number that is out of a range.
  mutating func check(_ number: Int, isIn range: ClosedRange<Int>, at places: [Place]) {
    guard !range.contains(number) else { return }
    let (least, most) = (range.lowerBound, range.upperBound)
    reject("must be a whole number from \(least) to \(most), not \(number)", at: places)
  }
}
