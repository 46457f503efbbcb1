import AppBootBase

/// The rules of a manifest for secret variables: `secrets` and `secretPattern`.
package struct SecretRules: Sendable {
  /// The names in `secrets` with their places, in order.
  package var listed: [(name: String, range: SourceRange)] = []
  /// The regular expressions of `secretPattern` for names. Each file of the manifest can have one.
  var patterns: [RegularExpression] = []
  /// The maximum length in bytes of a pattern and of a name. With it, a search takes little time.
  private static let longest = 1000

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

  /// Adds a pattern for the names of secret variables. Reports a text that is not an extended regular expression.
  ///
  /// Counts of repetitions and references to groups can take much time or memory, and names need neither.
  ///
  /// - Parameter key: The key of the pattern, for the mistake.
  mutating func add(pattern: String, of key: String, at range: SourceRange, _ problems: inout Diagnostics) {
    let hasReference = (1...9).contains { pattern.contains("\\\($0)") }
    do throws(RegularExpression.Invalid) {
      if hasReference || pattern.contains("{") || pattern.utf8.count > Self.longest {
        throw RegularExpression.Invalid(
          description:
            "it has \"{\", a reference to a group or more than \(Self.longest) bytes: leave that out")
      }
      patterns.append(try RegularExpression(pattern))
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
    listed.contains { $0.name == name }
      || patterns.contains { name.utf8.count > Self.longest || $0.matches(name) }
  }
}
