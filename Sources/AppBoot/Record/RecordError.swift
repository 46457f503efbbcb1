/// Why a text is not a record that can be read.
public enum RecordError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is not JSON: cut off, perhaps.
  case notJSON([Diagnostic], in: SourceText)
  /// The text is JSON, and not a record; with what its `format` says, if anything.
  case notARecord(file: String, format: String?)
  /// The record was written in a newer version of the format than this reader knows.
  case newerVersion(Int, file: String)
  /// The file or folder cannot be read; with the system's words.
  case unreadable(file: String, reason: String)
  /// Something in the record cannot be; the diagnostic says what and where.
  case damaged(Diagnostic, in: SourceText)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .notJSON(let diagnostics, let source):
      "not a record, or a damaged one:\n\(DiagnosticRenderer().text(diagnostics, in: source))"
    case .notARecord(let file, let format?): "\(file) is not a launch's record: its format is \"\(format)\""
    case .notARecord(let file, nil):
      "\(file) is not a launch's record: it does not say \"format\": \"\(StartupRecord.formatName)\""
    case .newerVersion(let version, let file):
      "\(file) is a record of version \(version), and this tool reads versions up to "
        + "\(StartupRecord.formatVersion): use a newer tool"
    case .unreadable(_, let reason): reason
    case .damaged(let diagnostic, let source): DiagnosticRenderer().text([diagnostic], in: source)
    }
  }
}
