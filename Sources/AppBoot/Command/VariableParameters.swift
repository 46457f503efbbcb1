/// The parameters of an entry that insert environment variables. They are read again when the step runs.
package struct VariableParameters: Sendable {
  let description: CommandDescription
  let value: JSONValue

  /// Returns the command with the values of its variables.
  ///
  /// - Throws: ``VariableNotSet``, or ``VariableParameterError`` if a value is invalid with the variables.
  func command(in context: LaunchContext) throws -> any Command {
    var reader = ParameterReader(
      of: description.type, named: nil, environment: ParameterEnvironment(context))
    let command = try description.command(from: value, at: value.range, &reader)
    if let unset = reader.unset { throw unset }
    if reader.problems.total > 0 { throw VariableParameterError(reader.problems) }
    return command
  }

  /// Returns whether a value has a text that inserts a variable.
  static func areIn(_ value: JSONValue) -> Bool {
    let bytes = value.source.bytes[value.bytes]
    let opening = Array("{env.".utf8)
    var rest = bytes
    while let brace = rest.firstIndex(of: opening[0]) {
      rest = rest[brace...]
      if rest.starts(with: opening) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Reports the texts of a value that look like placeholders of variables, but have no name or no closing brace.
  static func reportMalformed(in value: JSONValue, named name: String, to problems: inout Diagnostics) {
    switch value.kind {
    case .string:
      for piece in PlaceholderScanner("env.").malformed(in: value.string ?? "") {
        let message = "\"\(piece)\" is not a placeholder: write {env.NAME} for the value of a variable"
        problems.append(.error("\"\(name.excerpt)\": \(message)", at: value.range))
      }
    case .array:
      for (index, element) in value.elements.enumerated() {
        reportMalformed(in: element, named: "\(name)[\(index)]", to: &problems)
      }
    case .object:
      for (key, member) in value.members {
        let inner = name.isEmpty ? key.string : "\(name).\(key.string)"
        reportMalformed(in: member, named: inner, to: &problems)
      }
    case .number, .bool, .null: break
    }
  }
}

/// An error that reports parameters whose values are invalid with the variables of the environment.
struct VariableParameterError: Error, CustomStringConvertible {
  /// The error message: each parameter with its mistake.
  let description: String

  init(_ problems: Diagnostics) {
    description = problems.shown.map(\.message).joined(separator: "; ")
  }
}
