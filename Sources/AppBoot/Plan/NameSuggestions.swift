/// Help for names that do not exist: the closest existing name, or a list of the names.
struct NameSuggestions {
  private let called: String
  private var search: NameSearch
  /// The list that every mistake shares; `nil` if each has a list of the nearest names.
  private let list: String?

  /// - Parameters:
  ///   - called: What the names are, in plural.
  ///   - isShortened: True if a list has only the nearest names.
  init(among names: [String], called: String, isShortened: Bool = false) {
    self.called = called
    search = NameSearch(among: names)
    list = isShortened && names.count > NameSearch.most ? nil : Self.list(of: names, called)
  }

  /// Returns one line of help for a name that does not exist.
  mutating func help(for name: String) -> String {
    if let match = search.match(for: name) { return "did you mean \"\(match.excerpt)\"?" }
    return list ?? "the \(called) are \(search.list(for: name).text())"
  }

  private static func list(of names: [String], _ called: String) -> String {
    if names.isEmpty { return "there are no \(called)" }
    return "the \(called) are \(NameList(Array(names.prefix(40)), isShortened: names.count > 40).text())"
  }
}

extension NameSuggestions {
  /// Creates the help for ids that no entry has.
  init(amongIdsOf entries: [ManifestEntry]) {
    self.init(among: entries.map(\.id).filter { !$0.isEmpty }, called: "ids here", isShortened: true)
  }
}
