/// The search for names that are like mistyped ones, among the same names again and again.
///
/// The number of comparisons is limited for all searches together. A manifest with 100,000 mistakes among 100,000 names
/// gets its list of mistakes in time, the later ones without a suggestion.
package struct NameSearch: Sendable {
  /// The maximum number of names in a message.
  package static let most = 10

  /// The names that exist.
  package let names: [String]
  private let closest: ClosestName
  /// The number of pairs of letters that may still be compared.
  package private(set) var comparisonsLeft: Int

  /// Prepares the names to choose from.
  package init(among names: [String], comparisonsLeft: Int = 5 * ClosestName.comparisonLimit) {
    self.names = names
    closest = ClosestName(among: names)
    self.comparisonsLeft = comparisonsLeft
  }

  /// Returns the name closest to a mistyped one; `nil` if no name is close.
  package mutating func match(for name: String) -> String? {
    comparisonsLeft > 0 ? closest.match(for: name, comparisonsLeft: &comparisonsLeft) : nil
  }

  /// Returns the names for a message about a mistyped one: all, or the nearest ones if there are many. If no further
  /// comparison is allowed, these are the first ones.
  package mutating func list(for name: String) -> NameList {
    guard names.count > Self.most else { return NameList(names) }
    let nearest =
      comparisonsLeft > 0
      ? closest.nearest(Self.most, to: name, comparisonsLeft: &comparisonsLeft)
      : Array(names.prefix(Self.most))
    return NameList(nearest, isShortened: true)
  }
}

/// The names that a message lists.
package struct NameList: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The names.
  package var names: [String]
  /// True if there are more names than these.
  package var isShortened: Bool

  /// Creates a list.
  package init(_ names: [String], isShortened: Bool = false) {
    (self.names, self.isShortened) = (names, isShortened)
  }

  /// Creates a list of all names.
  package init(arrayLiteral names: String...) { self.init(names) }

  /// Returns the names as the message shows them, with commas, and an ellipsis if there are more.
  ///
  /// - Parameter shown: Returns a name in its marks.
  package func text(_ shown: (String) -> String = { $0 }) -> String {
    (names.map { shown($0.excerpt) } + (isShortened ? ["…"] : [])).joined(separator: ", ")
  }
}
