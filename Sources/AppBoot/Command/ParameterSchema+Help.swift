extension ParameterSchema {
  /// Returns how to write a value of the wrong kind so that it matches this schema; `nil` if there is no such form.
  ///
  /// Long values are not repeated.
  ///
  /// - Parameter name: The name of the parameter.
  func help(insteadOf value: JSONValue, as name: String) -> String? {
    switch self {
    case .array(let element) where element.isKind(of: value): "write [\(Self.items(of: value, as: name))]"
    case .pattern(_, let words) where !words.hasSuffix("a string"): nil
    case .string, .pattern: Self.isShort(value) && Self.isScalar(value) ? "write \"\(value.text)\"" : nil
    case .integer(let minimum, let maximum):
      value.string.flatMap { Int64($0) }
        .flatMap { $0 >= minimum && ($0 < 0 || $0.magnitude <= maximum) ? "write \($0)" : nil }
    case .boolean: value.string.flatMap { Bool($0) }.map { "write \($0)" }
    case .object(let fields):
      fields.isEmpty ? nil : "its keys are \(fields.map(\.name).joined(separator: ", "))"
    case .optional(let wrapped), .nonEmpty(let wrapped), .definition(_, let wrapped):
      wrapped.help(insteadOf: value, as: name)
    case .anyOf(let shapes):
      shapes.lazy.filter { !$0.accepts(value.kind) && !$0.accepts(.array) }
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

  /// Returns whether a value has the kind of this schema, and is short enough to be repeated in a message.
  private func isKind(of value: JSONValue) -> Bool {
    guard Self.isShort(value) else { return false }
    return switch self {
    case .string, .pattern: value.kind == .string
    case .integer, .number: value.kind == .number
    case .object, .dictionary: false
    case .optional(let wrapped), .nonEmpty(let wrapped): wrapped.isKind(of: value)
    default: false
    }
  }
}
