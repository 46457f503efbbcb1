import AppBootSystem

extension ManifestReader {
  static let secretKeys = ["secrets", "secretPattern"]

  /// Reads `secrets`, which is a list of variable names.
  mutating func readSecrets(_ value: JSONValue) {
    guard value.kind == .array else {
      return report(
        "\"secrets\" must be a list of variables' names, not \(value.kind)", value.range,
        help: #"write ["API_KEY"]"#)
    }
    for element in value.elements {
      guard let name = element.string else {
        report("\"secrets\" must be a list of variables' names, not of \(element.kind)", element.range)
        continue
      }
      guard EnvironmentFile.isName(name.utf8) else {
        report(
          "a name in \"secrets\" has only letters, digits and \"_\", and does not begin with a digit",
          element.range,
          help: #"write the name of the variable, as in "API_KEY"; its value stays in the environment"#)
        continue
      }
      manifest.secretRules.listed.append((name, element.range))
    }
  }

  /// Reads `secretPattern`, which is an extended regular expression for variable names.
  mutating func readSecretPattern(_ value: JSONValue) {
    guard let text = readText(value, "secretPattern") else { return }
    do throws(RegularExpression.Invalid) {
      manifest.secretRules.patterns.append(try RegularExpression(text))
    } catch {
      report("\"secretPattern\" is not an extended regular expression: \(error)", value.range)
    }
  }
}
