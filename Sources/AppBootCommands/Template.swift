/// A text with `{placeholders}`; `{{` and `}}` are literal braces.
struct Template: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case text(String)
    case placeholder(String)
  }

  let parts: [Part]

  // Braces are found as bytes: one with a combining mark behind it is still a brace.
  private static let opening = UInt8(ascii: "{")
  private static let closing = UInt8(ascii: "}")

  /// Parses a text with placeholders.
  ///
  /// - Throws: The first error in the text.
  init(_ text: String) throws(TemplateError) {
    var problems: [TemplateError] = []
    parts = Self.parts(of: text, &problems, atMost: 1)
    if let problem = problems.first { throw problem }
  }

  /// Returns the errors in a template, at most 16 and without duplicates.
  static func problems(in text: String?) -> [TemplateError] {
    var problems: [TemplateError] = []
    if let text { _ = parts(of: text, &problems, atMost: 16) }
    guard problems.count > 1 else { return problems }
    var seen: Set<TemplateError> = []
    return problems.filter { seen.insert($0).inserted }
  }

  /// Parses a text to its end, or until it has `limit` errors. Leaves out braces without a match.
  private static func parts(of text: String, _ problems: inout [TemplateError], atMost limit: Int) -> [Part] {
    var parts: [Part] = []
    var unclosed = 0
    var plain = ""
    var rest = text[...]
    while problems.count < limit,
      let brace = rest.utf8.firstIndex(where: { $0 == opening || $0 == closing })
    {
      plain += String(rest[..<brace])
      let byte = rest.utf8[brace]
      rest = rest[rest.utf8.index(after: brace)...]
      if rest.utf8.first == byte {
        plain += byte == opening ? "{" : "}"
        rest = rest[rest.utf8.index(after: rest.startIndex)...]
      } else if byte == opening {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        do throws(TemplateError) {
          parts.append(.placeholder(try takeName(&rest)))
        } catch {
          problems.append(error)
          if case .unclosed = error { unclosed += 1 }
        }
      } else if unclosed > 0 {
        unclosed -= 1
      } else {
        problems.append(.unopened)
      }
    }
    plain += String(rest)
    return plain.isEmpty ? parts : parts + [.text(plain)]
  }

  /// The names of the placeholders, in order and without duplicates.
  var placeholders: [String] {
    var (names, seen): ([String], Set<String>) = ([], [])
    for case .placeholder(let name) in parts where seen.insert(name).inserted { names.append(name) }
    return names
  }

  private static func takeName(_ rest: inout Substring) throws(TemplateError) -> String {
    let isEnd: (UInt8) -> Bool = { $0 == opening || $0 == closing || $0 == UInt8(ascii: "\n") }
    guard let end = rest.utf8.firstIndex(where: isEnd), rest.utf8[end] == closing else {
      throw .unclosed(String(rest.prefix(40).prefix { !$0.isNewline }))
    }
    let name = String(rest[..<end])
    rest = rest[rest.utf8.index(after: end)...]
    guard !name.isEmpty else { throw .unnamed }
    return name
  }

  /// Returns the text with each placeholder replaced by its value.
  func filled<Failure: Error>(_ value: (String) throws(Failure) -> String) throws(Failure) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let plain): text += plain
      case .placeholder(let name): text += try value(name)
      }
    }
    return text
  }
}

/// An error in the braces of a template.
enum TemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A `{` has no `}`. The value is the beginning of the text after the `{`.
  case unclosed(String)
  /// A `}` has no `{`.
  case unopened
  /// A placeholder has no name: `{}`.
  case unnamed

  /// The error message: the problem and its fix.
  var description: String {
    switch self {
    case .unclosed(let text): "\"{\(text)\" has no \"}\": write \"{{\" for the brace itself"
    case .unopened: "a \"}\" has no \"{\": write \"}}\" for the brace itself"
    case .unnamed: "\"{}\" names nothing: write \"{{}}\" for the braces themselves"
    }
  }
}
