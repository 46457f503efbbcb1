import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A launch that another process runs now, as its journal shows it.
struct RunningLaunch {
  private let entry: RecordArchive.Entry
  private let directory: String
  private var record: StartupRecord { entry.record }

  /// Reads the journal of a state directory. Returns `nil` if no launch runs there.
  ///
  /// - Throws: ``StayError`` if the journal cannot be read, or if the launch has another manifest.
  init?(of source: StateSource) throws(StayError) {
    let running: RecordArchive.Entry?
    do throws(RecordError) {
      running = try RecordArchive.running(in: source.directory)
    } catch {
      throw .damagedJournal(reason: error.summary)
    }
    guard let entry = running, entry.isUnfinished else { return nil }
    let name = entry.record.outline.manifestName
    if let manifest = source.manifest, !ManifestScope.isSame(manifest, name) {
      throw .otherManifest(
        name ?? "a manifest without a file", asked: manifest, directory: source.directory)
    }
    (self.entry, directory) = (entry, source.directory)
  }

  /// Returns the running and the waiting steps as text, with the time that is left.
  func text(_ style: TextStyle) -> String {
    let start = WallClock.nanoseconds(of: record.startedAt) ?? WallClock.now()
    let time = max(0, WallClock.now() - start)
    let medians = RecentDurations.medians(
      in: DirectoryStateStore(path: directory), of: record.outline.manifestName)
    let left = RemainingTime(medians: medians).estimate(record, at: time)
    let text = LiveExplanation(style: style).text(of: record, at: time, left: left)
    guard let damage = entry.damage.words else { return text }
    return text
      + style.wrapped("  \(style.visible("\(entry.path) is damaged; skipping \(damage)"))", indent: 4)
      + "\n"
  }

  /// The text without the times that change although no event happens.
  var timelessText: String { LiveExplanation(style: TextStyle()).text(of: record, at: 0) }

  /// The record so far as JSON.
  var json: String { record.json(pretty: false) }
}
