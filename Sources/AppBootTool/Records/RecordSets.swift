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

  /// With fewer records a file is no set of its own.
  private static let fewestTogether = 5

  private static func records(inDirectory path: String, _ warn: (String) -> Void) throws -> [[StartupRecord]]
  {
    var records: [[StartupRecord]] = []
    for file in try RecordArchive.list(path) {
      do {
        records.append(try self.records(inFile: file))
      } catch RecordError.notARecord(let file, _) {
        warn("\(file) holds no launch's record, and is passed over")
      } catch let error as SystemError where error.isNotFound && file.unicodeScalars.contains("\u{FFFD}") {
        warn("\(file) has a name that is not UTF-8, and is passed over")
      }
    }
    return records
  }

  private static func records(inFile path: String) throws -> [StartupRecord] {
    if path == "-" {
      return try records(in: SourceText(name: "<stdin>", bytes: FileSystem.readStandardInput()))
    }
    return try records(in: SourceText(name: path, bytes: FileSystem.readFile(path)))
  }

  /// The records in a text: a record, a journal, or a record a line.
  static func records(in source: SourceText) throws -> [StartupRecord] {
    let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count > 1, isRecord(lines[0]) else { return [try RecordArchive.read(source).record] }
    var records: [StartupRecord] = []
    for (number, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      // Empty lines before it keep the places in messages right.
      let bytes = [UInt8](repeating: 0x0A, count: number) + line
      records.append(try StartupRecord(json: SourceText(name: source.name, bytes: bytes)))
    }
    return records
  }

  /// Whether a line is a record's JSON; the first line of a record that is written in many is no JSON.
  private static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
    let document = try? JSONDocument(parsing: SourceText(name: "", bytes: Array(line)))
    return document?.root["format"]?.string == StartupRecord.formatName
  }
}
