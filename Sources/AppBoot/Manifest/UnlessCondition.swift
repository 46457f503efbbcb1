/// A condition under which a step is unnecessary: a file exists, or a program succeeds.
///
/// It is evaluated when the step is about to run.
package enum UnlessCondition: Sendable, Hashable, CustomStringConvertible {
  /// A file exists at this path, which is relative to the manifest's directory.
  case file(String)
  /// A program exits with 0. The list has the program and its arguments.
  case command([String])

  /// The condition as text for people, for example `"build/index" exists`.
  package var description: String { text(verb: "succeeds") }

  /// The reason for skipping the step if the condition held, for example `"build/index" exists`.
  var reason: String { text(verb: "succeeded") }

  private func text(verb: String) -> String {
    switch self {
    case .file(let path): "\"\(path)\" exists"
    case .command(let arguments): "\"\(arguments.joined(separator: " ").excerpt)\" \(verb)"
    }
  }
}

extension UnlessCondition {
  /// The keys of `unless`: exactly one of them is given.
  package static let keys: [ParameterKey<[UnlessCondition]>] = [
    ParameterKey("file", "A file that exists, relative to the manifest's directory.", .systemText()) {
      $0.append(.file($1))
    },
    ParameterKey(
      "command", "A program and its arguments, in the manifest's directory, that exits with code 0.", program
    ) { $0.append(.command($1)) },
  ]

  private static var program: ParameterType<[String]> {
    let text = ParameterType.systemText(#"^(?![\s\S]*\x00)"#, isEmptyAllowed: true)
    return ParameterType(.nonEmpty(.array(text.schema([]))), placeholder: []) { json, reader in
      guard let arguments = text.list.read(json, &reader) else { return nil }
      guard let first = json.elements.first else {
        return reader.reject("name the program to run as the first item", json)
      }
      if first.isString("") { _ = reader.read(.systemText(), first, at: .index(0)) }
      return arguments
    }
  }

  /// The type of `unless`.
  static var type: ParameterType<UnlessCondition> {
    ParameterType(.definition("unless", .object([])), placeholder: .file("")) { json, reader in
      let before = reader.mistakeCount
      guard let conditions = reader.object(json, keys, into: []) else {
        return reader.reject(
          "must be an object, not \(json.kind)", json,
          help: #"write { "file": "build/index" }, or { "command": ["test", "-e", "build/index"] }"#)
      }
      guard conditions.count != 1, reader.mistakeCount == before else { return conditions.first }
      return reader.reject("needs exactly one of \(keys.map(\.name).quotedList)", json)
    }
  }

  /// Returns the condition with each secret replaced by `***`.
  func masked(by secrets: Secrets) -> UnlessCondition {
    switch self {
    case .file(let path): .file(secrets.masking(path))
    case .command(let arguments): .command(arguments.map { secrets.masking($0) })
    }
  }
}
