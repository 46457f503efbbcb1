import AppBoot
import AppBootSystem

/// An error of a program that could not start or that did not end as expected.
enum RunProcessError: Error, Sendable, Hashable {
  /// The arguments are empty.
  case noProgram
  /// The program does not exist. `searched` are the directories of `PATH`; it is empty for a program with a slash.
  case programNotFound(String, searched: [String])
  /// The list of arguments has one item, which is a whole command line. No program has this name.
  case notSplit(String)
  /// The file exists but is not executable.
  case notExecutable(String)
  /// The interpreter that a script names in its first line, or the loader of a program's libraries, does not exist.
  case interpreterNotFound(String)
  /// The program cannot start in the directory. `reason` is the system's message.
  case badDirectory(String, reason: String)
  /// The system could not start the program. `reason` is the system's message.
  case notStarted(reason: String)
  /// There are as many processes or open descriptors as the system allows. `reason` is the system's message.
  case noPlace(reason: String)
  /// The program ended with an unexpected exit code. `output` is the end of its output; `nil` if the terminal received
  /// it.
  case exited(program: String, code: Int, expected: [Int], output: String?)
  /// The program was killed by a signal. `output` is the end of its output; `nil` if the terminal received it.
  case signalled(program: String, signal: String, output: String?)
  /// The system stopped the program with a signal, because it asked for the terminal. `output` is the end of its
  /// output.
  case askedForTerminal(program: String, signal: String, output: String)
}

extension RunProcessError {
  /// The maximum number of output lines in an error message.
  static let shownLines = 20
  /// The maximum number of output characters in an error message. A program may print very long lines.
  static let shownCharacters = 4000

  init(_ end: ProcessEnd, of program: String, expected: [Int], output text: String?) {
    switch end {
    case .exited(let code):
      self = .exited(program: program, code: Int(code), expected: expected, output: text)
    case .signalled(let signal):
      self = .signalled(program: program, signal: Signals.name(signal), output: text)
    }
  }

  init(_ error: SpawnError, arguments: [String], directory: String?) {
    switch error {
    case .programNotFound(let name, _) where arguments.count == 1 && name.contains(where: \.isWhitespace):
      self = .notSplit(name)
    case .programNotFound(let name, let searched): self = .programNotFound(name, searched: searched)
    case .notExecutable(let path): self = .notExecutable(path)
    case .interpreterNotFound(let path): self = .interpreterNotFound(path)
    case .badDirectory(let path, let error): self = .badDirectory(directory ?? path, reason: error.reason)
    case .other(let error) where error.isShortage: self = .noPlace(reason: error.description)
    case .unwatchable(let error), .other(let error): self = .notStarted(reason: error.description)
    }
  }
}

extension RunProcessError: ShortageError {
  var isShortage: Bool {
    if case .noPlace = self { true } else { false }
  }
}

extension RunProcessError: CustomStringConvertible {
  /// The error message: the problem and its fix. If the program ran, also its end and the last lines of its output.
  var description: String {
    switch self {
    case .noProgram:
      "no program to run: name it as the first item of \"arguments\""
    case .programNotFound(let name, let searched) where searched.isEmpty:
      "there is no program \"\(name)\"" + (name.hasPrefix("/") ? "" : ": a path is relative to \"directory\"")
    case .programNotFound(let name, let searched):
      "there is no program \"\(name)\" in PATH: install it, "
        + (name == "sh" ? "or use \"arguments\", which need no shell\n" : "or give its path\n")
        + "PATH is \(searched.joined(separator: ":"))"
    case .notSplit(let line):
      "there is no program \"\(line)\": \(Self.helpForSplitting(line))"
    case .notExecutable(let path):
      "\"\(path)\" is not executable: a program or a script needs the permission (chmod +x), and a script its first "
        + "line (#!)"
    case .interpreterNotFound(let path):
      "the interpreter of \"\(path)\" does not exist: install it, or correct the first line (#!) of the script; for a "
        + "program, install its loader (`readelf -l`), or link it statically"
    case .badDirectory(let path, let reason):
      "cannot start in the directory \"\(path)\": \(reason)"
        + (path.hasPrefix("/") ? "" : "; it is relative to the manifest's directory")
    case .notStarted(let reason):
      reason
    case .noPlace(let reason):
      "\(reason): raise the limit (`ulimit -n` or `ulimit -u`), or run fewer processes at the same time"
    case .exited(let program, let code, let expected, let output):
      "\"\(program)\" exited with code \(code), expected \(Self.list(expected))\(Self.shown(output))"
    case .signalled(let program, let signal, let output):
      "\"\(program)\" was killed by \(signal)\(Self.shown(output))"
    case .askedForTerminal(let program, let signal, let output):
      "\"\(program)\" asked for the terminal (\(signal)), and a step has none: "
        + "set \"interactive\": true, or let it ask for nothing, for example with `ssh -o BatchMode=yes`; "
        + "it was killed\(Self.shown(output))"
    }
  }

  /// The characters in a command line that only a shell interprets (POSIX, Shell Command Language, 2.2).
  private static let shellMarks: Set<Character> = [
    "|", "&", ";", "<", ">", "(", ")", "$", "`", "\\", "\"", "'", "*", "?", "[", "#", "~", "=", "{",
  ]

  private static func helpForSplitting(_ line: String) -> String {
    guard !line.contains(where: shellMarks.contains) else {
      return "arguments are not split by a shell; use [\"sh\", \"-c\", …]"
    }
    let words = line.split(whereSeparator: \.isWhitespace).map { "\"\($0)\"" }
    return "arguments are not split at spaces; use [\(words.joined(separator: ", "))]"
  }

  private static func list(_ codes: [Int]) -> String {
    guard let last = codes.last, codes.count > 1 else { return codes.first.map(String.init) ?? "none" }
    return codes.dropLast().map(String.init).joined(separator: ", ") + " or \(last)"
  }

  /// Returns the part of an error message with the program's output: a heading and the last lines, indented.
  ///
  /// - Parameter output: The output; `nil` if the terminal received it. Then the result is empty.
  static func shown(_ output: String?) -> String {
    guard let output else { return "" }
    let lines = output.split(omittingEmptySubsequences: false) { $0.isNewline }
    let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    guard end > 0 else { return ", and printed nothing" }
    let shown = lines[..<end].suffix(shownLines)
    let text = shown.joined(separator: "\n")
    let heading: String
    if text.count > shownCharacters {
      heading = "these last \(shownCharacters) characters of output"
    } else {
      heading = shown.count < end ? "these last \(shown.count) lines of output" : "this output"
    }
    return ", after \(heading):"
      + text.suffix(shownCharacters).split(separator: "\n", omittingEmptySubsequences: false)
      .map { "\n  " + $0 }.joined()
  }
}

extension TerminalLoanError: MissingPrecondition, CustomStringConvertible {
  /// The error message: the problem and its fix.
  package var description: String {
    switch self {
    case .noTerminal:
      "an interactive program needs a terminal, and there is none: run this in one, for example with `ssh -t` or "
        + "`docker run -it`"
    case .inBackground:
      "an interactive program needs the terminal, and this launch is in its background: run it in the foreground"
    }
  }
}
