/// A condition under which a step is unnecessary: a file exists, or a program succeeds.
///
/// It is evaluated when the step is about to run.
package enum UnlessCondition: Sendable, Hashable, CustomStringConvertible {
  /// A file exists at this path, which is relative to the manifest's directory.
  case file(String)
  /// A program exits with 0. The list has the program and its arguments.
  case command([String])

  static let keys = ["file", "command"]

  /// The condition as text for people, for example `"build/index" exists`.
  package var description: String {
    switch self {
    case .file(let path): "\"\(path)\" exists"
    case .command: "\"\(commandText)\" succeeds"
    }
  }

  /// The reason for skipping the step if the condition held, for example `"build/index" exists`.
  var reason: String {
    switch self {
    case .file: description
    case .command: "\"\(commandText)\" succeeded"
    }
  }

  private var commandText: String {
    guard case .command(let arguments) = self else { return "" }
    return arguments.joined(separator: " ").excerpt
  }
}

extension ManifestReader {
  /// Reads `unless`: an object with either a file or a program. Reports any other value.
  ///
  /// Returns the first valid condition; `nil` if there is none.
  mutating func readUnless(_ value: JSONValue) -> UnlessCondition? {
    guard value.kind == .object else {
      report(
        "\"unless\" must be an object, not \(value.kind)", value.range,
        help: #"write { "file": "build/index" }, or { "command": ["test", "-e", "build/index"] }"#)
      return nil
    }
    var conditions: [UnlessCondition] = []
    let before = problems.total
    for (key, member) in value.members {
      switch key {
      case "file": if let path = readText(member, "file") { conditions.append(.file(path)) }
      case "command": if let arguments = readCommand(member) { conditions.append(.command(arguments)) }
      default: checkUnknown(key.string, key.range, among: UnlessCondition.keys, of: "\"unless\"")
      }
    }
    if conditions.count != 1, problems.total == before {
      report(
        "\"unless\" needs exactly one of \(UnlessCondition.keys.quotedList)",
        conditions.isEmpty ? value.range.opening : value.range)
    }
    return conditions.first
  }

  private mutating func readCommand(_ value: JSONValue) -> [String]? {
    guard value.kind == .array else {
      report(
        "\"command\" must be a list of strings, not \(value.kind)", value.range,
        help: #"write a program and its arguments, or ["sh", "-c", "…"]"#)
      return nil
    }
    let before = problems.total
    var arguments: [String] = []
    for (index, element) in value.elements.enumerated() {
      if let text = readText(element, "command[\(index)]", isEmptyAllowed: index > 0) {
        arguments.append(text)
      }
    }
    if value.elements.isEmpty { report("name the program to run as the first item", value.range) }
    return problems.total == before ? arguments : nil
  }
}
