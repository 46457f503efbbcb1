/// A search for the known names that are similar to mistyped names. It is used for many mistyped names.
///
/// The number of comparisons is limited for all searches together. If a manifest has 100,000 mistakes among 100,000
/// names, the later mistakes have no suggestion, but all are reported in acceptable time.
package struct NameSearch: Sendable {
  /// The maximum number of names in a message.
  package static let most = 10

  /// The names that exist.
  package let names: [String]
  private let closest: ClosestName
  /// The number of pairs of letters that may still be compared.
  package private(set) var comparisonsLeft: Int

  /// Creates a search among names.
  package init(among names: [String], comparisonsLeft: Int = 5 * ClosestName.comparisonLimit) {
    self.names = names
    closest = ClosestName(among: names)
    self.comparisonsLeft = comparisonsLeft
  }

  /// Returns the name closest to a mistyped name; `nil` if no name is close.
  package mutating func match(for name: String) -> String? {
    comparisonsLeft > 0 ? closest.match(for: name, comparisonsLeft: &comparisonsLeft) : nil
  }

  /// Returns the names to list in a message about a mistyped name: all, or the nearest ones if there are many.
  ///
  /// If no further comparisons are allowed, it returns the first names.
  package mutating func list(for name: String) -> NameList {
    guard names.count > Self.most else { return NameList(names) }
    let nearest =
      comparisonsLeft > 0
      ? closest.nearest(Self.most, to: name, comparisonsLeft: &comparisonsLeft)
      : Array(names.prefix(Self.most))
    return NameList(nearest, isShortened: true)
  }
}

/// A list of names in a message.
package struct NameList: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The names.
  package var names: [String]
  /// True if the message leaves out further names.
  package var isShortened: Bool

  /// Creates a list of names.
  package init(_ names: [String], isShortened: Bool = false) {
    (self.names, self.isShortened) = (names, isShortened)
  }

  /// Creates a list that leaves out no name.
  package init(arrayLiteral names: String...) { self.init(names) }

  /// Returns the names with commas between them. An ellipsis follows if the list is shortened.
  ///
  /// - Parameter shown: A function that returns a name as the message shows it, for example in quotation marks.
  package func text(_ shown: (String) -> String = { $0 }) -> String {
    (names.map { shown($0.excerpt) } + (isShortened ? ["…"] : [])).joined(separator: ", ")
  }
}
