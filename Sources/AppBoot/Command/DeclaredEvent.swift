/// An event that the app declares in its registry.
package struct DeclaredEvent: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name of the event, as it is written in a manifest's `on`.
  package let name: String
  /// The owner of the event.
  package let owner: CommandRegistry.EventOwner

  /// Creates an event.
  package init(_ name: String, of owner: CommandRegistry.EventOwner = .process) {
    self.name = name
    self.owner = owner
  }

  /// Creates an event of the process.
  package init(stringLiteral name: String) { self.init(name) }
}
