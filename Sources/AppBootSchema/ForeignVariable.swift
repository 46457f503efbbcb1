/// A variable in a program's argument in the form of a shell or of another tool, which AppBoot does not expand.
struct ForeignVariable {
  /// The variable as it is written.
  let text: String
  /// The form that AppBoot or the shell expands.
  let help: String

  /// Finds a variable of another form in an argument; `nil` without one.
  ///
  /// - Parameter isCode: True if the program may be a shell or another interpreter, so that the argument may be code.
  init?(in argument: String, isCode: Bool) {
    if let start = argument.firstRange(of: "${{")?.lowerBound {
      text = argument[start...].upToBraces
      help = isCode ? "write $NAME" : "write {env.NAME}"
    } else if isCode || !argument.allSatisfy(\.isPartOfPath) {
      return nil
    } else if argument.hasPrefix("{steps.") {
      (text, help) = (argument.upToBraces, "write {step.ID.output} for the output of a step")
    } else if argument.hasPrefix("~/") {
      (text, help) = ("~/", "no shell expands it: write {env.HOME}/")
    } else if let name = argument.shellVariable {
      (text, help) = ("$\(name)", "no shell expands it: write {env.\(name)}, or use a shell with \"run\"")
    } else {
      return nil
    }
  }

  /// Returns whether the arguments may contain code, in which a variable is right.
  static func isCode(in arguments: [String]) -> Bool {
    arguments.contains { argument in
      let name = argument.split(separator: "/").last ?? ""
      return ["-c", "-e"].contains(argument) || interpreters.contains { $0 == name }
    }
  }

  private static let interpreters = [
    "sh", "bash", "zsh", "dash", "ksh", "fish", "ssh", "env", "envsubst", "awk", "perl", "ruby", "make",
  ]
}

extension Character {
  /// True for a character that a path with a variable can have; false for those of code and patterns.
  fileprivate var isPartOfPath: Bool { isLetter || isNumber || "_-./:=@+,~${}".contains(self) }
}

extension StringProtocol {
  /// The name of the first variable `$NAME` or `${NAME}` in capital letters, as in the environment; `nil` without one.
  fileprivate var shellVariable: String? {
    for piece in split(separator: "$", omittingEmptySubsequences: false).dropFirst() {
      let isBraced = piece.first == "{"
      let name = (isBraced ? piece.dropFirst() : piece[...])
        .prefix { $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }
      let next = piece[name.endIndex...].first
      if name.count > 1, name.first?.isNumber == false, isBraced == (next == "}") { return String(name) }
    }
    return nil
  }

  /// The beginning of the text, up to the last of its first closing braces.
  fileprivate var upToBraces: String {
    guard let brace = firstIndex(of: "}") else { return String(self) }
    return String(self[...brace]) + self[index(after: brace)...].prefix { $0 == "}" }
  }
}
