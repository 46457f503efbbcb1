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

  /// The origin of the directory. Only crashes that were recorded with it count: a repository, an archive or a cache
  /// can contain others, which would make a launch skip steps.
  var origin: String? { FileSystem.origin(of: directory) }

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

  /// True if there are crash markers of another directory.
  var hasForeignMarkers: Bool {
    let origin = origin
    return CrashMarker.read(crashMarkerPath).contains { $0.origin != origin }
  }

  /// Returns whether a journal was written in this directory.
  func isFromHere(_ journal: Journal) -> Bool { journal.origin != nil && journal.origin == origin }

  /// Updates the crash markers for a launch that has ended in this directory.
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
    let origin = origin
    let noted = CrashMarker.read(crashMarkerPath).filter { $0.origin == origin }
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
    isFromHere(journal) && ManifestScope.isSame(journal.record.outline.manifestName, manifest)
  }

  /// Returns the journal at a path; `nil` if it does not exist, is too large, or cannot be read.
  func readJournal(_ path: String) -> Journal? {
    guard let bytes = try? FileSystem.readOwnFile(path, limit: Self.mostBytes) else { return nil }
    return try? Journal(SourceText(name: path, bytes: bytes))
  }
}

extension LaunchRecord {
  /// The variables that all processes of this process's launch inherit, and no other process.
  package var processMarks: [String: String] {
    [GroupWatcher.launchVariable: LaunchID.of(startedAt: startedAt)]
  }
}

/// A marker of a crashed launch. It is stored until a launch is healthy.
///
/// A marker is one line of JSON: `{"startedAt":"…","process":7,"origin":"…","running":["fonts"]}`.
struct CrashMarker: Sendable, Hashable {
  /// The maximum number of markers that are stored. The launch guard needs only the last ones.
  private static let most = 100
  /// The maximum number of steps that a marker stores. More steps may have been running at the same time.
  private static let mostSteps = 1000
  /// The maximum size of the file in bytes. The oldest markers are dropped first.
  private static let mostBytes = 4 << 20

  /// The time at which the launch began. With the process, it identifies the launch, even if the clock does not
  /// advance.
  let startedAt: String
  /// The process identifier of the launch; `nil` if its journal does not have it.
  let process: Int32?
  /// The origin of the state directory; `nil` if the marker does not have it.
  let origin: String?
  /// The ids of the steps that were running at the crash, in manifest order.
  let running: [String]

  /// The marker as a line of JSON with its line feed.
  private var line: [UInt8] {
    JSONWriter.line { writer in
      writer.member("startedAt", startedAt)
      if let process { writer.member("process", process) }
      if let origin { writer.member("origin", origin) }
      writer.member("running", running)
    }
  }

  /// Returns the content of a file with markers. If there are too many, the oldest ones are dropped.
  ///
  /// - Parameter notes: The markers, oldest first.
  static func text(of notes: [CrashMarker]) -> [UInt8] {
    var lines: [[UInt8]] = []
    var count = 0
    for note in notes.suffix(most).reversed() {
      let line = note.line
      count += line.count
      if count > mostBytes { break }
      lines.append(line)
    }
    return lines.reversed().flatMap(\.self)
  }

  /// Returns the markers in a file, oldest first; empty if the file cannot be read. Lines that are not markers are
  /// skipped.
  static func read(_ path: String) -> [CrashMarker] {
    guard let bytes = try? FileSystem.readOwnFile(path, limit: mostBytes) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { CrashMarker(line: Array($0)) }
  }

  init(startedAt: String, process: Int32?, origin: String?, running: [String]) {
    self.startedAt = startedAt
    self.process = process
    self.origin = origin
    self.running = Array(running.prefix(Self.mostSteps))
  }

  private init?(line: [UInt8]) {
    guard let document = try? JSONDocument(parsing: SourceText(name: "", bytes: line)),
      let startedAt = document.root["startedAt"]?.string, let running = document.root["running"],
      running.kind == .array
    else { return nil }
    let process = try? document.root["process"]?.integer(as: Int32.self)
    self.init(
      startedAt: startedAt, process: process, origin: document.root["origin"]?.string,
      running: running.elements.compactMap(\.string))
  }

  /// Creates the marker of a crashed launch.
  init(of journal: Journal, running: [String]) {
    self.init(
      startedAt: journal.record.startedAt, process: journal.process, origin: journal.origin, running: running)
  }

  /// Returns whether the marker and a journal are of the same launch.
  func isOf(_ journal: Journal) -> Bool {
    startedAt == journal.record.startedAt && process == journal.process
  }
}

extension [CrashMarker] {
  /// Returns whether at least one of the steps was running during one of the crashes.
  func haveAny(of steps: Set<String>) -> Bool { contains { $0.running.contains(where: steps.contains) } }
}

extension LaunchID {
  /// Returns the start time of a launch as the first part of its id; `nil` if the time is malformed.
  package static func stamp(of startedAt: String) -> String? {
    let stamp = compact(startedAt)
    return isStamp(stamp.utf8) ? stamp : nil
  }

  /// Returns true for the first part of an id.
  package static func isStamp(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    (16...40).contains(text.count) && text.last == UInt8(ascii: "Z")
      && text.prefix(8).allSatisfy { (48...57).contains($0) }
      && text.dropFirst(8).first == UInt8(ascii: "T")
      && text.dropFirst(9).dropLast().allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
  }
}
