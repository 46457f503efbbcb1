import AppBootSystem

extension ManifestReader {
  static let environmentKeys = ["files"]
  /// The maximum size of an environment file, in bytes.
  private static let environmentLimit = 1 << 20

  /// Reads `environment`, and returns the variables of its files. If files have the same variable, the last file
  /// counts.
  mutating func readEnvironment(_ value: JSONValue) -> [String: String] {
    var variables: [String: String] = [:]
    guard value.kind == .object else {
      report(
        "\"environment\" must be an object, not \(value.kind)", value.range,
        help: #"write { "files": [".env"] }"#)
      return variables
    }
    for (key, member) in value.pairs {
      guard key == "files" else {
        reportEnvironmentKey(key, member)
        continue
      }
      guard member.kind == .array else {
        let help = member.kind == .string ? "write [\(member.text)]" : #"write [".env"]"#
        report("\"files\" must be a list of files, not \(member.kind)", member.range, help: help)
        continue
      }
      for (index, element) in member.elements.enumerated() {
        let key = "files[\(index)]"
        guard let path = readText(element, key) else { continue }
        guard path != "?" else {
          report("\"\(key)\" must name a file before the \"?\"", element.range)
          continue
        }
        variables.merge(readEnvironmentFile(path, at: element.range)) { $1 }
      }
    }
    return variables
  }

  private mutating func reportEnvironmentKey(_ key: JSONKey, _ value: JSONValue) {
    checkUnknown(key.string, key.range, among: Self.environmentKeys, of: "\"environment\"") {
      guard value.kind == .string else { return }
      $0.help = [
        #"the variables of a program are written inside "with": { "environment": { … } }"#,
        #"its key is files: { "files": [".env"] }"#,
      ]
    }
  }

  /// Reads an environment file, and returns its variables. If the path ends with `?`, the file may be missing.
  private mutating func readEnvironmentFile(_ text: String, at range: SourceRange) -> [String: String] {
    let isOptional = text.hasSuffix("?")
    let path = isOptional ? String(text.dropLast()) : text
    switch environmentFile(at: FileSystem.path(path, beside: document.source.name)) {
    case .success(let file):
      for problem in file.problems {
        report("\"\(path.excerpt)\", line \(problem.line): \(problem.text)", range)
      }
      return file.variables
    case .failure(let error):
      if isOptional, error.isNotFound { return [:] }
      report(
        "\"\(path.excerpt)\" cannot be read: \(error.reason)", range,
        help: error.isNotFound ? "create it, or write \"\(path.excerpt)?\" if it may be missing" : nil)
      return [:]
    }
  }

  /// Returns an environment file, or the error of reading it. This reader reads the file of each path only once.
  private mutating func environmentFile(at path: String) -> Result<EnvironmentFile, SystemError> {
    if let known = environmentFiles.first(where: { $0.path == path }) { return known.file }
    let file = Result { () throws(SystemError) in
      EnvironmentFile(parsing: try FileSystem.readFile(path, limit: Self.environmentLimit))
    }
    environmentFiles.append((path, file))
    return file
  }
}
