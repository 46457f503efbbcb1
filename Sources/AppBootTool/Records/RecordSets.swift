import AppBoot
import AppBootRecords
import AppBootSystem

/// A namespace for functions that read records from a file or a directory.
///
/// A file has one record, a record on each line, or a journal.
enum RecordSets {
  /// Reads all records at a path. The path `-` is standard input.
  ///
  /// In a directory, files that are not records are skipped with one warning. Of more than a thousand files, a sample
  /// is read.
  ///
  /// - Throws: `SystemError`, `RecordError`, or ``ToolError``.
  static func read(_ path: String, warn: (String) -> Void) throws -> [LaunchRecord] {
    guard path != "-", FileSystem.isDirectory(path) else { return try records(inFile: path) }
    var records: [LaunchRecord] = []
    try forEachFile(in: path, atMost: fileLimit, warn: warn) { records += $0 }
    return records
  }

  /// Reads the records at a path as sessions. A session is a set of launches that were measured together.
  ///
  /// In a directory, each file with at least five records is a session. All other records together are one more
  /// session.
  ///
  /// - Throws: The same errors as ``read(_:warn:)``.
  static func sessions(_ path: String, warn: (String) -> Void) throws -> [[LaunchRecord]] {
    guard path != "-", FileSystem.isDirectory(path) else { return [try records(inFile: path)] }
    var sessions: [[LaunchRecord]] = []
    var single: [LaunchRecord] = []
    try forEachFile(in: path, atMost: fileLimit, warn: warn) { records in
      if records.count < sessionMinimum { single += records } else { sessions.append(records) }
    }
    return sessions + (single.isEmpty ? [] : [single])
  }

  /// Calls a function with the records of each file in a directory. Only the records of one file are in memory.
  ///
  /// Files that are not records are skipped. One warning names the first of them and the number of the others.
  ///
  /// - Parameter limit: The maximum number of files to read. Of more files, a sample is read.
  /// - Throws: `SystemError`, `RecordError`, or ``ToolError`` if no file is a record.
  static func forEachFile(
    in path: String, atMost limit: Int = .max, warn: (String) -> Void, _ body: ([LaunchRecord]) -> Void
  ) throws {
    var skipped: (first: String, others: Int)?
    let skip = { (words: String) in skipped = (skipped?.first ?? words, skipped.map { $0.others + 1 } ?? 0) }
    var isEmpty = true
    let all = try RecordArchive.list(path)
    let files = sample(limit, of: all)
    if files.count < all.count {
      warn("\(path) has \(all.count) files: reading \(limit) of them, selected by the hashes of their names")
    }
    for file in files {
      let records = try records(inListed: file, skip)
      guard !records.isEmpty else { continue }
      isEmpty = false
      body(records)
    }
    if let skipped {
      let others = skipped.others == 1 ? "1 other file" : "\(skipped.others) other files"
      warn("\(skipped.first); skipping it\(skipped.others > 0 ? " and \(others)" : "")")
    }
    if isEmpty { throw noRecords(path) }
  }

  /// Returns some of the files, in their order. Names often have a pattern, which a hash does not follow.
  private static func sample(_ limit: Int, of files: [String]) -> [String] {
    guard files.count > limit else { return files }
    return files.map { (hash: SHA256.hexadecimal(of: Array($0.utf8)), file: $0) }
      .sorted { $0.hash < $1.hash }.prefix(limit).map(\.file).sorted()
  }

