import AppBootSystem

/// Access to stored records: one from a file, or all of a folder.
///
/// A record is stored as its JSON (`run --record FILE`), or as the journal of its launch (the state directory's
/// `records/`), which has the same information. Reading changes no file.
package enum RecordArchive {
  /// The subfolder of a state directory that holds the last launches.
  package static let folder = "records"
  /// The number of launches that a state directory holds.
  package static let capacity = 20

  /// A stored record.
  package struct Entry: Sendable {
    /// The file.
    package let path: String
    /// The record.
    package let record: StartupRecord
    /// The lines of a journal that could not be read; usually empty.
    package let damage: [Journal.Damage]
    /// True if the launch did not reach its end: its process was killed or crashed.
    package let isUnfinished: Bool
  }

  /// Reads a record from a file: a record's JSON, or a journal.
  ///
  /// - Throws: ``RecordError``.
  package static func read(_ path: String) throws(RecordError) -> Entry {
    let bytes: [UInt8]
    do {
      bytes = try path == "-" ? FileSystem.readStandardInput() : FileSystem.readFile(path)
    } catch {
      throw .unreadable(file: path, reason: error.description)
    }
    return try read(SourceText(name: path == "-" ? SourceText.standardInput : path, bytes: bytes))
  }

  /// Reads a record from its text: a record's JSON, or a journal.
  ///
  /// - Throws: ``RecordError``.
  package static func read(_ source: SourceText) throws(RecordError) -> Entry {
    guard isJournal(source) else {
      let record = try StartupRecord(json: source)
      return Entry(path: source.name, record: record, damage: [], isUnfinished: false)
    }
    let journal = try Journal(source)
    return Entry(
      path: source.name, record: journal.record, damage: journal.damage, isUnfinished: !journal.hasEnded)
  }

  /// Returns the files of a folder that may be records, the oldest first if their names contain the time.
  ///
  /// For a state directory it lists `records/`. Names that begin with a dot, and names that do not end in `.json` or
  /// `.jsonl`, are left out.
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

  /// Returns the path of the journal that a crashed launch left in a state directory; `nil` if no journal is left, or
  /// if a launch runs now.
  ///
  /// The crashed launch is newer than all stored records, and the next launch stores its journal. A launch that ended
  /// leaves its journal too if its record could not be stored.
  package static func unfinished(in directory: String) -> String? {
    let path = LaunchHistory(directory: directory).journal
    guard let size = FileSystem.size(of: path), size > 0, !ExclusiveFile.isHeld(path) else { return nil }
    return path
  }

  /// Returns the event handlers that were running when a process crashed after its launch was stored.
  ///
  /// Empty if the process runs, or if its record is too large for a launch to read.
  package static func interruptedHandlers(in directory: String, process: Int32) -> [EventRecord] {
    LaunchHistory(directory: directory).interruptedHandlers(inProcess: process)
  }

  /// Returns whether a file is a stored launch. ``list(_:)`` returns these files in the order of their launches, even
  /// if the clock was set back.
  package static func isKept(_ path: String) -> Bool {
    LaunchHistory.isNameKept(FileSystem.lastComponent(path))
  }

  /// Returns whether a path is a folder.
  package static func isFolder(_ path: String) -> Bool { FileSystem.isDirectory(path) }

  private static func isRecordName(_ name: String) -> Bool {
    !name.hasPrefix(".") && (name.hasSuffix(".json") || name.hasSuffix(".jsonl"))
  }

  /// Returns whether the text's first line is a journal's; the first line of a formatted record is not JSON.
  private static func isJournal(_ source: SourceText) -> Bool {
    var lines = JournalLines(source)
    guard let line = lines.next(), let document = try? JSONDocument(parsing: line.text) else { return false }
    return document.root["format"]?.string == Journal.formatName
  }
}
