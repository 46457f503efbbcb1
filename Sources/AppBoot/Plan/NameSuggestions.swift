/// The help for names that do not exist. It is the closest name that exists, or a list of names.
struct NameSuggestions {
  private let called: String
  private var search: NameSearch
  /// The list of names that is the same for all mistakes; `nil` if each mistake gets a list of the nearest names.
  private let list: String?

  /// Creates the help for names of one kind.
  ///
  /// - Parameters:
  ///   - called: The word for the names in the plural, for example `commands`.
  ///   - isShortened: True if a long list has only the nearest names.
  init(among names: [String], called: String, isShortened: Bool = false) {
    self.called = called
    search = NameSearch(among: names)
    list = isShortened && names.count > NameSearch.most ? nil : Self.list(of: names, called)
  }

  /// Returns the help for a name that does not exist, as one line.
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
  /// Creates the help for references to the ids of entries, and to the names of groups.
  init(amongIdsOf entries: [ManifestEntry], and groups: [String] = []) {
    let ids = entries.map(\.id).filter { !$0.isEmpty } + groups
    self.init(among: ids, called: "ids here", isShortened: true)
  }
}
