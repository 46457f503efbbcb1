/// A key of a context value: its name and its type. One command provides the value, and other commands use it.
///
/// ```swift
/// extension ContextKey<Database> {
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

/// An error that reports that a required context value is missing or has another type.
public enum ContextValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No earlier command has provided the value. `providers` are the ids of steps that can still provide it.
  case missing(name: String, providers: [String])
  /// All declared providers of the value have ended without providing it.
  case notProvided(name: String, providers: [Provider])
  /// The value has another type than the key.
  case mismatch(name: String, expected: String, found: String)

  /// A declared provider of a value: a step and its state.
  public struct Provider: Sendable, Hashable {
    /// The id of the step.
    public let id: String
    /// The state of the step.
    public let state: StepState

    /// Creates a provider.
    public init(id: String, state: StepState) {
      (self.id, self.state) = (id, state)
    }
  }

  /// The error message: the missing value and the steps that provide it, or the two types.
  public var description: String {
    switch self {
    case .missing(let name, let providers) where providers.isEmpty:
      "no value \"\(name)\" in the context, and no command of this launch declares that it provides one"
    case .missing(let name, let providers):
      "the context has no value \"\(name)\" yet: run this command after "
        + (providers.count == 1 ? "" : "one of ") + providers.quotedList
        + (providers.count == 1 ? ", which provides it" : "")
    case .notProvided(let name, let providers):
      "the context has no value \"\(name)\": "
        + providers.map { "\"\($0.id)\" \($0.end)" }.joined(separator: ", ")
    case .mismatch(let name, let expected, let found):
      "the context value \"\(name)\" is a \(found), not a \(expected): two keys share one name"
    }
  }
}

extension ContextValueError.Provider {
  /// The state of the step, as the end of a clause in the message.
  fileprivate var end: String {
    switch state {
    case .waiting, .ready, .running: "has not ended"
    case .succeeded: "did not provide it"
    case .failed: "failed"
    case .timedOut: "timed out"
    case .cancelled: "was cancelled"
    case .skipped: "was skipped"
    }
  }
}

extension ContextValues {
  /// Returns the value for a key.
  ///
  /// - Parameter providers: A function that returns the declared providers of the value.
  func require<Value>(
    _ key: ContextKey<Value>, providers: () -> [ContextValueError.Provider]
  ) throws(ContextValueError) -> Value {
    guard let found = self[key.name] else {
      let all = providers()
      let later = all.filter { !$0.state.hasEnded }.map(\.id)
      throw later.isEmpty && !all.isEmpty
        ? .notProvided(name: key.name, providers: all) : .missing(name: key.name, providers: later)
    }
    guard let value = found as? Value else {
      throw .mismatch(name: key.name, expected: "\(Value.self)", found: "\(type(of: found))")
    }
    return value
  }
}
