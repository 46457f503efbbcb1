import AppBoot

extension VisibleText {
  /// Returns the text with control and format characters shown as `<U+001B>`.
  ///
  /// - Parameter ascii: True to replace all non-ASCII characters: `…`, `→` and others by similar ASCII characters, the
  ///   rest by code points.
  package static func of(_ text: String, ascii: Bool) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    return ascii ? text.reduce(into: "") { $0 += inASCII($1) } : of(text)
  }

  /// Returns a line with a backslash in each part that a CI system would execute as a command.
  ///
  /// These parts are:
  ///
  /// - `::` at the beginning, after any white space, and `##[` anywhere (GitHub, "Workflow commands")
  /// - `##vso[` anywhere (Microsoft, "Logging commands" of Azure Pipelines), and `##teamcity[` (JetBrains, "Service
  ///   messages")
  package static func inert(_ line: String) -> String {
    var result = isWorkflowCommand(line) ? "\\" : ""
    // By scalars: a mark before it would make one character of itself and the first `#`.
    var command = LoggingCommand()
    for scalar in line.unicodeScalars {
      if command.isBracket(scalar.value) { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Returns whether a line is a workflow command of GitHub Actions: `::`, after any white space.
  package static func isWorkflowCommand(_ line: String) -> Bool {
    line.unicodeScalars.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars)
  }

  /// Returns a text as one line for people: without colours, and with other hidden characters shown.
  static func line(_ text: String) -> String {
    of(String(withoutColors(text).map { $0.isNewline || $0 == "\t" ? " " : $0 }))
  }

  /// Returns the text without the sequences that set colours (SGR) or erase the rest of a line (EL): ECMA-48, 8.3.
  ///
  /// Some programs print these sequences into a pipe too. The text is easier to read without them.
  package static func withoutColors(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    var result = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.first {
      if scalar == "\u{1B}", let end = endOfColor(rest) {
        rest = rest[end...]
      } else {
        result.append(scalar)
        rest.removeFirst()
      }
    }
    return String(result)
  }

  /// Returns the end of a sequence at the beginning of a text: `ESC [`, parameters, and `m` or `K`; `nil` if there is
  /// none.
  private static func endOfColor(_ text: Substring.UnicodeScalarView) -> String.Index? {
    let parameters = text.dropFirst()
    guard parameters.first == "[" else { return nil }
    let end = parameters.dropFirst().drop { ("0"..."9").contains($0) || $0 == ";" || $0 == ":" }
    guard let final = end.first, final == "m" || final == "K" else { return nil }
    return text.index(after: end.startIndex)
  }

  /// Returns a character in ASCII: by a similar character, or by its code points.
  private static func inASCII(_ character: Character) -> String {
    if let plain = asciiForms[character] { return plain }
    return character.unicodeScalars.reduce(into: "") { result, scalar in
      if isHidden(scalar) || !scalar.isASCII {
        result += "<\(scalar.codePoint)>"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// The ASCII replacements for the non-ASCII characters in AppBoot's own messages.
  private static let asciiForms: [Character: String] = [
    "…": "...", "→": "->", "–": "-", "—": "-", "µ": "u", "×": "x", "“": "\"", "”": "\"", "’": "'",
  ]
}

extension String {
  /// Returns the text with other texts in place of some scalars. A quote and a mark after it are one character.
  func escaped(_ forms: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { $0 += forms[$1] ?? String($1) }
  }
}
