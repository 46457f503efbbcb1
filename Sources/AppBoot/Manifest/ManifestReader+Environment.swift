extension ManifestReader {
  static let environmentKeys = ["files"]

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
    for (key, member) in value.members {
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
        let read = environmentFiles.variables(
          of: path, named: key, beside: document.source.name, at: element.range, &problems)
        variables.merge(read) { $1 }
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
}