  /// Reads the record of the newest launch of a directory or manifest.
  ///
  /// The state directory numbers its launches. The numbers give their order even if the clock was set back. All other
  /// records are compared by their start. An earlier launch is one of the state directory's (``RecordSource/number``).
  ///
  /// - Throws: The same errors as ``read(_:warn:)``.
  static func newest(in source: RecordSource, warn: (String) -> Void) throws -> LaunchRecord {
    if source.number > 1 { return try numbered(in: source, warn: warn) }
    let files = try RecordArchive.list(source.path)
    func skip(_ words: String) { warn("\(words); skipping it") }
    var records = try files.filter { !RecordArchive.isKept($0) }.flatMap {
      try self.records(inListed: $0, skip).filter(source.has)
    }
    for file in files.reversed() where RecordArchive.isKept(file) {
      let kept = try self.records(inListed: file, skip).filter(source.has)
      records += kept
      if !kept.isEmpty { break }
    }
    guard let newest = records.max(by: { $0.startedAt < $1.startedAt }) else {
      throw noLaunch(of: source.path, source.manifest)
    }
    return newest
  }

  /// Passes each launch of a state directory that a source has to a function, with the number that selects it. The
  /// latest one is first. Stops if the function returns true.
  ///
  /// A crashed launch has only a journal until the next launch stores it as a record.
  static func forEachNumbered(
    in source: RecordSource, warn: (String) -> Void, until body: (Int, LaunchRecord) -> Bool
  ) throws {
    var number = 0
    let kept = try RecordArchive.list(source.path).filter(RecordArchive.isKept)
    let crashed = RecordArchive.unfinished(in: source.path).map { [$0] } ?? []
    for file in crashed + kept.reversed() {
      for record in try records(inListed: file, { warn("\($0); skipping it") }) where source.has(record) {
        number += 1
        if body(number, record) { return }
      }
    }
  }

  /// Reads the record of the launch that ``RecordSource/number`` selects in a state directory.
  ///
  /// - Throws: The same errors as ``read(_:warn:)``; ``ToolError`` if no record has the number.
  static func numbered(in source: RecordSource, warn: (String) -> Void) throws -> LaunchRecord {
    var count = 0
    var found: LaunchRecord?
    try forEachNumbered(in: source, warn: warn) { number, record in
      count = number
      if number == source.number { found = record }
      return found != nil
    }
    if let found { return found }
    let stored = count == 1 ? "1 record is" : "\(count) records are"
    throw ToolError(
      "there is no record of a launch -\(source.number): \(stored) stored \(place(source.path, source.manifest))",
      help: "`run --record DIR/` keeps all records; the history also has launches without a record")
  }

  /// Returns the words for the records at a path, or for those of one manifest in a directory.
  static func place(_ path: String, _ manifest: String?) -> String {
    manifest.map { "of \"\($0)\" in \"\(path)\"" } ?? "in \"\(path)\""
  }

  /// Returns the error about records to compare that are missing.
  static func noRecords(_ path: String) -> ToolError {
    ToolError("there is no record \(place(path, nil))") {
      "`\($0) check --record FILE` and `\($0) run --record FILE` write records"
    }
  }

  /// Returns the error about a last launch that is missing: that of a manifest, or that of any.
  static func noLaunch(of path: String, _ manifest: String?) -> ToolError {
    ToolError("there is no record \(place(path, manifest))") {
      "`\($0) run` records each launch in its state directory: select that with --state DIR"
    }
  }

  /// The maximum number of files of a directory whose whole records are in memory.
  private static let fileLimit = 1000

  /// The minimum number of records with which a file is a session.
  private static let sessionMinimum = 5

  /// Reads the records of a file in a directory. A file that is not a record has none, and `skip` receives the reason.
  private static func records(inListed file: String, _ skip: (String) -> Void) throws -> [LaunchRecord] {
    let kind = FileSystem.kind(of: file)
    // Reading a pipe would wait for its writer.
    guard kind != .other, kind != .socket else {
      skip("\(file) is not a file")
      return []
    }
    do {
      return try records(
        in: SourceText(name: file, bytes: FileSystem.readRegularFile(file, followingLinks: false)))
    } catch let error as RecordError {
      skip(error.summary(of: file))
    } catch let error as SystemError where error.isNotFound && file.unicodeScalars.contains("\u{FFFD}") {
      skip("\(file) has a name that is not UTF-8")
    } catch let error as SystemError {
      skip("\(error)")
    }
    return []
  }

