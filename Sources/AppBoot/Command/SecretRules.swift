import AppBootBase

/// The rules of a manifest for secret variables: `secrets` and `secretPattern`.
package struct SecretRules: Sendable {
  /// The names in `secrets` with their places, in order.
  package var listed: [(name: String, range: SourceRange)] = []
  /// The regular expressions of `secretPattern` for names. Each file of the manifest can have one.
  var patterns: [RegularExpression] = []

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
  /// - Parameter key: The key of the pattern, for the mistake.
  mutating func add(pattern: String, of key: String, at range: SourceRange, _ problems: inout Diagnostics) {
    do throws(RegularExpression.Invalid) {
      if let reason = Self.excess(of: pattern) { throw RegularExpression.Invalid(description: reason) }
      patterns.append(try RegularExpression(pattern))
    } catch {
      problems.append(
        .error("\"\(key)\" is not an extended regular expression: \(error)", at: range))
    }
  }

  /// Returns the reason why a pattern takes too much memory to compile; `nil` if it does not.
  private static func excess(of pattern: String) -> String? {
    // A repetition multiplies its part by its largest number, for example 9 in `{2,9}`.
    let counts = pattern.split(separator: "{").dropFirst().map { part in
      part.prefix { $0 != "}" }.split(separator: ",").compactMap { Int($0) }.max() ?? 1
    }
    if counts.contains(where: { $0 > 255 }) { return "it repeats a part more than 255 times" }
    let size = counts.reduce(pattern.utf8.count) { size, count in min(size, 5000) * max(1, count) }
    return size > 5000 ? "its repetitions, written out, have more than 5000 parts" : nil
  }

  /// The names in `secrets`, in order.
  package var names: [String] { listed.map(\.name) }

  /// True if the manifest has no rules, so that no variable is secret.
  package var isEmpty: Bool { listed.isEmpty && patterns.isEmpty }

  /// Returns whether the variable with a name is secret.
  package func match(_ name: String) -> Bool {
    listed.contains { $0.name == name } || patterns.contains { $0.matches(name) }
  }
}
