import AppBootSystem

/// The last launches of a state directory: finished journals under `records/`, and what a dead one left.
struct LaunchHistory: Sendable {
  let directory: String

  /// The journal of the launch that runs now, or that did not reach its end.
  var journal: String { FileSystem.join(directory, "journal.jsonl") }
  /// Where a journal goes that cannot be read at all; the last one is kept.
  var damagedJournal: String { FileSystem.join(directory, "journal.damaged") }
  private var folder: String { FileSystem.join(directory, RecordArchive.folder) }

  /// Where the journal of a launch is kept: names sort by the moment it began.
  ///
  /// `nil` for a moment that is none, which would not be a file's name.
  func place(startedAt: String, process: Int32) -> String? {
    let stamp = startedAt.filter { $0 != "-" && $0 != ":" }
    let isStamp = stamp.utf8.allSatisfy { "0123456789TZ.".utf8.contains($0) }
    guard isStamp, stamp.utf8.count >= 16, stamp.utf8.count <= 40, stamp.hasSuffix("Z") else { return nil }
    return FileSystem.join(folder, "\(stamp)-\(process).jsonl")
  }

  /// Keeps a finished journal as a record, and lets go of the oldest ones beyond the capacity.
  func keep(_ file: ExclusiveFile, at place: String) throws(SystemError) {
    do throws(SystemError) {
      try file.rename(to: place)
    } catch  where error.isNotFound {
      try FileSystem.createDirectory(folder, mode: 0o700)
      try file.rename(to: place)
    }
    prune()
  }

  /// The launches that are kept, the oldest first; files that the tool did not name are not among them.
  func kept() -> [String] {
    let names = (try? FileSystem.list(folder)) ?? []
    return names.filter(Self.isOurs).map { FileSystem.join(folder, $0) }
  }

  private static func isOurs(_ name: String) -> Bool {
    name.utf8.count > 20 && name.hasSuffix(".jsonl")
      && name.utf8.prefix(8).allSatisfy { (48...57).contains($0) }
      && name.utf8.dropFirst(8).first == UInt8(ascii: "T")
  }

  private func prune() {
    let kept = kept()
    for path in kept.dropLast(RecordArchive.capacity) { try? FileSystem.remove(path) }
  }

  /// How the launches ended since the last healthy one, the oldest first.
  func factsSinceHealthy() -> [LaunchFacts] {
    var facts: [LaunchFacts] = []
    let isRunning = ExclusiveFile.isHeld(journal)
    for path in (isRunning ? [] : [journal]) + kept().reversed() {
      guard let bytes = try? FileSystem.readFile(path), !bytes.isEmpty,
        let journal = try? Journal(SourceText(name: path, bytes: bytes))
      else { continue }
      facts.append(LaunchFacts(of: journal))
      if facts.last?.ending == .healthy { break }
    }
    return facts.reversed()
  }
}
