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

extension StartupRecord {
  /// Returns the JSON Schema (draft 2020-12) of the record's JSON.
  ///
  /// The schema allows members that it does not describe, because a later version may add members.
  public static func jsonSchema() -> String {
    let record = RecordSchema(of: RecordedLaunch.self)
    var writer = JSONWriter(pretty: true)
    writer.object { writer in
      writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      writer.member("title", formatName)
      writer.member("description", "The record of a launch of AppBoot. Times are integer nanoseconds.")
      writer.objectSchema(record.members)
      writer.key("$defs")
      writer.object { writer in
        for (name, members) in record.definitions.sorted(by: { $0.key < $1.key }) {
          writer.key(name)
          writer.object { $0.objectSchema(members) }
        }
      }
    }
    return writer.text + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func objectSchema(_ members: [RecordSchema.Member]) {
    member("type", "object")
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { member("required", required) }
    key("properties")
    object { writer in
      for member in members {
        writer.key(member.name)
        writer.object { writer in
          writer.member("description", member.help)
          member.schema(&writer)
        }
      }
    }
  }
}
