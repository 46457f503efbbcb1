import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

extension LaunchDifference {
  /// Compares a launch with the launches before it in the history of its manifest.
  ///
  /// Returns `nil` if there is no significant difference, or no history. Reads no file for a short launch.
  ///
  /// - Parameter directory: The state directory; `nil` for none.
  init?(of record: StartupRecord, in directory: String?) {
    guard let directory, record.succeeded, record.elapsedTime >= Self.shortest else { return nil }
    let launch = LaunchSummary(record)
    let history = KeptLaunches(directory: directory, manifest: record.outline.manifestName)
    // Launches that failed or ran other steps are between those that count.
    self.init(of: launch, from: history.last(2 * Self.base, before: launch))
  }
}
