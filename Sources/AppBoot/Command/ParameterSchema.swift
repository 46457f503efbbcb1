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
  package var description: String {
    switch self {
    case .string, .secret: "a string"
    case .pattern(_, let words): words
    case .integer(Int64.min, UInt64(Int64.max)): "a whole number"
    case .integer(let minimum, .max), .integer(let minimum, UInt64(Int64.max)):
      "a whole number of at least \(minimum)"
    case .integer(let minimum, let maximum): "a whole number from \(minimum) to \(maximum)"
    case .number: "a number"
    case .boolean: "true or false"
    case .duration, .timeout: "a duration such as \"250ms\""
    case .enumeration(let cases):
      cases.isEmpty ? "a string" : (cases.count == 1 ? "" : "one of ") + cases.quotedList
    case .array(let element): "a list of \(element.plural)"
    case .dictionary(let value, _): "an object of \(value.plural)"
    case .object: "an object"
    case .oneOf(let fields): "an object with one of \(fields.filter { !$0.isShared }.map(\.name).quotedList)"
    case .optional(let wrapped): "\(wrapped.description), or null"
    case .nonEmpty(let wrapped), .definition(_, let wrapped): wrapped.description
    case .anyOf(let shapes): shapes.map(\.description).joined(separator: ", or ")
    case .any: "any value"
    }
  }

  /// Several values of the schema in words, for example "strings" or "whole numbers from 0 to 255".
  private var plural: String {
    switch self {
    case .string, .secret: "strings"
    case .integer(Int64.min, UInt64(Int64.max)): "whole numbers"
    case .integer(let minimum, .max), .integer(let minimum, UInt64(Int64.max)):
      "whole numbers of at least \(minimum)"
    case .integer(let minimum, let maximum): "whole numbers from \(minimum) to \(maximum)"
    case .number: "numbers"
    case .boolean: "true or false"
    case .duration, .timeout: "durations such as \"250ms\""
    case .enumeration(let cases): cases.isEmpty ? "strings" : "values from \(cases.quotedList)"
    case .array(let element): "lists of \(element.plural)"
    case .dictionary(let value, _): "objects of \(value.plural)"
    case .object: "objects"
    case .oneOf(let fields):
      "objects, each with one of \(fields.filter { !$0.isShared }.map(\.name).quotedList)"
    case .optional(let wrapped): "\(wrapped.plural) or null"
    case .nonEmpty(let wrapped), .definition(_, let wrapped): wrapped.plural
    case .anyOf(let shapes): shapes.map(\.plural).joined(separator: " or ")
    case .pattern(_, "a string"): "strings"
    case .pattern(_, let words): "values, each \(words)"
    case .any: "any values"
    }
  }

  /// The schema without the alternative `null`.
  var unwrapped: ParameterSchema {
    if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
  }
}
