/// The name and type of a context value, which one command provides to others.
///
/// ```swift
/// extension ContextKey where Value == Database {
///   static var database: Self { Self("database") }
/// }
/// ```
public struct ContextKey<Value: Sendable>: Sendable, Hashable {
  /// The value's name in records and errors.
  public let name: String

  /// Creates the key of a value with a name.
  public init(_ name: String) {
    self.name = name
  }
}

extension ContextKey where Value == WindowAppearance {
  /// The theme and accent that `Appearance` provides.
  public static var appearance: Self { Self("appearance") }
}

extension ContextKey where Value == AppScreen {
  /// The screen that `InitialScreen` provides.
  public static var screen: Self { Self("screen") }
}

/// An error for a context value that no earlier command provided.
public struct MissingContextValue: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value's name.
  public let name: String
  /// The commands of the plan that could provide it, by step id.
  public let providers: [String]

  /// A sentence with the missing value and the commands that provide it.
  public var description: String {
    guard !providers.isEmpty else {
      return
        "no value \"\(name)\" in the context, and no command of this launch declares that it provides one"
    }
    let names = providers.quotedList
    return "the context has no value \"\(name)\" yet; \(names) can provide it: "
      + "run this command after it"
  }
}

/// An error for a context value of another type than its key's.
public struct ContextValueMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value's name.
  public let name: String
  /// The type it was required as.
  public let expected: String
  /// The type it has.
  public let found: String

  /// A sentence with both types.
  public var description: String {
    "the context value \"\(name)\" is a \(found), not a \(expected): two keys share one name"
  }
}

extension LaunchContext {
  /// Returns the ids of the steps whose commands declare that they provide a context value.
  package func providers(of value: String) -> [String] { host.providers(of: value) }
}
