/// A search for the known names that are similar to mistyped names. Only the first mistyped names have a suggestion.
package struct NameSearch: Sendable {
  /// The maximum number of names in a message.
  package static let most = 10

  /// The names that exist.
  package let names: [String]
  private let closest: ClosestName
  private var searchesLeft = 20

  /// Creates a search among names.
  package init(among names: [String]) {
    self.names = names
    closest = ClosestName(among: names)
  }

  /// Returns the name closest to a mistyped name; `nil` if no name is close, or after too many searches.
  package mutating func match(for name: String) -> String? {
    searchesLeft -= 1
    return searchesLeft >= 0 ? closest.match(for: name) : nil
  }

  /// Returns the names to list in a message about a mistyped name: all, or the nearest ones if there are many.
  ///
  /// After too many searches, it returns the first names.
  package func list(for name: String) -> NameList {
    guard names.count > Self.most else { return NameList(names) }
    let nearest = searchesLeft >= 0 ? closest.nearest(Self.most, to: name) : Array(names.prefix(Self.most))
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
