package import AppBoot

/// A list of comparisons that a version must satisfy: `">=3.11"`, `">=3.11 <4"`.
package struct VersionRequirement: Sendable, Hashable {
  /// The requirement as written in the manifest.
  package let text: String
  private let comparisons: [Comparison]

  private struct Comparison: Sendable, Hashable {
    let relation: String
    let numbers: [Int]

    /// Returns whether a version satisfies the comparison.
    ///
    /// Compares only as many parts of the version as ``numbers`` has. A part that the version lacks counts as 0.
    func holds(for version: [Int]) -> Bool {
      let found = numbers.indices.map { $0 < version.count ? version[$0] : 0 }
      let isLess = found.lexicographicallyPrecedes(numbers)
      return switch relation {
      case ">=": !isLess
      case "<": isLess
      case "<=": isLess || found == numbers
      case ">": !isLess && found != numbers
      default: found == numbers
      }
    }
  }

  /// Parses comparisons that are separated by spaces or commas; returns `nil` for invalid text.
  package init?(_ text: String) {
    var rest = text.utf8.drop { $0 == 0x20 }
    var comparisons: [Comparison] = []
    while !rest.isEmpty {
      let relation = String(Substring(rest.prefix { "<>=".utf8.contains($0) }))
      rest = rest.dropFirst(relation.utf8.count).drop { $0 == 0x20 }
      let version = String(Substring(rest.prefix { $0 == UInt8(ascii: ".") || ($0 >= 0x30 && $0 <= 0x39) }))
      rest = rest.dropFirst(version.utf8.count)
      let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard [">=", "<=", ">", "<", "="].contains(relation), !parts.contains(nil) else { return nil }
      comparisons.append(Comparison(relation: relation, numbers: parts.compactMap(\.self)))
      let separator = rest.prefix { $0 == 0x20 || $0 == UInt8(ascii: ",") }
      guard rest.isEmpty || !separator.isEmpty else { return nil }
      rest = rest.dropFirst(separator.count)
    }
    guard !comparisons.isEmpty else { return nil }
    (self.text, self.comparisons) = (text, comparisons)
  }

  /// Returns whether a version satisfies all comparisons.
  func fits(_ version: [Int]) -> Bool { comparisons.allSatisfy { $0.holds(for: version) } }

  /// Returns the parts of the first dotted number in a text. Without one, returns the first number as the only part.
  ///
  /// Returns `nil` if the text has no number.
  static func version(in text: String) -> [Int]? {
    let words = text.utf8.split { $0 != UInt8(ascii: ".") && !($0 >= 0x30 && $0 <= 0x39) }
    var first: [Int]?
    for word in words {
      let numbers = word.split(separator: UInt8(ascii: ".")).compactMap { Int(String(Substring($0))) }
      if numbers.count > 1 { return numbers }
      if !numbers.isEmpty { first = first ?? numbers }
    }
    return first
  }
}

extension VersionRequirement: ParameterValue {
  /// Comparisons as text.
  package static var parameterType: ParameterType<VersionRequirement> {
    let comparison = #"(>=|<=|>|<|=) *[0-9]+(\.[0-9]+)*"#
    let schema = ParameterSchema.pattern(
      "^ *\(comparison)([ ,]+\(comparison))*[ ,]*$", describedAs: "a version requirement such as \">=3.11\"")
    return ParameterType(schema, placeholder: VersionRequirement()) { json, reader in
      guard let text = reader.text(json) else { return nil }
      return VersionRequirement(text)
        ?? reader.reject(
          "\"\(text)\" is not a version requirement: write a comparison with >=, >, <=, < or =, "
            + "as in \">=3.11\"", json)
    }
  }

  private init() { (text, comparisons) = ("", []) }
}
