package import AppBoot
import AppBootSystem

/// A namespace for functions that read stored records: one from a file, or all of a directory.
///
/// A record is stored as its JSON (`run --record FILE`), or as the journal of its launch (the state directory's
/// `records/`), which has the same information. Reading changes no file.
package enum RecordArchive {
  /// The name of the directory with the last launches, inside of a state directory.
  package static let folder = "records"
  /// The maximum number of launches in a state directory.
  package static let capacity = 20

  /// A stored record.
  package struct Entry: Sendable {
    /// The path of the file.
    package let path: String
    /// The record.
    package let record: LaunchRecord
    /// The lines of a journal that could not be read; usually empty.
    package let damage: [Journal.Damage]
    /// True if the journal does not have the end of the launch, for example because its process was killed or crashed.
    package let isUnfinished: Bool
    /// The process of a journal; `nil` if it is unknown.
    package var process: Int32?
  }

  /// Reads a record from a regular file, which is a record's JSON or a journal. It does not follow a link.
  ///
  /// - Throws: ``RecordError`` if the file cannot be read, or is not a valid record or journal.
  package static func read(_ path: String) throws(RecordError) -> Entry {
    let bytes: [UInt8]
    do {
      bytes =
        try path == "-"
        ? FileSystem.readStandardInput() : FileSystem.readRegularFile(path, followingLinks: false)
    } catch {
      throw .unreadable(file: path, reason: error.description)
    }
    return try read(SourceText(name: path == "-" ? SourceText.standardInput : path, bytes: bytes))
  }

  /// Reads a record from a text, which is a record's JSON or a journal.
  ///
  /// - Throws: ``RecordError`` if the text is not a valid record or journal.
  package static func read(_ source: SourceText) throws(RecordError) -> Entry {
    guard isJournal(source) else {
      let record = try LaunchRecord(json: source)
      return Entry(path: source.name, record: record, damage: [], isUnfinished: false)
    }
    let journal = try Journal(source)
    var record = journal.record
    record.header.isLive = ExclusiveFile.isHeld(source.name)
    return Entry(
      path: source.name, record: record, damage: journal.damage, isUnfinished: !journal.hasEnded,
      process: journal.process)
  }

  /// Returns the paths of files in a directory that may be records. Names that contain the time sort oldest first.
  ///
  /// For a state directory it returns the files in `records/`. Names that begin with a dot, and names that do not end
  /// in `.json` or `.jsonl`, are left out.
  ///
  /// - Throws: ``RecordError/unreadable(file:reason:)``.
  package static func list(_ directory: String) throws(RecordError) -> [String] {
    let kept = FileSystem.join(directory, folder)
    let place = FileSystem.isDirectory(kept) ? kept : directory
    do {
      return try FileSystem.list(place).filter(isRecordName).map { FileSystem.join(place, $0) }
    } catch {
      throw .unreadable(file: place, reason: error.description)
    }
  }

  /// Returns the path of the journal of the running launch of a state directory, or of one that crashed.
  package static func journal(in directory: String) -> String { LaunchHistory(directory: directory).journal }

  /// Returns the path of the journal that a crashed launch left in a state directory.
  ///
  /// Returns `nil` if there is no such journal, or if a launch is running. The crashed launch is newer than all stored
  /// records, and the next launch stores its journal. A launch that ended also leaves its journal if its record could
  /// not be stored.
  package static func unfinished(in directory: String) -> String? {
    let path = LaunchHistory(directory: directory).journal
    guard let size = FileSystem.size(of: path), size > 0, !ExclusiveFile.isHeld(path) else { return nil }
    return path
  }

  /// Returns the record so far of the launch that is running with a state directory; `nil` if none is.
  ///
  /// - Parameter time: The nanoseconds to wait for the first line of a launch that has just begun.
  /// - Throws: ``RecordError`` if the journal of a running launch cannot be read.
  package static func running(
    in directory: String, within time: Int64 = 1_000_000_000
  ) throws(RecordError) -> Entry? {
    let path = LaunchHistory(directory: directory).journal
    // A launch holds its journal before the first line is written.
    let limit = MonotonicClock.deadline(after: time)
    while ExclusiveFile.isHeld(path), FileSystem.size(of: path) == 0, MonotonicClock.now() < limit {
      Thread.sleep(for: 1_000_000)
    }
    guard ExclusiveFile.isHeld(path), FileSystem.size(of: path) != 0 else { return nil }
    do throws(RecordError) {
      return try read(path)
    } catch {
      // The launch may have ended meanwhile.
      if ExclusiveFile.isHeld(path) { throw error }
      return nil
    }
  }

  /// Returns whether a launch is running with a state directory.
  package static func isRunning(in directory: String) -> Bool {
    ExclusiveFile.isHeld(LaunchHistory(directory: directory).journal)
  }

  /// Returns the record of the launch of the app that is running with a state directory; `nil` if none is.
  ///
  /// The app holds its record until it ends.
  package static func runningApp(in directory: String) -> LaunchRecord? {
    let history = LaunchHistory(directory: directory)
    return history.kept().first(where: ExclusiveFile.isHeld).flatMap(history.readJournal)?.record
  }

  /// Returns the event handlers that were running when a process crashed after its launch was stored.
  ///
  /// Returns an empty array if the process is running, or if its record is too large for a launch to read.
  package static func interruptedHandlers(in directory: String, process: Int32) -> [EventRecord] {
    let history = LaunchHistory(directory: directory)
    guard history.isTrusted, let path = history.kept().last(where: { $0.hasSuffix("-\(process).jsonl") }),
      !ExclusiveFile.isHeld(path)
    else { return [] }
    return history.readJournal(path)?.runningHandlers ?? []
  }

  /// Returns whether a file is a stored launch.
  ///
  /// The names of stored launches sort in the order of the launches, even if the clock was set back.
  package static func isKept(_ path: String) -> Bool {
    let name = FileSystem.lastComponent(path).utf8
    guard name.suffix(6).elementsEqual(".jsonl".utf8), let end = name.firstIndex(of: UInt8(ascii: "Z")) else {
      return false
    }
    return LaunchID.isStamp(name[...end])
  }

  /// Returns whether a directory has what launches store in a state directory.
  package static func isState(_ directory: String) -> Bool {
    FileSystem.isDirectory(FileSystem.join(directory, folder))
      || FileSystem.exists(LaunchHistory(directory: directory).journal)
  }

  /// Returns the state directory at a path or of the stored launch at a path; `nil` for other paths.
  package static func stateDirectory(of path: String) -> String? {
    guard path != "-" else { return nil }
    if isState(path) { return path }
    let place = FileSystem.directory(of: path)
    guard isKept(path), FileSystem.lastComponent(place) == folder else { return nil }
    return FileSystem.directory(of: place)
  }

  private static func isRecordName(_ name: String) -> Bool {
    !name.hasPrefix(".") && (name.hasSuffix(".json") || name.hasSuffix(".jsonl"))
  }

  /// Returns whether the first line of a text is that of a journal. The first line of an indented record is not JSON.
  private static func isJournal(_ source: SourceText) -> Bool {
    let first = JournalLine.all(of: source).first { _ in true }
    let document = first.flatMap { try? JSONDocument(parsing: $0.text) }
    return document?.root["format"]?.string == Journal.formatName
  }
}
