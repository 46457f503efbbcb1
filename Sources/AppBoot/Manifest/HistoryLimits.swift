/// The limits of the history of a manifest's launches.
package struct HistoryLimits: Sendable, Hashable {
  /// The valid numbers of launches. The file of the largest history of 5,000 steps has about 50 MB.
  package static let keepRange = 1...1000
  /// The valid ages in days.
  package static let dayRange = 1...3650

  /// The number of launches that are kept.
  package var keep: Int
  /// The age in days after which a launch is removed; `nil` for no limit.
  package var maxDays: Int?

  /// Creates limits.
  package init(keep: Int = 200, maxDays: Int? = nil) {
    (self.keep, self.maxDays) = (keep, maxDays)
  }
}

extension ManifestReader {
  private static let historyKeys = ["keep", "maxDays"]

  /// Reads `history`, which is an object.
  mutating func readHistory(_ value: JSONValue) {
    guard value.kind == .object else {
      let help = #"write { "keep": 200 }"#
      return report("\"history\" must be an object, not \(value.kind)", value.range, help: help)
    }
    for (key, value) in value.members {
      switch key.string {
      case "keep": manifest.history.keep = readCount(value, "keep", HistoryLimits.keepRange) ?? 200
      case "maxDays": manifest.history.maxDays = readCount(value, "maxDays", HistoryLimits.dayRange)
      case let name: checkUnknown(name, key.range, among: Self.historyKeys, of: "\"history\"")
      }
    }
  }

  /// Reads a whole number. Reports any other value, and returns `nil`.
  mutating func readCount(_ value: JSONValue, _ key: String, _ range: ClosedRange<Int>) -> Int? {
    if value.kind == .number, let count = try? value.integer(as: Int.self), range.contains(count) {
      return count
    }
    report(
      "\"\(key)\" must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(value.found)",
      value.range)
    return nil
  }
}
