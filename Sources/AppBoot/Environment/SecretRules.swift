import AppBootBase

/// The rules of a manifest for secret variables: `secrets` and `secretPattern`.
package struct SecretRules: Sendable {
  /// The names in `secrets` with their places, in order.
  package var listed: [(name: String, range: SourceRange)] = []
  /// The regular expressions of `secretPattern` for names. Each file of the manifest can have one.
  var patterns: [RegularExpression] = []
  /// The maximum length in bytes of a pattern and of a name.
  private static let longest = 1000
  /// The maximum product of the length of a pattern in bytes and its highest count.
  private static let longestWrittenOut = 20_000

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
  /// that exceeds the limits.
  ///
  /// - Parameter key: The key of the pattern, for the mistake.
  mutating func add(pattern: String, of key: String, at range: SourceRange, _ problems: inout Diagnostics) {
    func report(_ mistake: String) {
      let help = #"write an expression for grep -E, as in "_(TOKEN|KEY)$", or list the names"#
      problems.append(.error("\"\(key)\" \(mistake)", at: range, help: help))
    }
    if let excess = Self.excess(of: pattern) {
      return report("\(excess), which can take much time or memory")
    }
    do throws(RegularExpression.Invalid) {
      patterns.append(try RegularExpression(pattern))
    } catch {
      report("is not an extended regular expression: \(error)")
    }
  }

  /// Returns the limit that a pattern exceeds, in words; `nil` if it exceeds none.
  ///
  /// The system's functions can need gigabytes for a count, and hours for references to groups. The limits are
  /// coarse, because the pattern is not parsed.
  private static func excess(of pattern: String) -> String? {
    if pattern.utf8.count > longest { return "has more than \(longest) bytes" }
    let counts = pattern.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
    if counts.count > 1 { return "has more than one \"{\"" }
    let bounds = counts.first?.prefix { $0.isNumber || $0 == "," }.split(separator: ",") ?? []
    let most = min(255, longestWrittenOut / max(1, pattern.utf8.count))
    if bounds.contains(where: { (Int($0) ?? .max) > most }) {
      return "repeats a part more than \(most) times"
    }
    if pattern.filter({ "*+?{".contains($0) }).count > 10 { return "has more than ten repetitions" }
    var (isEscaped, isInBrackets) = (false, false)
    for character in pattern {
      if isEscaped, "123456789".contains(character) { return "has a reference to a group" }
      if !isEscaped, "[]".contains(character) { isInBrackets = character == "[" }
      isEscaped = character == "\\" && !isEscaped && !isInBrackets
    }
    return nil
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
