/// The help for names that do not exist. It is the closest name that exists, or a list of names.
struct NameSuggestions {
  private let names: [String]
  private let called: String
  /// True if a long list has only the nearest names.
  private let isShortened: Bool
  private lazy var search = NameSearch(among: names)

  /// Creates the help for names of one kind.
  ///
  /// - Parameter called: The word for the names in the plural, for example `commands`.
  init(among names: [String], called: String) {
    (self.names, self.called, isShortened) = (names, called, false)
  }

  /// Creates the help for references to the ids of entries, and to the names of groups.
  init(amongIdsOf entries: [ManifestEntry], and groups: [String] = []) {
    names = entries.map(\.id).filter { !$0.isEmpty } + groups
    (called, isShortened) = ("ids here", true)
  }

  /// Returns the help for a name that does not exist, as one line.
  mutating func help(for name: String) -> String {
    if let match = search.match(for: name) { return "did you mean \"\(match.excerpt)\"?" }
    guard !names.isEmpty else { return "there are no \(called)" }
    let list =
      isShortened
      ? search.list(for: name) : NameList(Array(names.prefix(40)), isShortened: names.count > 40)
    return "the \(called) are \(list.text())"
  }
}
