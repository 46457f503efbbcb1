/// An event that the app defines, as its registry declares it.
package struct DeclaredEvent: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name, as a manifest's `on` writes it.
  package let name: String
  /// The owner.
  package let owner: CommandRegistry.EventOwner

  /// Declares an event.
  package init(_ name: String, of owner: CommandRegistry.EventOwner = .process) {
    self.name = name
    self.owner = owner
  }

  /// Declares an event of the process.
  package init(stringLiteral name: String) { self.init(name) }
}
