/// The facts about the launches that a command of the manifest records, for conditions.
package struct RecordedLaunches: Sendable, Hashable {
  /// The number of this launch among the recorded ones, from 1, as if it were recorded already.
  package let number: Int
  /// The version of this launch; `nil` if it has none.
  package let version: String?
  /// The version of the last recorded launch; `nil` if it has none.
  package let lastVersion: String?
  /// True if the version is newer than the last one.
  package let isUpgrade: Bool

  package init(number: Int, version: String?, lastVersion: String?, isUpgrade: Bool) {
    self.number = number
    self.version = version
    self.lastVersion = lastVersion
    self.isUpgrade = isUpgrade
  }
}
