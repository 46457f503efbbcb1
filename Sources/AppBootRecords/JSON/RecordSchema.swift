public import AppBoot

/// A collector of the members that the parts of a record declare.
struct RecordSchema: RecordCoder {
  typealias Problem = Never

  /// The description of a member.
  struct Member {
    let name: String
    let help: String
    let isRequired: Bool
    /// Writes the members of the value's schema.
    let schema: (inout JSONWriter) -> Void
  }

  let index = 0
  private(set) var members: [Member] = []
  /// The definitions of the inner parts, by name.
  private(set) var definitions: [String: [Member]] = [:]

  mutating func optional<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, _ help: String
  ) -> Value? {
    add(name, form, help, isRequired: false)
    return nil
  }

  mutating func required<Value>(
    _ name: String, _ form: RecordForm<Value>, _ value: Value?, ifAbsent absent: Value?, _ help: String
  ) -> Value {
    add(name, form, help, isRequired: true)
    return absent ?? form.placeholder()
  }

  private mutating func add<Value>(
    _ name: String, _ form: RecordForm<Value>, _ help: String, isRequired: Bool
  ) {
    members.append(Member(name: name, help: help, isRequired: isRequired, schema: form.schema))
    if let part = form.part { define(part) }
  }

  private mutating func define<Part: RecordPart>(_ type: Part.Type) {
    guard definitions[Part.definition] == nil else { return }
    let inner = RecordSchema(of: Part.self)
    definitions[Part.definition] = inner.members
    definitions.merge(inner.definitions) { first, _ in first }
  }
}

extension RecordSchema {
  /// Collects the members of a type.
  init<Part: RecordMembers>(of type: Part.Type) { _ = Part.coded(nil, by: &self) }
}

extension LaunchRecord {
  /// Returns the JSON Schema (draft 2020-12) of the record's JSON.
  ///
  /// The schema allows members that it does not describe, because a later version may add members.
  public static func jsonSchema() -> String {
    let record = RecordSchema(of: RecordedLaunch.self)
    return JSONWriter.object(pretty: true) { writer in
      writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      writer.member("title", formatName)
      writer.member("description", "The record of a launch of AppBoot. Times are integer nanoseconds.")
      writer.objectSchema(record.members)
      writer.object("$defs") { writer in
        for (name, members) in record.definitions.sorted(by: { $0.key < $1.key }) {
          writer.object(name) { $0.objectSchema(members) }
        }
      }
    } + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func objectSchema(_ members: [RecordSchema.Member]) {
    member("type", "object")
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { member("required", required) }
    object("properties") { writer in
      for member in members {
        writer.object(member.name) { writer in
          writer.member("description", member.help)
          member.schema(&writer)
        }
      }
    }
  }
}

/// An error that reports that a text cannot be read as a record.
public struct RecordUnreadable: Error, Sendable, Hashable, CustomStringConvertible {
  /// The version of the record, which is newer than this library; `nil` for another mistake.
  public let newerVersion: Int?
  /// The error message: the mistake and its place.
  public let description: String

  /// Creates the error, for a test of the code that catches it.
  public init(_ description: String, newerVersion: Int? = nil) {
    (self.description, self.newerVersion) = (description, newerVersion)
  }

  init(_ error: RecordError) {
    let version: Int? = if case .newerVersion(let version, _) = error { version } else { nil }
    self.init(error.description, newerVersion: version)
  }
}

/// An error that prevents a record from being read, for the tool.
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
      "\(file) is not a launch's record: it has no \"format\": \"\(LaunchRecord.formatName)\""
    case .newerVersion(let version, let file):
      "\(file) is a record of version \(version), and this tool reads versions up to "
        + "\(LaunchRecord.formatVersion): use a newer tool"
    case .unreadable(_, let reason): reason
    case .damaged(let diagnostic, let source), .otherText(let diagnostic, let source):
      [diagnostic].text(in: source)
    }
  }

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
