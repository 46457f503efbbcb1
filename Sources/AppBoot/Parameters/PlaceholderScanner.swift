/// A scanner for placeholders with given prefixes. All other braces of the text stay as they are.
///
/// Doubled braces make a placeholder literal: `{{env.HOME}}` is the text `{env.HOME}`.
package struct PlaceholderScanner: Sendable {
  /// The first characters of each kind of placeholder, for example `{env.`.
  private let openings: [[UInt8]]

  /// Creates a scanner for placeholders. Their names consist of one of the prefixes and at least one more byte.
  package init(_ prefixes: String...) {
    openings = prefixes.map { Array("{\($0)".utf8) }
  }

  /// Returns the names of the placeholders in a text, in order.
  package func names(in text: String) -> [String] {
    pieces(of: text).compactMap { piece in
      if case .placeholder(let name) = piece { name } else { nil }
    }
  }

  /// The scanner for the placeholders in the arguments of processes.
  package static let ofProcesses = PlaceholderScanner("env.", "launch.", "step.", "service.")

  /// Returns the beginning of a placeholder in a text, for example `{env.`, even if its name or its closing brace is
  /// missing. Returns `nil` if there are none but literal ones.
  func opening(in text: String) -> String? {
    let openings = openings.map { String(decoding: $0, as: UTF8.self) }
    for piece in pieces(of: text) {
      // The braces of a literal placeholder are in different pieces.
      let part =
        switch piece {
        case .text(let text): String(text)
        case .placeholder(let name): "{\(name)"
        }
      if let opening = openings.first(where: { part.contains($0) }) { return opening }
    }
    return nil
  }

  /// Returns whether a text has a placeholder, also a literal one.
  func isUsed(in text: String) -> Bool { pieces(of: text).count > 1 }

  /// Returns the first piece of a text that looks like a placeholder of a variable, but has no name or no closing
  /// brace.
  ///
  /// A piece such as `{env.x = 1` is not one of them, because it can be code.
  package static func malformed(in text: String) -> String? {
    let opening = Array("{env.".utf8)
    var rest = text.utf8[...]
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      rest = rest[brace...]
      let name = rest.dropFirst(opening.count).prefix(while: \.isWord)
      let next = text.utf8[name.endIndex...].first
      if rest.starts(with: opening) {
        if name.isEmpty, next == UInt8(ascii: "}") { return "{env.}" }
        let after = text.utf8[name.endIndex...]
        let hasDefault =
          after.starts(with: ":-".utf8) && after.first(where: "{}\n".utf8.contains) == UInt8(ascii: "}")
        if !hasDefault, next.map("{\n/:,;'\"".utf8.contains) ?? true { return "{env.\(Substring(name))" }
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Returns the text with each placeholder replaced by the value that a function returns for the placeholder's name.
  package func filled<Failure: Error>(
    _ text: String, _ value: (String) throws(Failure) -> String
  ) throws(Failure) -> String {
    var result = ""
    for piece in pieces(of: text) {
      switch piece {
      case .text(let text): result += text
      case .placeholder(let name): result += try value(name)
      }
    }
    return result
  }

  /// A part of a text.
  private enum Piece {
    case text(Substring)
    case placeholder(String)
  }

  /// Returns the placeholders of a text and the texts around them, in order. Literal placeholders are texts without the
  /// outer braces.
  private func pieces(of text: String) -> [Piece] {
    let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    var pieces: [Piece] = []
    var rest = text[...]
    var start = text.startIndex
    while let brace = text.utf8[start...].firstIndex(of: opening) {
      start = text.utf8.index(after: brace)
      guard let prefix = openings.first(where: { text.utf8[brace...].starts(with: $0) }) else { continue }
      let name = text.utf8[start...].prefix { !"{}\n".utf8.contains($0) }
      guard name.count >= prefix.count, text.utf8[name.endIndex...].first == closing else { continue }
      pieces.append(.text(rest[..<brace]))
      start = text.utf8.index(after: name.endIndex)
      if rest[..<brace].utf8.last == opening, text.utf8[start...].first == closing {
        pieces.append(.text(text[name.startIndex..<start]))
        start = text.utf8.index(after: start)
      } else {
        pieces.append(.placeholder(String(text[name.startIndex..<name.endIndex])))
      }
      rest = text[start...]
    }
    return pieces + [.text(rest)]
  }
}
