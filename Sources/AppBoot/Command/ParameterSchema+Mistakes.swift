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
