/// The facts about recorded launches that conditions use. A command of the manifest records launches.
package struct RecordedLaunches: Sendable, Hashable {
  /// The number that this launch gets when it is recorded. The first recorded launch has the number 1.
  package let number: Int
  /// The version of this launch; `nil` if it has none.
  package let version: String?
  /// The version of the last recorded launch that has one; `nil` if none has.
  package let lastVersion: String?
  /// True if ``version`` is newer than ``lastVersion``.
  package let isUpgrade: Bool

  package init(number: Int, version: String?, lastVersion: String?, isUpgrade: Bool) {
    self.number = number
    self.version = version
    self.lastVersion = lastVersion
    self.isUpgrade = isUpgrade
  }
}
