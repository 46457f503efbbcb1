/// Functions that turn errors of a type's own decoding into diagnostics with places in the manifest.
enum DecodingFailure {
  /// Returns the diagnostics for a decoding error; empty if the schema's diagnostics (`known`) already report it.
  ///
  /// The schema has better messages for missing values and wrong types. A decoding error about those counts only if
  /// `known` is empty.
  static func diagnostics(
    _ error: any Error, in entry: ManifestEntry, beside known: ArraySlice<Diagnostic>
  ) -> [Diagnostic] {
    if let problems = error as? ParameterProblems {
      return problems.errors.flatMap { diagnostics($0, in: entry, beside: known) }
    }
    let diagnostic = diagnostic(error, in: entry)
    guard !known.isEmpty else { return [diagnostic] }
    guard case DecodingError.dataCorrupted = error else { return [] }
    let place = diagnostic.range
    let isKnown = known.contains { place.start <= $0.range.start && $0.range.end <= place.end }
    return isKnown ? [] : [diagnostic]
  }

  private static func diagnostic(_ error: any Error, in entry: ManifestEntry) -> Diagnostic {
    guard let error = error as? DecodingError else {
      return .error("\(entry.command): \(error)", at: entry.commandRange)
    }
    let (context, message) = facts(of: error)
    let (name, range) = place(of: context.codingPath, in: entry.parameters)
    return .error(
      name.isEmpty ? "\(entry.command): \(message)" : "\"\(name)\": \(message)",
      at: range ?? entry.commandRange)
  }

  private static func facts(of error: DecodingError) -> (context: DecodingError.Context, message: String) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      (context, context.debugDescription)
    case .keyNotFound(let key, let context): (context, "\"\(key.stringValue)\" is missing")
    @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
    }
  }

  /// Returns the path as text, and the range of its innermost value that is in the manifest.
  private static func place(
    of path: [any CodingKey], in parameters: JSONValue?
  ) -> (name: String, range: SourceRange?) {
    var name = ""
    var (current, innermost) = (parameters, parameters)
    for key in path {
      // A dictionary's key has an integer value as well if it looks like a number.
      if let index = key.intValue, current?.kind == .array {
        name += "[\(index)]"
        current = current?.elements.dropFirst(index).first
      } else {
        name += name.isEmpty ? key.stringValue : ".\(key.stringValue)"
        current = current?[key.stringValue]
      }
      innermost = current ?? innermost
    }
    return (name.excerpt, innermost?.range)
  }
}
