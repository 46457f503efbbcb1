/// The help for names that do not exist. It is the closest name that exists, or a list of names.
struct NameSuggestions {
  let names: [String]
  /// The word for the names in the plural, for example `commands`.
  let called: String
  /// True if a long list has only the nearest names.
  var isShortened = false
  /// The number of searches so far.
  private(set) var searches = 0

  /// Returns the help for references to the ids of entries, and to the names of groups.
  static func ids(of entries: [ManifestEntry], and groups: [String] = []) -> NameSuggestions {
    NameSuggestions(
      names: entries.map(\.id).filter { !$0.isEmpty } + groups, called: "ids here", isShortened: true)
  }

  /// Returns the help for a name that does not exist, as one line.
  mutating func help(for name: String) -> String {
    let search = ClosestName(among: names, after: searches)
    searches += 1
    if let match = search.match(for: name) { return "did you mean \"\(match.excerpt)\"?" }
    guard !names.isEmpty else { return "there are no \(called)" }
    let list =
      isShortened
      ? search.list(for: name) : NameList(Array(names.prefix(40)), isShortened: names.count > 40)
    return "the \(called) are \(list.text())"
  }
}
