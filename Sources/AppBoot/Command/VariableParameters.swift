/// The parameters of an entry that insert environment variables. They are read again when the step runs.
package struct VariableParameters: Sendable {
  let description: CommandDescription
  let value: JSONValue

  /// Returns the command with the values of its variables.
  ///
  /// - Throws: ``VariableNotSet``, or ``VariableParameterError`` if a value is invalid with the variables.
  func command(in context: LaunchContext) throws -> any Command {
    var reader = ParameterReader(
      of: description.type, named: nil,
      environment: ParameterEnvironment(context.host.environment, of: context))
    let command = try description.command(from: value, at: value.range, &reader)
    if let unset = reader.unset { throw unset }
    if reader.problems.total > 0 { throw VariableParameterError(reader.problems) }
    return command
  }

  /// Returns whether a value has a text that inserts a variable.
  static func areIn(_ value: JSONValue) -> Bool {
    ParameterEnvironment.scanner.isUsed(in: value.text)
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
