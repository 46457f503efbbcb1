public import AppBoot

extension StartupRecord {
  /// Returns the JSON Schema (draft 2020-12) of the record's JSON.
  ///
  /// The schema allows members that it does not describe, because a later version may add members.
  public static func jsonSchema() -> String {
    var definitions = RecordSchema.all
    let record = definitions.removeValue(forKey: "record") ?? []
    var writer = JSONWriter(pretty: true)
    writer.object { writer in
      writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      writer.member("title", formatName)
      writer.member("description", "The record of a launch of AppBoot. Times are integer nanoseconds.")
      writer.objectSchema(record)
      writer.key("$defs")
      writer.object { writer in
        for (name, members) in definitions.sorted(by: { $0.key < $1.key }) {
          writer.key(name)
          writer.object { $0.objectSchema(members) }
        }
      }
    }
    return writer.text + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func objectSchema(_ members: [RecordMember]) {
    member("type", "object")
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { member("required", required) }
    key("properties")
    object { writer in
      for member in members {
        writer.key(member.name)
        writer.object { writer in
          writer.member("description", member.help)
          writer.valueSchema(member.kind)
        }
      }
    }
  }

  private mutating func valueSchema(_ kind: RecordMember.Kind) {
    switch kind {
    case .text: member("type", "string")
    case .flag: member("type", "boolean")
    case .integer(let minimum): integerSchema(minimum: minimum)
    case .time: timeSchema()
    case .duration: integerSchema(minimum: 0)
    case .choice(let choices): member("enum", choices)
    case .version: member("const", StartupRecord.formatVersion)
    case .texts: arraySchema { $0.member("type", "string") }
    case .labels:
      member("type", "object")
      key("additionalProperties")
      object { $0.member("type", "string") }
    case .part(let name): member("$ref", "#/$defs/\(name)")
    case .parts(let name): arraySchema { $0.member("$ref", "#/$defs/\(name)") }
    }
  }

  private mutating func integerSchema(minimum: Int) {
    member("type", "integer")
    member("minimum", minimum)
  }

  private mutating func timeSchema() {
    integerSchema(minimum: 0)
    member("maximum", StartupRecord.longestTime)
  }

  private mutating func arraySchema(_ items: (inout JSONWriter) -> Void) {
    member("type", "array")
    key("items")
    object(items)
  }
}
