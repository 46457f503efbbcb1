/// Finds the place in the manifest that a type's own decoding refused.
enum DecodingFailure {
  static func diagnostic(_ error: any Error, in entry: ManifestEntry) -> Diagnostic {
    guard let error = error as? DecodingError else {
      return .error("\(entry.command): \(error)", at: entry.commandRange)
    }
    let (context, message) = facts(of: error)
    let path = context.codingPath
    let name = path.reduce(into: "") { name, key in
      if !name.isEmpty, key.intValue == nil { name += "." }
      name += key.stringValue
    }
    let place = value(at: path, in: entry.parameters)?.range ?? entry.commandRange
    return .error(name.isEmpty ? "\(entry.command): \(message)" : "\"\(name)\": \(message)", at: place)
  }

  private static func facts(of error: DecodingError) -> (context: DecodingError.Context, message: String) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      (context, context.debugDescription)
    case .keyNotFound(let key, let context): (context, "\"\(key.stringValue)\" is missing")
    @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
    }
  }

  private static func value(at path: [any CodingKey], in root: JSONValue?) -> JSONValue? {
    var current = root
    for key in path {
      guard let value = current else { return root }
      if let index = key.intValue, value.kind == .array {
        current = value.elements.dropFirst(index).first
      } else {
        current = value[key.stringValue]
      }
    }
    return current
  }
}
