import AppBootBase

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
public struct ContextValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the value.
  public let name: String
  /// The reason.
  public let reason: Reason

  /// Creates the error, for a test of the code that catches it.
  public init(name: String, _ reason: Reason) { (self.name, self.reason) = (name, reason) }

  /// A reason why a value cannot be had.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Reason: Sendable, Hashable {
    /// No earlier command has provided the value. The values are the ids of steps that can still provide it.
    case missing(providers: [String])
    /// All declared providers of the value have ended without providing it.
    case notProvided(by: [Provider])
    /// The value has another type than the key.
    case mismatch(Mismatch)
  }

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

  /// The types of a key and of the value that was found.
  public struct Mismatch: Sendable, Hashable {
    /// The type of the key.
    public let expected: String
    /// The type of the value.
    public let found: String

    /// Creates a mismatch.
    public init(expected: String, found: String) { (self.expected, self.found) = (expected, found) }
  }

  /// The error message: the missing value and the steps that provide it, or the two types.
  public var description: String {
    switch reason {
    case .missing(let providers) where providers.isEmpty:
      "no value \"\(name)\" in the context, and no command of this launch declares that it provides one"
    case .missing(let providers):
      "the context has no value \"\(name)\" yet: run this command after "
        + (providers.count == 1 ? "" : "one of ") + providers.quotedList
        + (providers.count == 1 ? ", which provides it" : "")
    case .notProvided(let providers):
      "the context has no value \"\(name)\": "
        + providers.map { "\"\($0.id)\" \($0.end)" }.joined(separator: ", ")
    case .mismatch(let types):
      "the context value \"\(name)\" is a \(types.found), not a \(types.expected): two keys share one name"
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
      throw ContextValueError(
        name: key.name, later.isEmpty && !all.isEmpty ? .notProvided(by: all) : .missing(providers: later))
    }
    guard let value = found as? Value else {
      let types = ContextValueError.Mismatch(expected: "\(Value.self)", found: "\(type(of: found))")
      throw ContextValueError(name: key.name, .mismatch(types))
    }
    return value
  }
}

/// A list of keys of context values, which can have different types.
///
/// ```swift
/// let keys = ContextKeys(.client, .settings)
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

/// The context values of a launch, or of a scene of that launch.
///
/// If a scene and its launch have a value with the same name, the scene finds its own. Otherwise it finds the launch's.
package final class ContextValues: Sendable {
  private let own = Lock<[String: any Sendable]>([:])
  private let below: ContextValues?
  private let launch = Lock<String?>(nil)

  package init(above below: ContextValues? = nil) { self.below = below }

  package subscript(name: String) -> (any Sendable)? { own.withLock { $0[name] } ?? below?[name] }

  /// Stores a value. The previous value is released without the lock, because its `deinit` is user code.
  package func provide(_ value: any Sendable, as name: String) {
    _ = own.withLock { $0.updateValue(value, forKey: name) }
  }

  /// Returns the id of the launch. The first call makes it; all event handlers of the launch use the same id.
  func launchID(_ make: () -> String) -> String {
    if let below { return below.launchID(make) }
    return launch.withLock { id in
      let known = id ?? make()
      id = known
      return known
    }
  }

  /// All values by name, including those of the launch.
  package var all: [String: any Sendable] {
    let values = own.withLock { $0 }
    guard let below else { return values }
    return below.all.merging(values) { _, own in own }
  }
}

extension ContextKey<String> {
  /// The key for the standard output of a step, without its final newline.
  package static func output(ofStep id: String) -> Self { Self("step.\(id).output") }

  /// Returns the id of the step if a name is that of a step's output; `nil` for any other name.
  package static func step(ofOutput name: String) -> String? {
    guard name.hasPrefix("step."), name.hasSuffix(".output"), name.utf8.count > "step..output".utf8.count
    else {
      return nil
    }
    return String(name.dropFirst("step.".count).dropLast(".output".count))
  }
}
