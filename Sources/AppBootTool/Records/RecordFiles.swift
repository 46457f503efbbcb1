import AppBoot
import AppBootSystem

/// Records that were written to files: a record alone, one a line, or a directory of such files.
enum RecordFiles {
  /// The endings of the files that are looked for in a directory.
  static let endings = [".json", ".jsonl"]

  /// Reads every record at a path; `-` is standard input.
  ///
  /// In a directory, files that hold something else than records are passed over with a warning.
  ///
  /// - Throws: `SystemError`, `RecordError`, and `ToolError.noRecords` where there are none.
  static func read(_ path: String, warn: (String) -> Void) throws -> [StartupRecord] {
    guard path != "-", FileSystem.isDirectory(path) else { return try records(inFile: path) }
    let records = try records(inDirectory: path, warn)
    guard !records.isEmpty else { throw ToolError.noRecords(path: path) }
    return records
  }

  private static func records(inDirectory path: String, _ warn: (String) -> Void) throws -> [StartupRecord] {
    var records: [StartupRecord] = []
    for name in try FileSystem.list(path) where endings.contains(where: name.hasSuffix) {
      guard !name.hasPrefix(".") else { continue }
      do {
        records += try self.records(inFile: FileSystem.join(path, name))
      } catch RecordError.notARecord(let file, _) {
        warn("\(file) holds no launch's record, and is passed over")
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

  /// The records in a text: one, or one a line.
  static func records(in source: SourceText) throws -> [StartupRecord] {
    let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count > 1, isDocument(lines[0]) else { return [try StartupRecord(json: source)] }
    var records: [StartupRecord] = []
    for (number, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      // Empty lines before it keep the places in messages right.
      let bytes = [UInt8](repeating: 0x0A, count: number) + line
      records.append(try StartupRecord(json: SourceText(name: source.name, bytes: bytes)))
    }
    return records
  }

  private static func isDocument(_ line: ArraySlice<UInt8>) -> Bool {
    (try? JSONDocument(parsing: SourceText(name: "", bytes: Array(line)))) != nil
  }
}
