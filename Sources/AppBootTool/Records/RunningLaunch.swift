import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A launch that another process runs now, as its journal shows it.
struct RunningLaunch {
  /// The record so far.
  private let record: StartupRecord
  private let directory: String

  /// Reads the journal of a state directory.
  ///
  /// Returns `nil` if no launch runs there, or only one of another manifest.
  init?(of source: StateSource) {
    guard let record = RecordArchive.running(in: source.directory), record.outcome == .running,
      source.manifest.map({ ManifestScope.isSame($0, record.outline.manifestName) }) ?? true
    else { return nil }
    (self.record, directory) = (record, source.directory)
  }

  /// Returns the running and the waiting steps as text, with the time that is left.
  func text(_ style: TextStyle) -> String {
    let start = WallClock.nanoseconds(of: record.startedAt) ?? WallClock.now()
    let time = max(0, WallClock.now() - start)
    let medians = RecentDurations.medians(
      in: DirectoryStateStore(path: directory), of: record.outline.manifestName)
    let left = RemainingTime(medians: medians).estimate(record, at: time)
    return LiveExplanation(style: style).text(of: record, at: time, left: left)
  }

  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("running", true)
      writer.key("launch")
      writer.raw(record.json(pretty: false).utf8)
    }
    return writer.text + "\n"
  }
}
