import AppBootSystem

/// The last launches of a state directory: finished journals under `records/`, and what a dead one left.
struct LaunchHistory: Sendable {
  let directory: String

  /// Journals of more bytes are not read: no launch waits for that. It is room for some 100,000 steps.
  static let mostBytes = 64 << 20

  /// The journal of the launch that runs now, or that did not reach its end.
  var journal: String { FileSystem.join(directory, "journal.jsonl") }
  /// Where a journal goes that cannot be read at all; the last one is kept.
  var damagedJournal: String { FileSystem.join(directory, "journal.damaged") }
  private var folder: String { FileSystem.join(directory, RecordArchive.folder) }

  /// Stands there from a launch's death to the next healthy launch, a line for each death: whoever does not see it need not
  /// read records, which only reach back so far.
  var crashMarkerPath: String { FileSystem.join(directory, "journal.died") }

  // MARK: - Keeping

  /// The moment a launch began, as the name of its record begins; `nil` for a moment that is none.
  static func stamp(of startedAt: String) -> String? {
    let stamp = startedAt.filter { $0 != "-" && $0 != ":" }
    return stamp.withBytes { isStamp($0[...]) } ? stamp : nil
  }

  private static func isStamp(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    (16...40).contains(text.count) && text.last == UInt8(ascii: "Z")
      && text.prefix(8).allSatisfy { (48...57).contains($0) }
      && text.dropFirst(8).first == UInt8(ascii: "T")
      && text.dropFirst(9).dropLast().allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
  }

  /// Keeps a finished journal as a record, and lets go of the oldest ones beyond the capacity; of none that an app that
  /// stays still writes its lists into.
  func keep(_ file: ExclusiveFile, stamp: String, process: Int32) throws(SystemError) {
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

  /// A name that sorts behind the last one, also where the wall clock stood still or went back meanwhile: then
  /// the last launch's moment is counted on, `20260101T000000.000Z.00000001-77.jsonl`.
  private static func name(_ stamp: String, _ process: Int32, after last: String?) -> String {
    let name = "\(stamp)-\(process).jsonl"
    guard let last, last >= name, let end = last.firstIndex(of: "Z") else { return name }
    var digits: Substring = ""
    if last[end...].hasPrefix("Z.") { digits = last[end...].dropFirst(2).prefix { $0.isNumber } }
    let count = String((Int(digits.prefix(8)) ?? 0) + 1)
    return
      "\(last[...end]).\(String(repeating: "0", count: max(0, 8 - count.count)))\(count)-\(process).jsonl"
  }

  /// The launches that are kept, the oldest first; files that the tool did not name are not among them.
  func kept() -> [String] {
    namesKept().map { FileSystem.join(folder, $0) }
  }

  private func namesKept() -> [String] {
    ((try? FileSystem.list(folder)) ?? []).filter(Self.isNameKept)
  }

  /// Whether a launch that was kept has such a name: these sort by their launches, whatever the clock said.
  static func isNameKept(_ name: String) -> Bool {
    name.withBytes { name in
      guard name.suffix(6).elementsEqual(".jsonl".utf8), let end = name.firstIndex(of: UInt8(ascii: "Z"))
      else {
        return false
      }
      return isStamp(name[...end])
    }
  }

  /// The lists of events that were under way when a process died whose launch was kept; none where it still has the file.
  func listsInterrupted(inProcess process: Int32) -> [EventRecord] {
    guard let path = kept().last(where: { $0.hasSuffix("-\(process).jsonl") }), !ExclusiveFile.isHeld(path)
    else {
      return []
    }
    return readJournal(path)?.runningLists ?? []
  }

  // MARK: - The launch guard

  /// Whether a launch died since the last healthy one.
  var hasCrashes: Bool { FileSystem.exists(crashMarkerPath) }

  /// Remembers a death until a launch is healthy.
  func note(_ journal: Journal) {
    switch LaunchFacts(of: journal).ending {
    case .died(let running): note(CrashMarker(startedAt: journal.record.startedAt, running: running))
    case .healthy: try? FileSystem.remove(crashMarkerPath)
    case .neutral: break
    }
  }

  private func note(_ death: CrashMarker) {
    var deaths = crashesSinceHealthy()
    // A process that ended while it put this journal away has noted it before.
    if deaths.last != death { deaths.append(death) }
    do throws(SystemError) {
      try FileSystem.writeFile(atomically: CrashMarker.text(of: deaths), to: crashMarkerPath, mode: 0o600)
    } catch {
      // On a full disk there may still be room for an empty one. What is not noted the records tell.
      if !hasCrashes { try? FileSystem.writeFile(atomically: [], to: crashMarkerPath, mode: 0o600) }
    }
  }

  /// Clears the deaths if the launch whose journal stands there was healthy.
  func noteJournal() {
    guard let journal = readJournal(journal), journal.hasEnded else { return }
    note(journal)
  }

  /// How the launches ended since the last healthy one, the oldest first; none of them was healthy but the last.
  func factsSinceHealthy() -> [LaunchFacts] {
    let deaths = crashesSinceHealthy()
    let facts = deaths.map { LaunchFacts(.died(in: $0.running)) }
    guard !ExclusiveFile.isHeld(journal), let last = readJournal(journal),
      deaths.last?.startedAt != last.record.startedAt
    else { return facts }
    return facts + [LaunchFacts(of: last)]
  }

  /// The deaths that were noted, and after them those in the records that could not be.
  private func crashesSinceHealthy() -> [CrashMarker] {
    let noted = CrashMarker.read(crashMarkerPath)
    var later: [CrashMarker] = []
    for path in kept().reversed() {
      guard let journal = readJournal(path) else { continue }
      if noted.contains(where: { $0.startedAt == journal.record.startedAt }) { break }
      switch LaunchFacts(of: journal).ending {
      // Healthy after what was noted: that could not be taken back.
      case .healthy: return later.reversed()
      case .died(let running):
        later.append(CrashMarker(startedAt: journal.record.startedAt, running: running))
      case .neutral: continue
      }
    }
    return noted + later.reversed()
  }

  /// A journal; `nil` where there is none, or none that can be read in reasonable time.
  private func readJournal(_ path: String) -> Journal? {
    // A pipe would be waited for.
    guard FileSystem.kind(of: path) == .regular,
      let bytes = try? FileSystem.readFile(path, limit: Self.mostBytes)
    else { return nil }
    return try? Journal(SourceText(name: path, bytes: bytes))
  }
}
