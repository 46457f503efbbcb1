/// The values of `environment` in a manifest or in an entry.
package struct EnvironmentValues: Sendable {
  /// The paths of the environment files.
  var files: [Located<String>] = []
  /// The variables that are set there, with their texts; `nil` for one that is removed.
  var variables: [String: Located<String?>] = [:]

  /// The names of the variables that are set or removed there.
  package var names: [String] { Array(variables.keys) }

  /// Returns whether a variable is set or removed there.
  package func has(_ name: String) -> Bool { variables[name] != nil }
}

extension EnvironmentValues {
  private static let filesKey = ParameterKey<EnvironmentValues>(
    "files", "Files of NAME=VALUE lines, relative to this file. A ? at the end permits a missing file.",
    ParameterType.systemText(#"^(?![\s\S]*\x00)[\s\S]*[^?][\s\S]*$"#).located.list
  ) { $0.files = $1 }

  /// The key `files` of `environment`. All other keys are names of variables.
  package static var filesField: ParameterField { filesKey.field }

  /// The type of `environment`: variables, and the paths of files.
  static var type: ParameterType<EnvironmentValues> {
    let schema = ParameterSchema.object([filesKey.field])
    return ParameterType(.definition("environment", schema), placeholder: EnvironmentValues()) {
      json, reader in
      guard json.kind == .object else { return nil }
      var values = EnvironmentValues()
      for (key, value) in json.members {
        let name = key.string
        if name == filesKey.name {
          filesKey.read(value, &values, &reader)
        } else if !name.hasPrefix("x-") {
          values.variables[name] = variable(name, at: key.range, value, &reader)
        }
      }
      return values
    }
  }

  /// Reads a variable of `environment`. Reports its mistakes.
  private static func variable(
    _ name: String, at range: SourceRange, _ json: JSONValue, _ reader: inout ParameterReader
  ) -> Located<String?> {
    if !EnvironmentFile.isName(name.utf8) {
      reader.problems.append(
        .error(
          "\"\(name.excerpt)\" is not the name of a variable", at: range,
          help: EnvironmentFile.nameRule))
    } else if json.kind == .array || Synonym.ofEnvironmentFiles.contains(name) {
      reader.problems.append(
        .error(
          "\"\(name.excerpt)\" is not a variable", at: range,
          help: "files of variables are written as \"files\": [\".env\"]"))
    } else if let text = json.string, let problem = placeholderProblem(in: text) {
      reader.problems.append(.error(problem.text, at: json.range, help: problem.help))
      return Located(value: "", range: json.range)
    } else if json.kind == .string, json.string?.utf8.contains(0) == true {
      reader.problems.append(.error("\"\(name)\" must not contain a zero byte", at: json.range))
    } else if json.kind != .string, json.kind != .null {
      reader.problems.append(
        .error(
          "the variable \"\(name)\" must be a string or null, not \(json.kind)", at: json.range,
          help: [.number, .bool].contains(json.kind) ? "write \"\(json.text)\"" : nil))
    }
    let text = json.string ?? (json.kind == .null ? nil : json.text)
    return Located(value: text, range: json.range)
  }

  /// Returns the mistake in the placeholders of a variable's value; `nil` if there is none.
  private static func placeholderProblem(in text: String) -> (text: String, help: String)? {
    let right = "write {env.NAME}, or {env.NAME:-DEFAULT} without braces in the default"
    if let part = PlaceholderScanner.malformed(in: text) {
      return ("\"\(part.excerpt)\" is not a placeholder", right)
    }
    if let other = PlaceholderScanner("launch.", "step.", "service.", "context.").names(in: text).first {
      return (
        "{\(other.excerpt)} is not known here, before the launch",
        "write it in the \"environment\" of \"with\", or use {env.NAME}; "
          + "a shell command is a RunProcess with the arguments [\"sh\", \"-c\", \"…\"]"
      )
    }
    let names = ParameterEnvironment.scanner.names(in: text).map {
      VariablePlaceholder($0.dropFirst("env.".count)).name
    }
    guard let name = names.first(where: { !EnvironmentFile.isName($0.utf8) }) else { return nil }
    return ("\"\(name.excerpt)\" is not the name of a variable", right)
  }
}

extension LaunchEnvironment {
  /// Adds the values of those variables that are secret to the secrets, also the values that replace their
  /// placeholders.
  func learnSecrets(in variables: [String: Located<String?>]) {
    for case (let name, let text?) in variables.map({ ($0.key, $0.value.value) })
    where secretRules.match(name) {
      ParameterEnvironment(self).learnSecret(text)
    }
  }

  /// Adds the defaults of secret variables in the placeholders of a text to the secrets.
  func learnDefaults(in text: String) {
    for name in ParameterEnvironment.scanner.names(in: text) {
      let variable = VariablePlaceholder(name.dropFirst("env.".count))
      if let fallback = variable.fallback, secretRules.match(variable.name) { secrets.add(fallback) }
    }
  }

  /// Returns variables with the placeholders in their texts replaced: `{env.NAME}` is the value without them.
  ///
  /// Reports a variable that is not set.
  func filled(_ variables: [String: Located<String?>], _ problems: inout Diagnostics) -> [String: String?] {
    variables.mapValues { text -> String? in
      guard let value = text.value else { return nil }
      return ParameterEnvironment.scanner.filled(value) { placeholder in
        let variable = VariablePlaceholder(placeholder.dropFirst("env.".count))
        if let value = variable.value(self.variable(variable.name)) { return value }
        problems.append(
          .error(
            "the variable \"\(variable.name.excerpt)\" is not set", at: text.range,
            help: variables[variable.name] == nil
              ? "set it, or write a default: {env.\(variable.name.excerpt):-DEFAULT}"
              : "an \"environment\" cannot use the variables that it sets: repeat the value, or set it in a file"
          ))
        return ""
      }
    }
  }
}
