import AppBoot
import AppBootRecords
import AppBootReports

/// The launches of a directory of records: the newest ones, and the summary of all.
struct RecordedLaunches {
  /// The maximum number of launches that are shown one by one, which is also that of a history.
  static let most = HistoryLimits.keepRange.upperBound

  /// The newest launches, oldest first.
  let newest: [LaunchSummary]
  /// The numbers of all launches, or of the last ones that were selected.
  let summary: HistorySummary

  /// Returns whether a directory has records and is not a state directory.
  static func isSource(_ directory: String) -> Bool {
    !RecordArchive.isState(directory) && (try? KeptLaunches.all(in: directory).isEmpty) == true
      && (try? RecordArchive.list(directory).isEmpty) == false
  }

  /// Reads the records one file after the other, and stores only their summaries.
  ///
  /// - Parameters:
  ///   - last: The number of newest launches to select; `nil` for all.
  ///   - label: The name of the label to group by; `nil` for no groups.
  /// - Throws: The same errors as ``RecordSets/read(_:warn:)``.
  init(directory: String, last: Int?, by label: String?, warn: (String) -> Void) throws {
    let limit = last ?? Self.most
    var launches: [LaunchSummary] = []
    var all = HistorySummary(by: label)
    var names: Set<String> = []
    try RecordSets.forEachFile(in: directory, warn: warn) { records in
      let read = records.map { LaunchSummary($0) }
      if last == nil { for launch in read { all.add(launch) } }
      names.formUnion(read.map(\.name))
      launches += read
      if launches.count / 2 > limit { launches = Self.newest(limit, of: launches) }
    }
    if names.count > 1 {
      warn("\(directory) has launches of \(names.sorted().listed(atMost: 4)), which are counted together")
    }
    launches = Self.newest(limit, of: launches)
    newest = launches.suffix(Self.most)
    summary = last == nil ? all : HistorySummary(of: launches, by: label)
  }

  private static func newest(_ count: Int, of launches: [LaunchSummary]) -> [LaunchSummary] {
    launches.sorted { $0.startedAt < $1.startedAt }.suffix(count)
  }
}

extension LaunchDifference {
  /// Compares a launch with the launches before it in the history of its manifest.
  ///
  /// Returns `nil` if there is no significant difference, or no history. Reads no file for a short launch.
  ///
  /// - Parameter directory: The state directory; `nil` for none.
  init?(of record: LaunchRecord, in directory: String?) {
    guard let directory, record.succeeded, record.elapsedTime >= Self.shortest else { return nil }
    let launch = LaunchSummary(record)
    let history = KeptLaunches(directory: directory, manifest: record.outline.manifestName)
    // Launches that failed or ran other steps are between those that count.
    self.init(of: launch, from: history.last(2 * Self.base, before: launch))
  }
}
