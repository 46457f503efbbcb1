/// A list of keys of context values, which can have different types.
///
/// ```swift
/// static let requires = ContextKeys(.client, .settings)
/// ```
public struct ContextKeys: Sendable {
  /// A key without its generic type.
  struct Key: Sendable {
    let name: String
    let type: any Any.Type
    /// Returns whether a value has the key's type.
    let accepts: @Sendable (any Sendable) -> Bool

    init<Value>(_ key: ContextKey<Value>) {
      name = key.name
      type = Value.self
      accepts = { $0 is Value }
    }
  }

  private(set) var keys: [Key] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list of keys.
  public init<each Value: Sendable>(_ keys: repeat ContextKey<each Value>) { repeat add(each keys) }

  private mutating func add<Value>(_ key: ContextKey<Value>) { keys.append(Key(key)) }

  /// The names of the keys.
  public var names: [String] { keys.map(\.name) }

  /// Returns the key with a name; `nil` if the list does not have it.
  subscript(name: String) -> Key? { keys.first { $0.name == name } }
}
