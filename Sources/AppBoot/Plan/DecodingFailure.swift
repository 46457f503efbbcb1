/// Finds the places in the manifest that a type's own decoding refused.
enum DecodingFailure {
  /// What decoding refused, beside what the schema has found wrong with the same entry.
  ///
  /// The schema says better what is missing or of the wrong type: of that, decoding is asked where the schema
  /// found nothing at all.
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

  /// The way in words, and the innermost value on it that the manifest has.
  private static func place(
    of path: [any CodingKey], in parameters: JSONValue?
  ) -> (name: String, range: SourceRange?) {
    var name = ""
    var (current, innermost) = (parameters, parameters)
    for key in path {
      // The keys of dictionaries have an integer value as well where they look like one.
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
