import AppBoot

/// A variable in a program's argument in the form of a shell or of another tool, which AppBoot does not expand.
struct ForeignVariable {
  /// The variable as it is written.
  let text: String
  /// The form that AppBoot replaces.
  let help: String

  /// Finds the first variable of another form in an argument; `nil` without one.
  ///
  /// - Parameter isForShell: True if the program is a shell, which replaces its own variables.
  init?(in argument: String, isForShell: Bool) {
    let placeholders = "write {env.NAME} for a variable, and {step.ID.output} for the output of a step"
    if let start = argument.index(ofFirst: "${{") ?? argument.index(ofFirst: "{steps.") {
      (text, help) = (argument[start...].upToBrace, placeholders)
    } else if !isForShell, argument.hasPrefix("~/") {
      (text, help) = ("~/", "no shell expands it: write {env.HOME}/")
    } else if !isForShell, let name = argument.shellVariable {
      (text, help) = ("$\(name)", "no shell expands it: write {env.\(name)}, or use a shell with \"run\"")
    } else {
      return nil
    }
  }
}

extension String {
  /// Returns the index at which a text begins; `nil` if the string does not contain it.
  fileprivate func index(ofFirst text: String) -> String.Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }

  /// The name of the first variable `$NAME` or `${NAME}` in capital letters, as in the environment; `nil` without one.
  fileprivate var shellVariable: String? {
    for piece in split(separator: "$", omittingEmptySubsequences: false).dropFirst() {
      let name = (piece.first == "{" ? piece.dropFirst() : piece)
        .prefix { $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }
      if name.count > 1, name.first?.isNumber == false { return String(name) }
    }
    return nil
  }
}

extension Substring {
  /// The beginning of the text, up to the last of its first closing braces.
  fileprivate var upToBrace: String {
    guard let brace = firstIndex(of: "}") else { return String(self) }
    return String(self[...brace] + self[index(after: brace)...].prefix { $0 == "}" })
  }
}
