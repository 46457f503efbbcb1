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
    var names: [String] = []
    var rest = text[...]
    while let found = first(in: rest) {
      if !found.isLiteral { names.append(found.name) }
      rest = found.after
    }
    return names
  }

  /// Returns the first piece of a text that looks like a placeholder of a variable, but has no name or no closing brace.
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
        if next.map("{\n/:,;'\"".utf8.contains) ?? true { return "{env.\(Substring(name))" }
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Returns whether a text has a placeholder, also a literal one.
  func isUsed(in text: String) -> Bool { first(in: text[...]) != nil }

  /// Returns the text with each placeholder replaced by the value that a function returns for the placeholder's name.
  package func filled<Failure: Error>(
    _ text: String, _ value: (String) throws(Failure) -> String
  ) throws(Failure) -> String {
    var result = ""
    var rest = text[...]
    while let found = first(in: rest) {
      result += found.before
      result += found.isLiteral ? "{\(found.name)}" : try value(found.name)
      rest = found.after
    }
    return result + rest
  }

  /// A placeholder in a text.
  private struct Found {
    let before: Substring
    let name: String
    /// True if the braces are doubled.
    let isLiteral: Bool
    let after: Substring
  }

  /// Returns the first placeholder, with the text before and after it; `nil` without placeholders.
  private func first(in text: Substring) -> Found? {
    let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    var start = text.startIndex
    while let brace = text.utf8[start...].firstIndex(of: opening) {
      start = text.utf8.index(after: brace)
      guard let prefix = openings.first(where: { text.utf8[brace...].starts(with: $0) }) else { continue }
      let name = text.utf8[start...].prefix { !"{}\n".utf8.contains($0) }
      guard name.count >= prefix.count, name.endIndex < text.endIndex, text.utf8[name.endIndex] == closing
      else { continue }
      let (before, after) = (text[..<brace], text[text.utf8.index(after: name.endIndex)...])
      let isLiteral = before.utf8.last == opening && after.utf8.first == closing
      return Found(
        before: isLiteral ? before[..<before.utf8.index(before: brace)] : before,
        name: String(Substring(name)),
        isLiteral: isLiteral, after: isLiteral ? after[after.utf8.index(after: after.startIndex)...] : after)
    }
    return nil
  }
}
