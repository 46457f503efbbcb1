import AppBoot
import AppBootBase

/// Functions that write the parts of a JSON Schema (draft 2020-12).
extension JSONWriter {
  /// Writes the members that restrict an object to its named keys, and to keys that begin with `x-`.
  mutating func userKeys() {
    key("patternProperties")
    object { writer in
      writer.key("^x-")
      writer.value(true)
    }
    member("additionalProperties", false)
  }

  mutating func reference(_ name: String, _ definition: String, _ description: String? = nil) {
    key(name)
    object { writer in
      if let description { writer.member("description", description) }
      writer.member("$ref", "#/$defs/\(Self.pointerToken(definition))")
    }
  }

  /// Returns a name as a part of a JSON pointer in the fragment of a URI (RFC 6901 sections 3 and 6).
  private static func pointerToken(_ name: String) -> String {
    name.utf8.reduce(into: "") { token, byte in
      switch byte {
      case UInt8(ascii: "~"): token += "~0"
      case UInt8(ascii: "/"): token += "~1"
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        token.unicodeScalars.append(Unicode.Scalar(byte))
      default: token += "%" + Hexadecimal.text(of: [byte]).uppercased()
      }
    }
  }

  mutating func property(
    _ name: String, _ schema: ParameterSchema, _ description: String, isOpen: Bool = false
  ) {
    key(name)
    object { writer in
      if !description.isEmpty { writer.member("description", description) }
      if isOpen { writer.member("type", "object") } else { writer.body(of: schema) }
    }
  }

  /// Writes the members of the schema of an object with these fields.
  mutating func objectBody(_ fields: [ParameterField]) {
    member("type", "object")
    let required = fields.filter(\.isRequired).map(\.name)
    if !required.isEmpty { member("required", required) }
    key("properties")
    object { writer in
      for field in fields {
        writer.key(field.name)
        writer.object { writer in
          if !field.help.isEmpty { writer.member("description", field.help) }
          if let text = field.defaultText {
            writer.key("default")
            writer.raw(text.utf8)
          }
          writer.body(of: field.schema)
        }
      }
    }
    userKeys()
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
    case .array(let element):
      member("type", "array")
      nested("items", element)
    case .dictionary(let value, let names):
      member("type", "object")
      if names != .string { nested("propertyNames", names) }
      nested("additionalProperties", value)
    case .object(let fields): objectBody(fields)
    case .oneOf(let fields): oneOfBody(fields)
    case .optional(let wrapped): anyOf([wrapped], orNull: true)
    case .nonEmpty(let wrapped): nonEmptyBody(wrapped)
    case .anyOf(let shapes): anyOf(shapes, orNull: false)
    case .any: break
    }
  }

  /// Writes the schema of an object with exactly one of these keys. A key with the value `null` does not count.
  private mutating func oneOfBody(_ fields: [ParameterField]) {
    objectBody(fields)
    key("oneOf")
    array { writer in
      for field in fields where !field.isShared {
        writer.object { writer in
          writer.member("required", [field.name])
          writer.key("properties")
          writer.object { writer in
            writer.key(field.name)
            writer.object { writer in
              writer.key("not")
              writer.object { $0.member("type", "null") }
            }
          }
        }
      }
    }
  }

  private mutating func nested(_ name: String, _ schema: ParameterSchema) {
    key(name)
    object { $0.body(of: schema) }
  }

  private mutating func nonEmptyBody(_ schema: ParameterSchema) {
    body(of: schema)
    switch schema {
    case .string, .secret: member("minLength", 1)
    case .array: member("minItems", 1)
    case .dictionary: member("minProperties", 1)
    case .object(let fields):
      key("anyOf")
      array { writer in
        for field in fields where !field.isShared { writer.object { $0.member("required", [field.name]) } }
      }
    case .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .oneOf, .optional,
      .nonEmpty,
      .anyOf, .any:
      break
    }
  }

  private mutating func anyOf(_ shapes: [ParameterSchema], orNull: Bool) {
    key("anyOf")
    array { writer in
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
    key("allOf")
    array { writer in
      writer.object { $0.member("$ref", "#/$defs/duration") }
      writer.object { $0.member("pattern", "[1-9]") }
    }
  }

  mutating func conditionBody() {
    member("description", "Every key must hold.")
    member("type", "object")
    key("properties")
    object { writer in
      writer.oneOrMore("platform", .enumeration(ManifestReader.platforms), "The platform is one of these.")
      writer.environment()
      writer.oneOrMore(
        "launch", .enumeration(LaunchReason.allCases.map(\.rawValue)), "The launch has one of these reasons.")
      writer.property(
        "firstLaunch", .boolean, "True for the first launch: no earlier one has succeeded.")
      writer.oneOrMore(
        "launchCount", .integer(minimum: 1, maximum: UInt64(Int64.max)),
        "The number of this launch among those that RecordLaunch records.")
      writer.property(
        "upgrade", .boolean,
        "True if the version of RecordLaunch is newer than that of the last recorded launch.")
      for name in ["all", "any"] { writer.conditions(name) }
      writer.reference("not", "condition", "A condition that must not hold.")
    }
    userKeys()
  }

  private mutating func conditions(_ name: String) {
    key(name)
    object { writer in
      writer.member("type", "array")
      writer.member("minItems", 1)
      writer.key("items")
      writer.object { $0.member("$ref", "#/$defs/condition") }
    }
  }

  /// Writes a property whose value is one element, or a list with at least one element.
  private mutating func oneOrMore(_ name: String, _ element: ParameterSchema, _ description: String) {
    property(name, .anyOf([element, .nonEmpty(.array(element))]), description)
  }

  private mutating func environment() {
    key("environment")
    object { writer in
      writer.member("description", "A variable that is set and not empty, or variables and their values.")
      writer.key("anyOf")
      writer.array { writer in
        writer.object { writer in
          writer.member("type", "string")
          writer.member("minLength", 1)
        }
        writer.object { writer in
          writer.member("type", "object")
          writer.member("minProperties", 1)
          writer.key("patternProperties")
          writer.object { writer in
            writer.key("^x-")
            writer.value(true)
          }
          writer.nested("additionalProperties", .string)
        }
      }
    }
  }
}
