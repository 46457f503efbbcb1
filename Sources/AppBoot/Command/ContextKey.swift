/// A key of a context value: its name and its type. One command provides the value, and other commands use it.
///
/// ```swift
/// extension ContextKey where Value == Database {
///   static var database: Self { Self("database") }
/// }
/// ```
public struct ContextKey<Value: Sendable>: Sendable, Hashable {
  /// The value's name in records and errors.
  public let name: String

  /// Creates the key of the value with a name.
  public init(_ name: String) {
    self.name = name
  }
}

extension ContextKey where Value == WindowAppearance {
  /// The theme and the accent colour that `Appearance` provides.
  public static var appearance: Self { Self("appearance") }
}

extension ContextKey where Value == AppScreen {
  /// The screen that `InitialScreen` provides.
  public static var screen: Self { Self("screen") }
}

/// An error that reports that a required context value is missing or has another type.
public enum ContextValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No earlier command has provided the value. `providers` are the ids of steps that declare that they provide it.
  case missing(name: String, providers: [String])
  /// The value has another type than the key.
  case mismatch(name: String, expected: String, found: String)

  /// The error message: the missing value and the steps that provide it, or the two types.
  public var description: String {
    switch self {
    case .missing(let name, let providers) where providers.isEmpty:
      "no value \"\(name)\" in the context, and no command of this launch declares that it provides one"
    case .missing(let name, let providers):
      "the context has no value \"\(name)\" yet; \(providers.quotedList) can provide it, "
        + "if it runs before this command and succeeds"
    case .mismatch(let name, let expected, let found):
      "the context value \"\(name)\" is a \(found), not a \(expected): two keys share one name"
    }
  }
}

extension LaunchContext {
  /// Returns the ids of the steps whose commands declare that they provide a context value.
  package func providers(of value: String) -> [String] { host.providers(of: value) }
}

extension ContextValues {
  /// Returns the value for a key.
  ///
  /// - Parameter providers: A function that returns the ids of the steps that can provide the value.
  func require<Value>(
    _ key: ContextKey<Value>, providers: () -> [String]
  ) throws(ContextValueError) -> Value {
    guard let found = self[key.name] else { throw .missing(name: key.name, providers: providers()) }
    guard let value = found as? Value else {
      throw .mismatch(name: key.name, expected: "\(Value.self)", found: "\(type(of: found))")
    }
    return value
  }
}
