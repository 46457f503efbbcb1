package import AppBoot

/// An error that prevents a record from being read.
package enum RecordError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text is not JSON. The record may have been cut off.
  case notJSON([Diagnostic], in: SourceText)
  /// The text is not JSON, and does not begin as a record does. The diagnostic has the place.
  case otherText(Diagnostic, in: SourceText)
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
      "not a record, or a damaged one:\n\(diagnostics.text(in: source))"
    case .notARecord(let file, let format?): "\(file) is not a launch's record: its format is \"\(format)\""
    case .notARecord(let file, nil):
      "\(file) is not a launch's record: it has no \"format\": \"\(StartupRecord.formatName)\""
    case .newerVersion(let version, let file):
      "\(file) is a record of version \(version), and this tool reads versions up to "
        + "\(StartupRecord.formatVersion): use a newer tool"
    case .unreadable(_, let reason): reason
    case .damaged(let diagnostic, let source), .otherText(let diagnostic, let source):
      [diagnostic].text(in: source)
    }
  }
}

extension RecordError {
  /// Creates the error for a text that is not JSON. A text that does not begin with `{` was never a record.
  init(_ error: JSONError) {
    let bytes = error.source.bytes
    let first = bytes.firstIndex { $0 > 0x20 } ?? 0
    if bytes.dropFirst(first).first == UInt8(ascii: "{") {
      // A program writes records: help for a person who writes JSON would mislead.
      let help = "a record that was cut off cannot be read: remove the file, or this line if each is a record"
      let problems = error.diagnostics.map { Diagnostic.error($0.message, at: $0.range, help: help) }
      self = .notJSON(Array(problems.prefix(1)), in: error.source)
      return
    }
    let problem = Diagnostic.error(
      "this is not a launch's record, which is JSON", at: SourceRange(first, min(first + 1, bytes.count)),
      help: "give a file that `--record` wrote, or one of the directory .appboot/records")
    self = .otherText(problem, in: error.source)
  }
}
