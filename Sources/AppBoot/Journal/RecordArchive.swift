import AppBootSystem

/// Records that were kept: one from a file, or all of a folder.
///
/// A record is kept as its JSON (`run --record FILE`) or as the journal of its launch, which adds up to the same
/// (the state directory's `records/`). Reading never changes what is kept.
public enum RecordArchive {
  /// The subfolder of a state directory that keeps the last launches.
  public static let folder = "records"
  /// How many launches a state directory keeps.
  public static let capacity = 20

  /// A record that was kept.
  public struct Entry: Sendable {
    /// The file.
    public let path: String
    /// The record.
    public let record: StartupRecord
    /// The lines of a journal that could not be read and are left out; empty for most.
    package let damage: [Journal.Damage]
    /// Whether the launch wrote a journal and did not reach its end: its process was killed, or crashed.
    public let isUnfinished: Bool
  }

  /// Reads a record from a file: a record's JSON, or a journal.
  ///
  /// - Throws: ``RecordError``.
  public static func read(_ path: String) throws(RecordError) -> Entry {
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
  public static func read(_ source: SourceText) throws(RecordError) -> Entry {
    guard isJournal(source) else {
      let record = try StartupRecord(json: source)
      return Entry(path: source.name, record: record, damage: [], isUnfinished: false)
    }
    let journal = try Journal(source)
    return Entry(
      path: source.name, record: journal.record, damage: journal.damage, isUnfinished: !journal.hasEnded)
  }

  /// The files of a folder that may hold records, the oldest first where their names say when.
  ///
  /// A state directory stands for its `records/`. Names that begin with a dot are left out, and so is what
  /// does not end in `.json` or `.jsonl`.
  ///
  /// - Throws: ``RecordError/unreadable(file:reason:)``.
  public static func list(_ directory: String) throws(RecordError) -> [String] {
    let kept = FileSystem.join(directory, folder)
    let place = FileSystem.isDirectory(kept) ? kept : directory
    do {
      return try FileSystem.list(place).filter(isRecordName).map { FileSystem.join(place, $0) }
    } catch {
      throw .unreadable(file: place, reason: error.description)
    }
  }

  /// The journal of a state directory's last launch, where its process died before the end and no launch runs now.
  ///
  /// It is newer than all that is kept: the next launch puts it there.
  public static func unfinished(in directory: String) -> String? {
    let path = LaunchHistory(directory: directory).journal
    guard let size = FileSystem.size(of: path), size > 0, !ExclusiveFile.isHeld(path) else { return nil }
    return path
  }

  /// The lists of events that were under way when a process died that had kept its launch in the state directory.
  ///
  /// None where the process has not died, or its record is of more bytes than a launch reads.
  package static func listsInterrupted(in directory: String, process: Int32) -> [EventRecord] {
    LaunchHistory(directory: directory).listsInterrupted(inProcess: process)
  }

  /// Whether the file is a launch that was kept: ``list(_:)`` has these in the order of the launches, which the
  /// moments of their starts need not be in.
  public static func isKept(_ path: String) -> Bool {
    LaunchHistory.isNameKept(FileSystem.lastComponent(path))
  }

  /// Whether a path is a folder, as far as can be seen.
  public static func isFolder(_ path: String) -> Bool { FileSystem.isDirectory(path) }

  private static func isRecordName(_ name: String) -> Bool {
    !name.hasPrefix(".") && (name.hasSuffix(".json") || name.hasSuffix(".jsonl"))
  }

  /// Whether the text's first line says so; the line of a record that is written in many is no JSON.
  private static func isJournal(_ source: SourceText) -> Bool {
    var lines = JournalLines(source)
    guard let line = lines.next(), let document = try? JSONDocument(parsing: line.text) else { return false }
    return document.root["format"]?.string == Journal.formatName
  }
}
