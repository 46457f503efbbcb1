/// What to say about names that do not exist: the closest one that does, or all of them.
///
/// A closest name is looked for as long as that is cheap: a manifest of 100,000 mistakes among 100,000
/// names gets its list of mistakes in time, the later ones without a suggestion.
struct NameSuggestions {
  private let names: [String]
  private let called: String
  private lazy var closest = ClosestName(among: names)
  private lazy var list = makeList()
  /// How many more names may be compared.
  private var comparisonsLeft = 5_000_000

  init(among names: [String], called: String) {
    self.names = names
    self.called = called
  }

  /// One line of help for a name that does not exist.
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
