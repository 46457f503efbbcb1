package import AppBoot
import AppBootSystem

/// The last launches in a state directory: the records under `records/`, and the journal of a crashed launch.
struct LaunchHistory: Sendable {
  let directory: String
  /// The path of the manifest whose crashes count; `nil` for a launch without a file.
  var manifest: String?

  /// The maximum size of a journal that is read: about 100,000 steps. Reading a larger one would delay a launch.
  static let mostBytes = 64 << 20

  /// The path of the journal of a launch that is running or has crashed.
  var journal: String { FileSystem.join(directory, "journal.jsonl") }
  /// The path for a journal that cannot be read at all or cannot be stored. Only the last such journal remains.
  var damagedJournal: String { FileSystem.join(directory, "journal.damaged") }
  private var folder: String { FileSystem.join(directory, RecordArchive.folder) }

  /// The path of the file with crash markers, one on each line. It exists from a crash to the next healthy launch.
  ///
  /// If it does not exist, a launch need not read records.
  var crashMarkerPath: String {
    FileSystem.join(directory, ManifestScope.name("journal.crashed", of: manifest))
  }

  /// True if no other user can have changed the directory.
  var isTrusted: Bool { (try? FileSystem.checkOwn(directory: directory)) != nil }

  // MARK: - Keeping

  /// Stores the journal of a launch that has ended as a record, and removes the oldest records.
  ///
  /// Records to which a running app still adds event handlers are not removed.
  func keep(_ file: ExclusiveFile, stamp: String, process: Int32) throws(SystemError) {
    try FileSystem.checkOwn(directory: folder, followingLinks: false)
    let names = namesKept()
    let place = FileSystem.join(folder, Self.name(stamp, process, after: names.last))
    do throws(SystemError) {
      try file.rename(to: place)
    } catch  where error.isNotFound {
      try FileSystem.createDirectory(folder, mode: 0o700)
      try file.rename(to: place)
    }
    for name in names.dropLast(RecordArchive.capacity - 1) {
      let path = FileSystem.join(folder, name)
      if !ExclusiveFile.isHeld(path) { try? FileSystem.remove(path) }
    }
  }

  /// Returns a file name that sorts after the last one.
  ///
  /// If the wall clock did not advance or was set back, the name continues from the last launch:
  /// `20260101T000000.000Z.00000001-77.jsonl`.
  private static func name(_ stamp: String, _ process: Int32, after last: String?) -> String {
    let name = "\(stamp)-\(process).jsonl"
    guard let last, last >= name, let end = last.firstIndex(of: "Z") else { return name }
    var digits: Substring = ""
    if last[end...].hasPrefix("Z.") { digits = last[end...].dropFirst(2).prefix { $0.isNumber } }
    let count = (Int(digits.prefix(8)) ?? 0) + 1
    return "\(last[...end]).\(count.digits(8))-\(process).jsonl"
  }

  /// Returns the paths of the stored launches, oldest first. Files with other names are ignored.
  ///
  /// Returns an empty array if another user may have changed the directory.
  func kept() -> [String] {
    guard (try? FileSystem.checkOwn(directory: folder, followingLinks: false)) != nil else { return [] }
    return namesKept().map { FileSystem.join(folder, $0) }
  }

  private func namesKept() -> [String] {
    ((try? FileSystem.list(folder)) ?? []).filter(RecordArchive.isKept)
  }

  // MARK: - The launch guard

  /// True if a launch has crashed since the last healthy launch.
  var hasCrashes: Bool { FileSystem.exists(crashMarkerPath) }

  /// Updates the crash markers for a launch that has ended.
  ///
  /// If it crashed, adds a marker. If it was healthy, removes all markers, unless its user excluded a step that
  /// crashed.
  func note(_ journal: Journal) {
    var history = self
    // The launch that finds it may be of another manifest.
    history.manifest = journal.record.outline.manifestName
    switch EndedLaunch(of: journal) {
    case .crashed(let running): history.mark(CrashMarker(of: journal, running: running))
    case .healthy(let excluded):
      if !excluded.isEmpty, history.crashesSinceHealthy().haveAny(of: excluded) { return }
      try? FileSystem.remove(history.crashMarkerPath)
    case .neutral: break
    }
  }

  private func mark(_ crash: CrashMarker) {
    var crashes = crashesSinceHealthy()
    // A process that ended while it stored this journal has marked the crash before.
    if crashes.last != crash { crashes.append(crash) }
    do throws(SystemError) {
      try FileSystem.writeFile(
        atomically: CrashMarker.text(of: crashes), to: crashMarkerPath, mode: 0o600, followingLinks: false)
    } catch {
      // A full disk may still have room for an empty file. The records have the crashes that are not marked.
      if hasCrashes { return }
      try? FileSystem.writeFile(atomically: [], to: crashMarkerPath, mode: 0o600, followingLinks: false)
    }
  }

  /// Updates the crash markers with the launch of the journal in the state directory, as ``note(_:)`` does. If that
  /// launch has not ended, does nothing.
  func noteJournal() {
    guard let journal = readJournal(journal), journal.hasEnded else { return }
    note(journal)
  }

  /// Returns the launches since the last healthy one, oldest first. Only the last one may be healthy.
  func launchesSinceHealthy() -> [EndedLaunch] {
    let crashes = crashesSinceHealthy()
    let launches = crashes.map { EndedLaunch.crashed(in: $0.running) }
    guard !ExclusiveFile.isHeld(journal), let last = readJournal(journal), isOwn(last),
      crashes.last?.isOf(last) != true
    else { return launches }
    return launches + [EndedLaunch(of: last)]
  }

  /// Returns the crashes that have markers, and after them the later ones that only records have.
  private func crashesSinceHealthy() -> [CrashMarker] {
    let noted = CrashMarker.read(crashMarkerPath)
    var later: [Journal] = []
    for path in kept().reversed() {
      guard let journal = readJournal(path), isOwn(journal) else { continue }
      if noted.contains(where: { $0.isOf(journal) }) { break }
      later.append(journal)
      // It clears all crashes before it.
      if EndedLaunch(of: journal) == .healthy() { break }
    }
    return later.reversed().reduce(into: noted) { crashes, journal in
      switch EndedLaunch(of: journal) {
      case .crashed(let running): crashes.append(CrashMarker(of: journal, running: running))
      case .healthy(let excluded): if !crashes.haveAny(of: excluded) { crashes = [] }
      case .neutral: break
      }
    }
  }

  private func isOwn(_ journal: Journal) -> Bool {
    ManifestScope.isSame(journal.record.outline.manifestName, manifest)
  }

  /// Returns the journal at a path; `nil` if it does not exist, is too large, or cannot be read.
  func readJournal(_ path: String) -> Journal? {
    guard let bytes = try? FileSystem.readOwnFile(path, limit: Self.mostBytes) else { return nil }
    return try? Journal(SourceText(name: path, bytes: bytes))
  }
}

extension StartupRecord {
  /// The variables that all processes of this process's launch inherit, and no other process.
  package var processMarks: [String: String] {
    [GroupWatcher.launchVariable: LaunchID.of(startedAt: startedAt)]
  }
}
