import AppBoot

/// A JSON value that a response must contain.
///
/// An expected object is contained in an object that has all of its members. Further members are allowed. All other
/// values must be equal.
struct JSONExpectation: Sendable {
  let value: JSONValue
  /// The secrets that are masked in messages.
  var secrets = Secrets()

  /// Returns a description of the first difference; `nil` if the response contains the expected value.
  func difference(from response: JSONValue) -> String? { difference(value, response, at: "") }

  private func difference(_ expected: JSONValue, _ found: JSONValue, at path: String) -> String? {
    if expected.kind == .object, found.kind == .object {
      return expected.members.lazy.compactMap { member -> String? in
        let path = path.isEmpty ? member.key.string : "\(path).\(member.key.string)"
        guard let value = found[member.key.string] else { return "without \"\(path)\"" }
        return difference(member.value, value, at: path)
      }.first
    }
    if Self.isEqual(expected, found) { return nil }
    let place = path.isEmpty ? "" : "\"\(path)\": "
    return "with \(place)\(shown(found)), expected \(shown(expected))"
  }

  private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard left.kind == right.kind else { return false }
    return switch left.kind {
    case .null: true
    case .bool: left.bool == right.bool
    case .string: left.string == right.string
    case .number: isSameNumber(left, right)
    case .array:
      left.elements.count == right.elements.count && zip(left.elements, right.elements).allSatisfy(isEqual)
    case .object:
      left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right[member.key.string].map { isEqual(member.value, $0) } ?? false
        }
    }
  }

  /// Returns whether two numbers have the same value, for example `1.0` and `10e-1`, as `Int64` or as `Double`.
  ///
  /// Numbers beyond the range of `Double` are equal only if their texts are.
  private static func isSameNumber(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if left.text == right.text { return true }
    if let left = Int64(left.text), let right = Int64(right.text) { return left == right }
    guard let left = try? left.double(), let right = try? right.double() else { return false }
    return left == right
  }

  /// Returns the JSON of a value for a message: on one line, shortened, and with secrets masked.
  private func shown(_ value: JSONValue) -> String {
    // Masked before the cut, because a part of a secret would not be recognized.
    let text = String(secrets.masking(value.text).map { $0.isNewline ? " " : $0 })
    return text.count > 80 ? "\(text.prefix(79))…" : text
  }
}
