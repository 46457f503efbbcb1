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
    case .integer(let minimum, let maximum) where maximum == minimum:
      (isPlural ? "values, each " : "") + "\(minimum)"
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

extension ParameterSchema {
  /// Returns the error about a value that could not be read.
  ///
  /// - Parameter name: The name of the parameter.
  func mistake(_ value: JSONValue, named name: String) -> Diagnostic {
    switch self {
    case .duration, .timeout:
      if let text = value.string {
        do {
          _ = try DurationText.parse(text)
        } catch {
          return .durationProblem(error, name, value.range)
        }
      }
    case .number where value.kind == .number:
      do {
        _ = try value.double()
      } catch {
        return .error("\"\(name)\" is out of range: \(error)", at: value.range)
      }
    case .integer(let minimum, let maximum) where value.kind == .number:
      let limits = "a whole number from \(minimum) to \(maximum)"
      let words = Self.isBeyond(maximum, value) ? limits : description
      return .error("\"\(name)\" must be \(words), not \(value.found)", at: value.range)
    case .enumeration(let cases):
      if let text = value.string { return .notOneOf(cases, text, name, value.range) }
    case .optional(let wrapped), .nonEmpty(let wrapped), .definition(_, let wrapped):
      return wrapped.mistake(value, named: name)
    case .anyOf(let shapes):
      // Unless the value could be written so that it matches another alternative.
      if let closest = shapes.first(where: { $0.accepts(value.kind) }),
        help(insteadOf: value, as: name) == nil
      {
        return closest.mistake(value, named: name)
      }
    default: break
    }
    return .error(
      "\"\(name)\" must be \(description), not \(value.kind)", at: value.range,
      help: help(insteadOf: value, as: name))
  }

  /// Returns whether a whole number is above the maximum, or below the minimum of 64 bits.
  private static func isBeyond(_ maximum: UInt64, _ value: JSONValue) -> Bool {
    guard let number = Double(value.text), number == number.rounded() else { return false }
    if number < 0 { return (try? value.integer(as: Int64.self)) == nil }
    return (try? value.integer(as: UInt64.self)).map { $0 > maximum } ?? true
  }

  /// Returns whether values of a kind can match the schema.
  package func accepts(_ kind: JSONValue.Kind) -> Bool {
    switch self {
    case .string, .secret, .pattern, .duration, .timeout, .enumeration: kind == .string
    case .integer, .number: kind == .number
    case .boolean: kind == .bool
    case .array: kind == .array
    case .dictionary, .object, .oneOf: kind == .object
    case .optional(let wrapped): kind == .null || wrapped.accepts(kind)
    case .nonEmpty(let wrapped), .definition(_, let wrapped): wrapped.accepts(kind)
    case .anyOf(let shapes): shapes.contains { $0.accepts(kind) }
    case .any: true
    }
  }

  /// Returns how to write a value of the wrong kind so that it matches this schema; `nil` if there is no such form.
  ///
  /// Long values are not repeated.
  ///
  /// - Parameter name: The name of the parameter.
  private func help(insteadOf value: JSONValue, as name: String) -> String? {
    switch self {
    case .array(let element) where element.accepts(value.kind) && !element.holdsSecret:
      [.string, .number].contains(value.kind) && Self.isShort(value)
        ? "write [\(Self.items(of: value, as: name))]" : nil
    case .pattern(_, let words) where !words.hasSuffix("a string"): nil
    case .string, .pattern: Self.isShort(value) && Self.isScalar(value) ? "write \"\(value.text)\"" : nil
    case .integer(let minimum, let maximum):
      value.string.flatMap { Int64($0) }
        .flatMap { $0 >= minimum && ($0 < 0 || $0.magnitude <= maximum) ? "write \($0)" : nil }
    case .boolean: value.string.flatMap { Bool($0) }.map { "write \($0)" }
    case .duration, .timeout: value.kind == .number ? DurationTextError.units(for: value.found) : nil
    case .object(let fields):
      fields.isEmpty ? nil : "its keys are \(fields.map(\.name).joined(separator: ", "))"
    case .optional(let wrapped), .nonEmpty(let wrapped), .definition(_, let wrapped):
      wrapped.help(insteadOf: value, as: name)
    case .anyOf(let shapes):
      shapes.lazy.filter { shape in ![value.kind, .array, .object].contains(where: shape.accepts) }
        .compactMap { $0.help(insteadOf: value, as: name) }.first
    default: nil
    }
  }

  /// Returns a value as the elements of a list. The text of a command line is split at its spaces.
  private static func items(of value: JSONValue, as name: String) -> String {
    guard ["arguments", "command"].contains(name.split(separator: ".").last), let line = value.string else {
      return value.text
    }
    let needsShell = line.utf8.contains { $0 < 0x20 || $0 > 0x7E || Self.shellCharacters.contains($0) }
    let words = line.split(separator: " ")
    // `NAME=value program` sets a variable.
    if needsShell || words.first?.contains("=") == true { return "\"sh\", \"-c\", \(value.text)" }
    return words.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  /// The characters that a shell does not pass on unchanged, without the space.
  private static let shellCharacters = Set("\"'\\|&;<>$`*?~#(){}[]".utf8)

  private static func isShort(_ value: JSONValue) -> Bool { value.range.end - value.range.start <= 80 }

  private static func isScalar(_ value: JSONValue) -> Bool { [.number, .bool].contains(value.kind) }
}
