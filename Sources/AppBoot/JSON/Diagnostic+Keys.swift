extension Diagnostic {
  /// Returns the error for an unknown key. The error suggests a known key that is close to it, if there is one.
  static func unknownKey(_ name: String, _ range: SourceRange, among known: [String], of what: String)
    -> Diagnostic
  {
    var help: [String] = []
    if let match = Synonym.suggestion(for: name, among: known) {
      help.append("did you mean \"\(match)\"?")
    }
    let list = known.isEmpty ? "it has no keys" : "its keys are \(known.joined(separator: ", "))"
    help.append("\(list); custom keys begin with \"x-\"")
    return Diagnostic(.error, "unknown key \"\(name.excerpt)\" in \(what)", at: range, help: help)
  }
}

extension SourceRange {
  /// The place of the opening bracket or brace of a container.
  var opening: SourceRange { SourceRange(start: start, end: start + 1) }
}

extension JSONValue {
  /// The value for an error message: a number as it is written, any other value as its kind.
  var found: String { kind == .number ? text.excerpt : kind.description }
}
