/// The name and type of a value that commands provide to and require from each other.
///
/// ```swift
/// extension ContextKey where Value == Database {
///   static var database: Self { Self("database") }
/// }
/// ```
public struct ContextKey<Value: Sendable>: Sendable, Hashable {
  /// The value's name in records and errors.
  public let name: String

  /// Names a value.
  public init(_ name: String) {
    self.name = name
  }
}

extension ContextKey where Value == WindowAppearance {
  /// What `Appearance` decided.
  public static var appearance: Self { Self("appearance") }
}

extension ContextKey where Value == AppScreen {
  /// What `InitialScreen` showed.
  public static var screen: Self { Self("screen") }
}

/// A command required a value that nobody provided before it.
public struct MissingContextValue: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value's name.
  public let name: String
  /// The commands of the plan that could provide it, by step id.
  public let providers: [String]

  /// What is missing and who could provide it.
  public var description: String {
    guard !providers.isEmpty else {
      return "no value \"\(name)\" in the context, and no command of this launch says that it provides one"
    }
    let names = providers.quotedList
    return "no value \"\(name)\" in the context yet; \(names) could provide it: "
      + "let this command come after it"
  }
}

/// A context value has another type than the one it was required as.
public struct ContextValueMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value's name.
  public let name: String
  /// The type it was required as.
  public let expected: String
  /// The type it has.
  public let found: String

  /// What does not fit.
  public var description: String {
    "the context value \"\(name)\" is a \(found), not a \(expected): two keys share one name"
  }
}
