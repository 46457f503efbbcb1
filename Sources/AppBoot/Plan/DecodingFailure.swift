/// Finds the place in the manifest that a type's own decoding refused.
enum DecodingFailure {
  static func diagnostic(_ error: any Error, in entry: ManifestEntry) -> Diagnostic {
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
