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
