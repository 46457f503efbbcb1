/// Help for names that do not exist: the closest existing name, or all of them.
///
/// The number of comparisons is limited. A manifest with 100,000 mistakes among 100,000 names gets its list of
/// mistakes in time, the later ones without a suggestion.
struct NameSuggestions {
  private let names: [String]
  private let called: String
  private lazy var closest = ClosestName(among: names)
  private lazy var list = makeList()
  /// The number of names that may still be compared.
  private var comparisonsLeft = 5_000_000

  init(among names: [String], called: String) {
    self.names = names
    self.called = called
  }

  /// Returns one line of help for a name that does not exist.
  mutating func help(for name: String) -> String {
    comparisonsLeft -= names.count
    if comparisonsLeft >= 0, let match = closest.match(for: name) { return "did you mean \"\(match)\"?" }
    return list
  }

  private func makeList() -> String {
    if names.isEmpty { return "there are no \(called)" }
    return "the \(called) are \(names.prefix(40).joined(separator: ", "))\(names.count > 40 ? ", …" : "")"
  }
}
