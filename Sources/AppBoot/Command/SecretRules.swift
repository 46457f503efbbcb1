import AppBootBase

/// The rules of a manifest for secret variables: `secrets` and `secretPattern`.
package struct SecretRules: Sendable {
  /// The names in `secrets` with their places, in order.
  package var listed: [(name: String, range: SourceRange)] = []
  /// The regular expressions of `secretPattern` for names. Each file of the manifest can have one.
  var patterns: [SearchExpression] = []

  package init() {}

  /// Adds the name of a secret variable. Reports a text that cannot be the name of a variable.
  ///
  /// - Parameter key: The key of the list of names, for the mistake.
  mutating func add(name: String, of key: String, at range: SourceRange, _ problems: inout Diagnostics) {
    guard EnvironmentFile.isName(name.utf8) else {
      return problems.append(
        .error(
          "a name in \"\(key)\" has only letters, digits and \"_\", and does not begin with a digit",
          at: range,
          help: #"write the name of the variable, as in "API_KEY"; its value stays in the environment"#))
    }
    listed.append((name, range))
  }

  /// Adds a pattern for the names of secret variables. Reports a text that is not an extended regular expression, or
  /// that takes much time or memory.
  ///
  /// - Parameter key: The key of the pattern, for the mistake.
  mutating func add(pattern: String, of key: String, at range: SourceRange, _ problems: inout Diagnostics) {
    do throws(RegularExpression.Invalid) {
      patterns.append(try SearchExpression(pattern))
    } catch {
      problems.append(
        .error("\"\(key)\" is not an extended regular expression: \(error)", at: range))
    }
  }

  /// The names in `secrets`, in order.
  package var names: [String] { listed.map(\.name) }

  /// True if the manifest has no rules, so that no variable is secret.
  package var isEmpty: Bool { listed.isEmpty && patterns.isEmpty }

  /// Returns whether the variable with a name is secret.
  package func match(_ name: String) -> Bool {
    // A name that is too long to be matched counts as secret.
    listed.contains { $0.name == name } || patterns.contains { $0.matches(name) != false }
  }
}
