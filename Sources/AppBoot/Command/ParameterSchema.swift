/// The schema of a parameter's value. Validation, JSON Schema, the catalogue and help use it.
package indirect enum ParameterSchema: Sendable, Hashable {
  /// Any JSON string.
  case string
  /// Any JSON string. It is a secret, so messages never repeat it.
  case secret
  /// A JSON string that matches a regular expression (ECMA-262). Reading must check that.
  ///
  /// `describedAs` describes the string in errors and help.
  case pattern(String, describedAs: String)
  /// A whole number in a range. The range includes both limits. The command's validation must check a range that is
  /// smaller than that of the parameter's type.
  case integer(minimum: Int64, maximum: UInt64)
  /// Any JSON number that a `Double` can hold.
  case number
  /// A Boolean: `true` or `false`.
  case boolean
  /// A string with a duration, for example `"250ms"`.
  case duration
  /// A duration greater than zero. The command's validation must check that.
  case timeout
  /// A string of this list.
  case enumeration([String])
  /// An array whose elements have the same schema.
  case array(ParameterSchema)
  /// An object with any keys, whose values have the same schema. The command's validation must check the keys.
  case dictionary(ParameterSchema, names: ParameterSchema = .string)
  /// An object with these fields. Other keys are errors unless they begin with `x-`.
  case object([ParameterField])
  /// An object with exactly one of these keys, beside the shared ones. The validation of the command or group must
  /// check that.
  case oneOf([ParameterField])
  /// A value of the schema, or `null`.
  case optional(ParameterSchema)
  /// A value of the schema that is not empty: it has a character, an element or a key. The command's validation must
  /// check that.
  case nonEmpty(ParameterSchema)
  /// A value of one of these schemas. The first one that matches is used.
  case anyOf([ParameterSchema])
  /// A value of the schema. A JSON Schema refers to the definition with this name, which can be stricter.
  case definition(String, ParameterSchema)
  /// Any JSON value.
  case any
}

/// A key of an object: a parameter of a command or of a group.
package struct ParameterField: Sendable, Hashable {
  /// The key in the manifest.
  package let name: String
  /// The schema of the field's value.
  package let schema: ParameterSchema
  /// The help text; empty if the field has none.
  package let help: String
  /// True if the manifest must have the key.
  package let isRequired: Bool
  /// The default as JSON; `nil` if there is no default, or if JSON cannot represent it.
  package let defaultText: String?
  /// True for a key that does not count as the one of ``ParameterSchema/oneOf(_:)``, or of an object that is not empty.
  package var isShared = false

  /// Creates the description of a key.
  package init(
    name: String, schema: ParameterSchema, help: String = "", isRequired: Bool, defaultText: String? = nil
  ) {
    self.name = name
    self.schema = schema
    self.help = help
    self.isRequired = isRequired
    self.defaultText = defaultText
  }
}

extension ParameterSchema {
  /// The schema in words for errors and help, for example "a string" or "a list of strings".
  package var description: String { words(isPlural: false) }

  /// Returns the schema of one value or of several in words, for example "whole numbers from 0 to 255".
  private func words(isPlural: Bool) -> String {
    switch self {
    case .string, .secret, .pattern(_, "a string"), .enumeration([]): isPlural ? "strings" : "a string"
    case .pattern(_, let words): isPlural ? "values, each \(words)" : words
    case .integer(let minimum, let maximum):
      (isPlural ? "whole numbers" : "a whole number") + Self.limits(minimum, maximum)
    case .number: isPlural ? "numbers" : "a number"
    case .boolean: "true or false"
    case .duration, .timeout: (isPlural ? "durations" : "a duration") + " such as \"250ms\""
    case .enumeration(let cases):
      (isPlural ? "values from " : cases.count == 1 ? "" : "one of ") + cases.quotedList
    case .array(let element): (isPlural ? "lists" : "a list") + " of \(element.words(isPlural: true))"
    case .dictionary(let value, _):
      (isPlural ? "objects" : "an object") + " of \(value.words(isPlural: true))"
    case .object: isPlural ? "objects" : "an object"
    case .oneOf(let fields):
      (isPlural ? "objects, each" : "an object") + " with one of "
        + fields.filter { !$0.isShared }.map(\.name).quotedList
    case .optional(let wrapped): wrapped.words(isPlural: isPlural) + (isPlural ? " or null" : ", or null")
    case .nonEmpty(let wrapped), .definition(_, let wrapped): wrapped.words(isPlural: isPlural)
    case .anyOf(let shapes):
      shapes.map { $0.words(isPlural: isPlural) }.joined(separator: isPlural ? " or " : ", or ")
    case .any: isPlural ? "any values" : "any value"
    }
  }

  private static func limits(_ minimum: Int64, _ maximum: UInt64) -> String {
    guard maximum == .max || maximum == Int64.max else { return " from \(minimum) to \(maximum)" }
    return minimum == .min && maximum == Int64.max ? "" : " of at least \(minimum)"
  }

  /// True if a value of the schema can contain a ``Secret``.
  var holdsSecret: Bool {
    switch self {
    case .secret: true
    case .array(let inner), .dictionary(let inner, _), .optional(let inner), .nonEmpty(let inner),
      .definition(_, let inner):
      inner.holdsSecret
    case .object(let fields), .oneOf(let fields): fields.contains { $0.schema.holdsSecret }
    case .anyOf(let shapes): shapes.contains(where: \.holdsSecret)
    case .string, .pattern, .integer, .number, .boolean, .duration, .timeout, .enumeration, .any: false
    }
  }
}
