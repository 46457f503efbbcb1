package import AppBoot

/// The command line of a process in the form that records have.
package enum CommandLineText {
  /// The maximum number of Unicode scalars. A longer command line ends with an ellipsis.
  package static let longest = 500

  /// Returns a program and its arguments, quoted so that a POSIX shell reads them back.
  ///
  /// Secrets are replaced in each argument before it is quoted or cut: a secret with a quote would look different, and
  /// one that was cut would not be found.
  package static func of(_ arguments: [String], hiding secrets: Secrets) -> String {
    var text = ""
    for argument in arguments {
      // The rest does not fit.
      guard text.unicodeScalars.count <= longest else { break }
      if !text.isEmpty { text += " " }
      text += ShellText.word(secrets.masking(argument))
    }
    return text.cut(toScalars: longest)
  }
}

extension LaunchContext {
  /// Records that a process was started for the command.
  ///
  /// - Parameter arguments: The program and its arguments.
  package func processStarted(_ pid: Int32, arguments: [String]) {
    let line = CommandLineText.of(arguments, hiding: secrets)
    record(.processStarted(.init(step: step, attempt: attempt, pid: pid, commandLine: line)))
  }
}

/// A namespace for functions that quote text for a POSIX shell.
package enum ShellText {
  /// Returns the text in single quotes.
  package static func quoted(_ text: String) -> String {
    // A quote and a combining mark after it are one character.
    "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" ? #"'\''"# : "\($1)" } + "'"
  }

  /// Returns the text as one word of a command line. A text that the shell reads as it stands gets no quotes.
  package static func word(_ text: String) -> String {
    !text.isEmpty && text.utf8.allSatisfy(isPlain) ? text : quoted(text)
  }

  /// Returns whether a byte has no special meaning in the shell (POSIX, Shell Command Language, 2.2).
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isWord || "-./:=,@%+".utf8.contains(byte)
  }
}

/// A namespace for functions that write a step's id into a command line of the tool.
package enum StepArgument {
  /// Returns an id with its commas and backslashes escaped, for a list such as that of `--only`.
  package static func listed(_ id: String) -> String {
    id.unicodeScalars.reduce(into: "") { $0 += $1 == "," || $1 == "\\" ? "\\\($1)" : "\($1)" }
  }

  /// Returns an option with a list of steps as a shell reads it, for example `--only 'a b,c'`.
  ///
  /// A list that looks like an option is in the same word, for example `--only=--all`.
  package static func option(_ name: String, _ ids: [String]) -> String {
    let list = ids.map(listed).joined(separator: ",")
    return name + (list.hasPrefix("--") ? "=" : " ") + ShellText.word(list)
  }

  /// Returns a positional argument as a shell reads it, for example `'a b'`, or `-- -x` for one that looks like an
  /// option.
  package static func operand(_ id: String) -> String {
    (id.hasPrefix("-") ? "-- " : "") + ShellText.word(id)
  }
}

extension DurationText {
  /// Returns a duration in nanoseconds for tables and messages, with about three digits.
  ///
  /// Examples: `"3.2 ms"`, `"412 µs"`, `"2m 05s"`.
  package static func brief(nanoseconds: Int64, ascii: Bool = false) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let value = nanoseconds.magnitude
    if value == 0 { return "0 s" }
    for step in briefSteps {
      // Rounds before it chooses the unit: 999.6 µs is "1.0 ms", never "1000 µs".
      let rounded = (value + step.unit / step.scale / 2) / (step.unit / step.scale)
      guard rounded < step.limit * step.scale else { continue }
      let unit = ascii && step.name == "µs" ? "us" : step.name
      return "\(sign)\(fixed(rounded, scale: step.scale)) \(unit)"
    }
    return sign + clock(seconds: (value + 500_000_000) / 1_000_000_000)
  }

  /// The formats of brief durations, from small to large.
  ///
  /// Each has a unit, the unit's size in nanoseconds, 10^decimals, and the value in that unit at which the next begins.
  private static let briefSteps: [(name: String, unit: UInt64, scale: UInt64, limit: UInt64)] = [
    ("ns", 1, 1, 1000),
    ("µs", 1000, 10, 10), ("µs", 1000, 1, 1000),
    ("ms", 1_000_000, 10, 100), ("ms", 1_000_000, 1, 1000),
    ("s", 1_000_000_000, 100, 10), ("s", 1_000_000_000, 10, 60),
  ]

  private static func fixed(_ value: UInt64, scale: UInt64) -> String {
    scale > 1 ? "\(value / scale).\((value % scale).digits(scale == 10 ? 1 : 2))" : String(value)
  }

  private static func clock(seconds: UInt64) -> String {
    if seconds < 3600 { return "\(seconds / 60)m \((seconds % 60).digits(2))s" }
    return "\(seconds / 3600)h \((seconds % 3600 / 60).digits(2))m"
  }
}

extension BinaryInteger {
  /// Returns the digits of the number, with zeros before them up to a count.
  func digits(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}

extension VisibleText {
  /// Returns the text without the sequences that set colours (SGR) or erase the rest of a line (EL): ECMA-48, 8.3.
  ///
  /// Some programs print these sequences into a pipe too. The text is easier to read without them.
  package static func withoutColors(_ text: String) -> String {
    text.utf8.contains(0x1B) ? mapping(text, keepsColors: false) { $0 } : text
  }

  /// Returns the text with its parts between the sequences of ``withoutColors(_:)`` changed by a function.
  ///
  /// - Parameter keepsColors: True to keep the sequences that set colours. The text then ends with their reset.
  package static func mapping(
    _ text: String, keepsColors: Bool, _ body: (String) -> String
  ) -> String {
    var (result, part) = ("", String.UnicodeScalarView())
    var rest = Substring(text).unicodeScalars
    var hasColors = false
    while let scalar = rest.first {
      guard scalar == "\u{1B}", let end = endOfColor(rest) else {
        part.append(scalar)
        rest.removeFirst()
        continue
      }
      if keepsColors, rest[..<end].last == "m" {
        result += body(String(part)) + String(rest[..<end])
        (part, hasColors) = (String.UnicodeScalarView(), true)
      }
      rest = rest[end...]
    }
    result += body(String(part))
    return hasColors && !result.hasSuffix(reset) ? result + reset : result
  }

  /// The sequence that ends all colours.
  private static let reset = "\u{1B}[0m"

  /// Returns the end of a sequence at the beginning of a text: `ESC [`, parameters, and `m` or `K`; `nil` if there is
  /// none.
  private static func endOfColor(_ text: Substring.UnicodeScalarView) -> String.Index? {
    let parameters = text.dropFirst()
    guard parameters.first == "[" else { return nil }
    let end = parameters.dropFirst().drop { ("0"..."9").contains($0) || $0 == ";" || $0 == ":" }
    guard let final = end.first, final == "m" || final == "K" else { return nil }
    return text.index(after: end.startIndex)
  }

  /// Returns the part of a line of output that a terminal shows: the one after the last carriage return that text
  /// follows.
  ///
  /// A program that draws its progress begins the same line again.
  package static func lastDrawn(_ line: some StringProtocol) -> String {
    line.split { $0 == "\r" }.last.map { String($0) } ?? ""
  }
}
