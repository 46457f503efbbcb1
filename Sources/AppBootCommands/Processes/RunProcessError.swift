import AppBoot
import AppBootRecords
import AppBootSystem

/// An error of a program that could not start or that did not end as expected.
enum RunProcessError: Error, Sendable {
  /// The arguments are empty.
  case noProgram
  /// The program could not start. `directory` is the step's directory for messages; `nil` for none.
  case notStarted(SpawnError, arguments: [String], directory: String?)
  /// The program ended in an unexpected way. `output` is the end of its output; `nil` if the terminal received it.
  case ended(program: String, ProcessEnd, expected: [Int], output: String?)
  /// The system stopped the program with a signal, because it asked for the terminal. `output` is the end of its
  /// output.
  case askedForTerminal(program: String, signal: String, output: String)
}

extension RunProcessError: ShortageError {
  var isShortage: Bool {
    if case .notStarted(let error, _, _) = self { error.isShortage } else { false }
  }
}

extension RunProcessError: CustomStringConvertible {
  /// The maximum number of output lines in an error message.
  static let shownLines = 20
  /// The maximum number of output characters in an error message. A program may print very long lines.
  static let shownCharacters = 4000

  /// The error message: the problem and its fix. If the program ran, also its end and the last lines of its output.
  var description: String {
    switch self {
    case .noProgram:
      "no program to run: name it as the first item of \"arguments\""
    case .notStarted(let error, let arguments, let directory):
      Self.words(error, arguments, directory)
    case .ended(let program, .exited(let code), let expected, let output):
      "\"\(program)\" exited with code \(code), expected \(Self.list(expected))\(Self.shown(output))"
    case .ended(let program, let end, _, let output):
      "\"\(program)\" \(end.words)\(Self.shown(output))"
    case .askedForTerminal(let program, let signal, let output):
      "\"\(program)\" asked for the terminal (\(signal)), and a step has none: "
        + "set \"interactive\": true, or let it ask for nothing, for example with `ssh -o BatchMode=yes`; "
        + "it was killed\(Self.shown(output))"
    }
  }

  private static func words(_ error: SpawnError, _ arguments: [String], _ directory: String?) -> String {
    switch error {
    case .programNotFound(let line, _) where arguments.count == 1 && line.contains(where: \.isWhitespace):
      return "there is no program \"\(line)\": \(helpForSplitting(line))"
    case .programNotFound(let name, let searched) where searched.isEmpty:
      return error.description + (name.hasPrefix("/") ? "" : ": a path is relative to \"directory\"")
    case .programNotFound(let name, let searched):
      return "there is no program \"\(name)\" in PATH: install it, "
        + (name == "sh" ? "or use \"arguments\", which need no shell\n" : "or give its path\n")
        + "PATH is \(searched.joined(separator: ":"))"
    case .notExecutable(let path):
      return
        "\"\(path)\" is not executable: a program or a script needs the permission (chmod +x), and a script "
        + "its first line (#!)"
    case .carriageReturn:
      return "\(error): convert the file, for example with `sed -i 's/\\r$//' FILE`"
    case .interpreterNotFound:
      return
        "\(error): install it, or correct the first line (#!) of the script; for a program, install its loader "
        + "(`readelf -l`), or link it statically"
    case .badDirectory(let place, let error):
      let path = directory ?? place
      return "cannot start in the directory \"\(path)\": \(error.reason)"
        + (path.hasPrefix("/") ? "" : "; it is relative to the manifest's directory")
    case .other where error.isShortage:
      return "\(error): raise the limit (`ulimit -n` or `ulimit -u`), or run fewer processes at the same time"
    case .unwatchable, .other:
      return error.description
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
    let lines = output.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { VisibleText.lastDrawn($0) }
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
