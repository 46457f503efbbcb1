/// The launch for which parameters are read: for its plan, or for a step that runs.
///
/// It replaces the placeholders `{env.NAME}` when a step runs, and learns the secrets among the parameters.
final class ParameterEnvironment: Sendable {
  private let environment: LaunchEnvironment
  /// The context of the step that runs; `nil` for a plan.
  private let context: LaunchContext?
  static let scanner = PlaceholderScanner("env.")

  /// Creates the environment of a plan, or of a step that runs.
  init(_ environment: LaunchEnvironment, of context: LaunchContext? = nil) {
    (self.environment, self.context) = (environment, context)
  }

  /// Returns a string parameter with the values of its variables if a step runs.
  ///
  /// - Throws: ``VariableNotSet`` for a variable that is not set.
  func filled(_ text: String) throws(VariableNotSet) -> String {
    guard let context else { return text }
    return try Self.scanner.filled(text) { placeholder throws(VariableNotSet) in
      let name = String(placeholder.dropFirst("env.".count))
      guard let value = context.environment(name) else {
        throw VariableNotSet(
          name: name, suggestion: ClosestName.to(name, among: environment.variableNames(ofStep: context.step))
        )
      }
      return value
    }
  }

  /// Adds a secret, or the values of the variables that its text inserts.
  func learnSecret(_ text: String) {
    let names = Self.scanner.names(in: text)
    guard !names.isEmpty else { return _ = environment.secrets.add(text) }
    for name in names { environment.learnSecret(of: String(name.dropFirst("env.".count))) }
  }

  /// Adds the texts of a value that is written for a secret, also if it has the wrong type.
  func learnSecret(in value: JSONValue) {
    switch value.kind {
    case .string: value.string.map(learnSecret)
    case .number: learnSecret(value.text)
    case .array: for element in value.elements { learnSecret(in: element) }
    case .object: for member in value.members { learnSecret(in: member.value) }
    case .bool, .null: break
    }
  }
}

/// An error that reports that the variable of a placeholder `{env.NAME}` is not set.
package struct VariableNotSet: Error, Hashable, CustomStringConvertible {
  let name: String
  /// The closest name of a variable that is set; `nil` if none is close.
  let suggestion: String?

  package init(name: String, suggestion: String?) { (self.name, self.suggestion) = (name, suggestion) }

  /// The error message: the placeholder and its variable.
  package var description: String {
    "the placeholder {env.\(name)} has no value: the environment variable \(name) is not set"
      + (suggestion.map { "; did you mean {env.\($0.excerpt)}?" } ?? "")
  }
}
