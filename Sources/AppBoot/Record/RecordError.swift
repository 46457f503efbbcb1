/// An error that prevents a record from being read.
package enum RecordError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is not JSON. The record may have been cut off.
  case notJSON([Diagnostic], in: SourceText)
  /// The text is JSON but not a record. `format` is the value of its member `format`; `nil` without it.
  case notARecord(file: String, format: String?)
  /// The record has a newer format version than this reader. The value is that version.
  case newerVersion(Int, file: String)
  /// The file or directory cannot be read. `reason` is the system's message.
  case unreadable(file: String, reason: String)
  /// A value in the record is impossible. The diagnostic has its place.
  case damaged(Diagnostic, in: SourceText)

  /// The error message: the mistake and its correction.
  package var description: String {
    switch self {
    case .notJSON(let diagnostics, let source):
      "not a record, or a damaged one:\n\(DiagnosticRenderer().text(diagnostics, in: source))"
    case .notARecord(let file, let format?): "\(file) is not a launch's record: its format is \"\(format)\""
    case .notARecord(let file, nil):
      "\(file) is not a launch's record: it has no \"format\": \"\(StartupRecord.formatName)\""
    case .newerVersion(let version, let file):
      "\(file) is a record of version \(version), and this tool reads versions up to "
        + "\(StartupRecord.formatVersion): use a newer tool"
    case .unreadable(_, let reason): reason
    case .damaged(let diagnostic, let source): DiagnosticRenderer().text([diagnostic], in: source)
    }
  }
}
