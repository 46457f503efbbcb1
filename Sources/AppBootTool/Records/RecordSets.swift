import AppBoot
import AppBootSystem

/// Records that were written to files: a record alone, one a line, a journal, or a directory of such files.
enum RecordSets {
  /// Reads every record at a path; `-` is standard input.
  ///
  /// In a directory, files that hold something else than records are passed over with a warning.
  ///
  /// - Throws: `SystemError`, `RecordError`, and `ToolError.noRecords` where there are none.
  static func read(_ path: String, warn: (String) -> Void) throws -> [StartupRecord] {
    guard path != "-", FileSystem.isDirectory(path) else { return try records(inFile: path) }
    let records = try records(inDirectory: path, warn).flatMap(\.self)
    guard !records.isEmpty else { throw ToolError.noRecords(path: path) }
    return records
  }

  /// Reads the records at a path in sets that were measured together: each file of a directory with several of them is
  /// one, and all other records are one.
  ///
  /// - Throws: As ``read(_:warn:)``.
  static func sessions(_ path: String, warn: (String) -> Void) throws -> [[StartupRecord]] {
    guard path != "-", FileSystem.isDirectory(path) else { return [try records(inFile: path)] }
    let sets = try records(inDirectory: path, warn)
    let single = sets.filter { $0.count < fewestTogether }.flatMap(\.self)
    let sessions = sets.filter { $0.count >= fewestTogether } + (single.isEmpty ? [] : [single])
    guard !sessions.isEmpty else { throw ToolError.noRecords(path: path) }
    return sessions
  }

  /// The newest launch of a directory: of those that the state directory kept the last one, whatever the clock said when
  /// it began, and otherwise the one that began last.
  ///
  /// - Throws: As ``read(_:warn:)``.
  static func newest(inDirectory path: String, warn: (String) -> Void) throws -> StartupRecord {
    let files = try RecordArchive.list(path)
    var records = try files.filter { !RecordArchive.isKept($0) }.flatMap {
      try self.records(inListed: $0, warn)
    }
    for file in files.reversed() where RecordArchive.isKept(file) {
      let kept = try self.records(inListed: file, warn)
      records += kept
      if !kept.isEmpty { break }
    }
    guard let newest = records.max(by: { $0.startedAt < $1.startedAt }) else {
      throw ToolError.noRecords(path: path)
    }
    return newest
  }

  /// With fewer records a file is no set of its own.
  private static let fewestTogether = 5

  private static func records(inDirectory path: String, _ warn: (String) -> Void) throws -> [[StartupRecord]]
  {
    try RecordArchive.list(path).map { try records(inListed: $0, warn) }.filter { !$0.isEmpty }
  }

  private static func records(inListed file: String, _ warn: (String) -> Void) throws -> [StartupRecord] {
    do {
      return try records(inFile: file)
    } catch RecordError.notARecord(let file, _) {
      warn("\(file) holds no launch's record, and is passed over")
    } catch let error as SystemError where error.isNotFound && file.unicodeScalars.contains("\u{FFFD}") {
      warn("\(file) has a name that is not UTF-8, and is passed over")
    }
    return []
  }

  private static func records(inFile path: String) throws -> [StartupRecord] {
    if path == "-" {
      return try records(
        in: SourceText(name: SourceText.standardInput, bytes: FileSystem.readStandardInput()))
    }
    return try records(in: SourceText(name: path, bytes: FileSystem.readFile(path)))
  }

  /// The records in a text: a record, a journal, or a record a line.
  static func records(in source: SourceText) throws -> [StartupRecord] {
    let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count > 1, isRecord(lines[0]) else { return [try RecordArchive.read(source).record] }
    var records: [StartupRecord] = []
    for (number, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      records.append(try record(inLine: line, after: number, of: source.name))
    }
    return records
  }

  /// The record in a line; what is wrong with it is told of the line that it is.
  private static func record(inLine line: ArraySlice<UInt8>, after count: Int, of name: String)
    throws(RecordError) -> StartupRecord
  {
    do {
      return try StartupRecord(json: SourceText(name: name, bytes: Array(line)))
    } catch {
      // Places are counted from the text's beginning; only for a mistake are the lines before it made up.
      return try StartupRecord(
        json: SourceText(name: name, bytes: [UInt8](repeating: 0x0A, count: count) + line))
    }
  }

  /// Whether a line is a record's JSON; the first line of a record that is written in many is no JSON.
  private static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
    let document = try? JSONDocument(parsing: SourceText(name: "", bytes: Array(line)))
    return document?.root["format"]?.string == StartupRecord.formatName
  }
}
