import AppBoot

/// Functions that write the parts of a JSON Schema (draft 2020-12).
extension JSONWriter {
  /// Writes the members that restrict an object to its named keys, and to keys that begin with `x-`.
  ///
  /// - Parameter others: The schema of other keys' values; `nil` to allow no other keys.
  mutating func userKeys(others: ParameterSchema? = nil) {
    object("patternProperties") { writer in
      writer.key("^x-")
      writer.value(true)
    }
    if let others { nested("additionalProperties", others) } else { member("additionalProperties", false) }
  }

  /// Returns a name as a part of a JSON pointer in the fragment of a URI (RFC 6901 sections 3 and 6).
  private static func pointerToken(_ name: String) -> String {
    name.utf8.reduce(into: "") { token, byte in
      switch byte {
      case UInt8(ascii: "~"): token += "~0"
      case UInt8(ascii: "/"): token += "~1"
      case _ where byte.isWord || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "."):
        token.unicodeScalars.append(Unicode.Scalar(byte))
      default: token += "%" + String(0x100 + Int(byte), radix: 16, uppercase: true).dropFirst()
      }
    }
  }

  /// Writes the members of the schema of an object with these fields.
  mutating func objectBody(_ fields: [ParameterField]) {
    member("type", "object")
    let required = fields.filter(\.isRequired).map(\.name)
    if !required.isEmpty { member("required", required) }
    members(fields)
  }

  /// Writes the schemas of the members of an object with these fields.
  ///
  /// - Parameter others: The schema of further members; `nil` if they are errors.
  mutating func members(_ fields: [ParameterField], others: ParameterSchema? = nil) {
    object("properties") { writer in
      for field in fields {
        writer.object(field.name) { writer in
          if !field.help.isEmpty { writer.member("description", field.help) }
          if let text = field.defaultText { writer.member("default", json: text) }
          writer.body(of: field.schema)
        }
      }
    }
    userKeys(others: others)
  }

  mutating func body(of schema: ParameterSchema) {
    switch schema {
    case .string, .secret: member("type", "string")
    case .pattern(let pattern, _):
      member("type", "string")
      member("pattern", pattern)
    case .integer(let minimum, let maximum):
      member("type", "integer")
      member("minimum", minimum)
      member("maximum", maximum)
    case .number: member("$ref", "#/$defs/number")
    case .boolean: member("type", "boolean")
    case .duration: member("$ref", "#/$defs/duration")
    case .timeout: member("$ref", "#/$defs/timeout")
    case .enumeration(let cases): member("enum", cases)
    case .array(let element): arrayBody(of: element)
    case .dictionary(let value, let names):
      member("type", "object")
      if names != .string { nested("propertyNames", names) }
      nested("additionalProperties", value)
    case .object(let fields): objectBody(fields)
    case .oneOf(let fields): oneOfBody(fields)
    case .optional(let wrapped): anyOf([wrapped], orNull: true)
    case .nonEmpty(let wrapped): nonEmptyBody(wrapped)
    case .anyOf(let shapes): anyOf(shapes, orNull: false)
    case .definition(let name, _): member("$ref", "#/$defs/\(Self.pointerToken(name))")
    case .any: break
    }
  }

  /// Writes the members of the schema of an array.
  mutating func arrayBody(of element: ParameterSchema) {
    member("type", "array")
    nested("items", element)
  }

  /// Writes the schema of an object with exactly one of these keys. A key with the value `null` does not count.
  private mutating func oneOfBody(_ fields: [ParameterField]) {
    objectBody(fields)
    array("oneOf") { writer in
      for field in fields where !field.isShared {
        writer.object { writer in
          writer.member("required", [field.name])
          writer.object("properties") { writer in
            writer.object(field.name) { writer in
              writer.object("not") { $0.member("type", "null") }
            }
          }
        }
      }
    }
  }

  private mutating func nested(_ name: String, _ schema: ParameterSchema) {
    object(name) { $0.body(of: schema) }
  }

  private mutating func nonEmptyBody(_ schema: ParameterSchema) {
    body(of: schema)
    switch schema {
    case .string, .secret: member("minLength", 1)
    case .array: member("minItems", 1)
    case .dictionary: member("minProperties", 1)
    case .object(let fields):
      array("anyOf") { writer in
        for field in fields where !field.isShared { writer.object { $0.member("required", [field.name]) } }
      }
    case .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .oneOf, .optional,
      .nonEmpty, .anyOf, .definition, .any:
      break
    }
  }

  private mutating func anyOf(_ shapes: [ParameterSchema], orNull: Bool) {
    array("anyOf") { writer in
      for shape in shapes { writer.object { $0.body(of: shape) } }
      if orNull { writer.object { $0.member("type", "null") } }
    }
  }

  /// Writes the schema of a duration as `DurationText` reads it: units from long to short, each at most once.
  mutating func durationBody() {
    let units = ["h", "m", "s", "ms", "(us|\u{B5}s|\u{3BC}s)", "ns"].map { "([0-9]+(\\.[0-9]+)?\($0))?" }
      .joined()
    member("description", "A duration with a unit: \"250ms\", \"2s\", \"1m30s\".")
    member("type", "string")
    member("pattern", "^(?=.)\(units)$")
  }

  /// Writes the schema of a number that a `Double` can hold.
  mutating func numberBody() {
    member("type", "number")
    member("minimum", -Double.greatestFiniteMagnitude)
    member("maximum", Double.greatestFiniteMagnitude)
  }

  /// Writes the schema of a duration greater than zero.
  mutating func timeoutBody() {
    array("allOf") { writer in
      writer.object { $0.member("$ref", "#/$defs/duration") }
      writer.object { $0.member("pattern", "[1-9]") }
    }
  }
}
