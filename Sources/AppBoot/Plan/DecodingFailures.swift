/// A converter of decoding errors to diagnostics with places in the manifest.
struct DecodingFailures {
  private let entry: ManifestEntry
  private let hasOthers: Bool
  /// The places of the schema's diagnostics, sorted.
  private let known: [SourceRange]
  private let fields: [ParameterField]
  private var search = PathSearch()

  /// Creates a converter for an entry.
  ///
  /// - Parameters:
  ///   - known: The places of the schema's diagnostics about the same entry.
  ///   - fields: The parameters of the entry's command.
  init(of entry: ManifestEntry, beside known: [SourceRange] = [], fields: [ParameterField] = []) {
    self.entry = entry
    self.fields = fields
    self.known = known.sorted()
    hasOthers = !known.isEmpty
  }

  /// Adds the diagnostics for a decoding error, unless the schema's diagnostics already report the error.
  ///
  /// The schema has better messages for missing values and wrong types. A decoding error about these is added only if
  /// the schema found nothing.
  mutating func add(
    _ error: any Error, to problems: inout Diagnostics, _ change: (inout Diagnostic) -> Void = { _ in }
  ) {
    if let inner = error as? ParameterProblems {
      for error in inner.errors { add(error, to: &problems, change) }
      return
    }
    if hasOthers {
      guard case DecodingError.dataCorrupted = error else { return }
    }
    guard let error = error as? DecodingError else {
      var problem = Diagnostic.error("\(entry.command): \(error)", at: entry.commandRange)
      change(&problem)
      return problems.append(problem)
    }
    let (context, message) = Self.facts(of: error)
    let (name, range) = search.place(of: context.codingPath, in: entry.parameters)
    let place = range ?? entry.commandRange
    guard !isKnown(place) else { return }
    var problem = Diagnostic.error(
      name.isEmpty ? "\(entry.command): \(message)" : "\"\(name)\": \(message)", at: place,
      help: textHelp(forValueAt: name))
    change(&problem)
    problems.append(problem)
  }

  /// Returns how a parameter's value is made from text, if the manifest has text and the schema accepts any value.
  private func textHelp(forValueAt name: String) -> String? {
    guard entry.parameters?[name]?.kind == .string else { return nil }
    return fields.first { $0.name == name }?.textHelp
  }

  /// Returns whether the schema has a diagnostic inside a place.
  private func isKnown(_ place: SourceRange) -> Bool {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = (low + high) / 2
      if known[middle].start < place.start { low = middle + 1 } else { high = middle }
    }
    return known[low...].prefix { $0.start <= place.end }.contains { $0.end <= place.end }
  }

  private static func facts(of error: DecodingError) -> (context: DecodingError.Context, message: String) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      (context, context.debugDescription)
    case .keyNotFound(let key, let context): (context, "\"\(key.stringValue)\" is missing")
    @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
    }
  }
}

/// A search for values by their paths. It reads the elements of each list only once.
private struct PathSearch {
  /// The elements of lists, by the lists' places.
  private var lists: [SourceRange: [JSONValue]] = [:]
  /// The members of objects, by the objects' places.
  private var objects: [SourceRange: [String: JSONValue]] = [:]

  /// Returns a path as text, and the place of its innermost value that the manifest has; `nil` without parameters.
  mutating func place(
    of path: [any CodingKey], in parameters: JSONValue?
  ) -> (name: String, range: SourceRange?) {
    var name = ""
    var (current, innermost) = (parameters, parameters)
    for key in path {
      // A dictionary's key has an integer value as well if it looks like a number.
      if let index = key.intValue, let list = current, list.kind == .array {
        name += "[\(index)]"
        let elements = elements(of: list)
        current = elements.indices.contains(index) ? elements[index] : nil
      } else if let index = key.intValue, parameters == nil {
        name += "[\(index)]"
      } else {
        name += name.isEmpty ? key.stringValue : ".\(key.stringValue)"
        current = current.flatMap { members(of: $0)[key.stringValue] }
      }
      innermost = current ?? innermost
    }
    return (name.excerpt, innermost?.range)
  }

  private mutating func elements(of list: JSONValue) -> [JSONValue] {
    if let known = lists[list.range] { return known }
    let elements = Array(list.elements)
    lists[list.range] = elements
    return elements
  }

  private mutating func members(of object: JSONValue) -> [String: JSONValue] {
    guard object.kind == .object else { return [:] }
    if let known = objects[object.range] { return known }
    let members = Dictionary(object.members.map { ($0.key.string, $0.value) }) { $1 }
    objects[object.range] = members
    return members
  }
}
