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
      manifest.secretRules.add(name: name, of: "secrets", at: element.range, &problems)
    }
  }

  /// Reads `secretPattern`, which is an extended regular expression for variable names.
  mutating func readSecretPattern(_ value: JSONValue) {
    guard let text = readText(value, "secretPattern") else { return }
    manifest.secretRules.add(pattern: text, of: "secretPattern", at: value.range, &problems)
  }
}
