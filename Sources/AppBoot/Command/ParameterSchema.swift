/// The shape of a parameter's value: what the manifest may hold, what the JSON Schema says.
public indirect enum ParameterSchema: Sendable, Hashable {
  /// Any JSON string.
  case string
  /// A JSON string with a form of its own: a regular expression (ECMA-262) and its name for people; decoding
  /// checks the form.
  case pattern(String, describedAs: String)
  /// A whole number in the inclusive range.
  case integer(minimum: Int64, maximum: UInt64)
  /// Any JSON number that a `Double` can hold.
  case number
  /// `true` or `false`.
  case boolean
  /// A string such as `"250ms"`.
  case duration
  /// A duration above zero; decoding checks that it is.
  case limit
  /// One of the strings.
  case enumeration([String])
  /// An array of values of one shape.
  case array(ParameterSchema)
  /// An object with any keys and values of one shape; decoding checks the form of the keys.
  case dictionary(ParameterSchema, names: ParameterSchema = .string)
  /// An object with these keys and no others.
  case object([ParameterField])
  /// The shape, or `null`.
  case optional(ParameterSchema)
  /// The shape with something in it: a character, an item, one of the keys; decoding checks that there is.
  case nonEmpty(ParameterSchema)
  /// Any one of the shapes; the first that fits counts.
  case anyOf([ParameterSchema])
  /// Any JSON value.
  case any
}

/// One key of an object: a command's parameter or a field of a nested struct.
public struct ParameterField: Sendable, Hashable {
  /// The key in the manifest.
  public let name: String
  /// The shape of its value.
  public let schema: ParameterSchema
  /// The help text; empty for a field that has none.
  public let help: String
  /// Whether the manifest must give it.
  public let isRequired: Bool
  /// The default as JSON text, where it has one that can be written as JSON.
  public let defaultText: String?

  /// Describes a key, for a type that states its own shape.
  public init(
    name: String, schema: ParameterSchema, help: String = "", isRequired: Bool, defaultText: String? = nil
  ) {
    self.name = name
    self.schema = schema
    self.help = help
    self.isRequired = isRequired
    self.defaultText = defaultText
  }
}

/// A type that states the shape of its own manifest value, where its decoding is written by hand.
public protocol ParameterSchemaProviding {
  /// What a manifest may hold for this type.
  static var parameterSchema: ParameterSchema { get }
}

extension ParameterSchema {
  /// The shape in words, for errors and help: "a string", "a list of strings".
  public var description: String {
    switch self {
    case .string: "a string"
    case .pattern(_, let words): words
    case .integer(Int64.min, UInt64(Int64.max)): "a whole number"
    case .integer(let minimum, let maximum): "a whole number from \(minimum) to \(maximum)"
    case .number: "a number"
    case .boolean: "true or false"
    case .duration, .limit: "a duration such as \"250ms\""
    case .enumeration(let cases): cases.isEmpty ? "a string" : "one of \(cases.quotedList)"
    case .array(let element): "a list, each item \(element.description)"
    case .dictionary(let value, _): "an object, each value \(value.description)"
    case .object: "an object"
    case .optional(let wrapped): "\(wrapped.description), or null"
    case .nonEmpty(let wrapped): wrapped.description
    case .anyOf(let shapes): shapes.map(\.description).joined(separator: ", or ")
    case .any: "any value"
    }
  }

  /// The value of an optional's inside.
  var unwrapped: ParameterSchema {
    if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
  }
}