  private static func records(inFile path: String) throws -> [LaunchRecord] {
    if path == "-" {
      return try records(
        in: SourceText(name: SourceText.standardInput, bytes: FileSystem.readStandardInput()))
    }
    try FileSystem.refuseLink(path)
    return try records(in: SourceText(name: path, bytes: FileSystem.readFile(path)))
  }

  /// Reads the records in a text, which is one record, a journal, or a record on each line.
  static func records(in source: SourceText) throws -> [LaunchRecord] {
    let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count > 1, isRecord(lines[0]) else { return [try RecordArchive.read(source).record] }
    var records: [LaunchRecord] = []
    for (number, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      records.append(try record(inLine: line, after: number, of: source.name))
    }
    return records
  }

  /// Reads the record in a line. The places in its errors are places in the whole text.
  private static func record(inLine line: ArraySlice<UInt8>, after count: Int, of name: String)
    throws(RecordError) -> LaunchRecord
  {
    do {
      return try LaunchRecord(json: SourceText(name: name, bytes: Array(line)))
    } catch {
      // The lines before it become empty lines, so that places are right. Only an error pays for them.
      return try LaunchRecord(
        json: SourceText(name: name, bytes: [UInt8](repeating: 0x0A, count: count) + line))
    }
  }

  /// Returns whether a line is a complete record. The first line of a record on several lines is not complete JSON.
  private static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
    let document = try? JSONDocument(parsing: SourceText(name: "", bytes: Array(line)))
    return document?.root["format"]?.string == LaunchRecord.formatName
  }
}

extension RecordError {
  /// Returns the error for a file in a directory as one line without help.
  fileprivate func summary(of file: String) -> String {
    switch self {
    case .notARecord, .otherText: "\(file) is not a launch's record"
    case .notJSON, .damaged: "\(file)\(location.map { ":\($0)" } ?? "") cannot be read: \(summary)"
    case .newerVersion, .unreadable: description
    }
  }
}

/// The records that an argument SOURCE selects: those of a file, of standard input, of a directory, or of a manifest.
struct RecordSource {
  /// The path of a file or directory; `-` for standard input.
  let path: String
  /// The manifest whose launches are selected; `nil` for those of all manifests.
  let manifest: String?
  /// The launch that `-N` selects, from 1 for the latest one.
  var number = 1

  /// Creates the source of the records of a state.
  init(_ state: StateSource, number: Int = 1) {
    (path, manifest, self.number) = (state.directory, state.manifest, number)
  }

  /// Reads the positional arguments and `--state`.
  ///
  /// - Throws: ``UsageError/conflict(_:_:)``; ``ToolError`` if the state directory does not exist.
  init(_ given: ParsedArguments) throws {
    var arguments = given
    number = arguments.takeLaunchNumber() ?? 1
    let operand = arguments.operands.first
    guard let operand, !StateSource.isManifest(operand) else {
      path = LaunchRequest.stateDirectory(arguments, manifest: operand ?? ParsedArguments.defaultManifest)
      manifest = operand
      guard FileSystem.exists(path) else { throw RecordSets.noLaunch(of: path, manifest) }
      return
    }
    if arguments.isSet(.state) { throw UsageError.conflict("SOURCE", Option<String>.state.spelling) }
    (path, manifest) = (StateSource.stateDirectory(at: operand) ?? operand, nil)
  }

  /// Returns whether the source has the launch of a record that is in its directory.
  func has(_ record: LaunchRecord) -> Bool {
    manifest.map { ManifestScope.isSame(record.outline.manifestName, $0) } ?? true
  }
}

extension Operand {
  /// The declaration of an argument that selects records.
  static var records: Operand {
    Operand(
      name: "SOURCE",
      help: "A manifest, a state directory, or records; - reads standard input. Default: the state directory."
    )
  }
}
