/// A validation of parameters after decoding; it collects the values that the command rejects.
///
/// ```swift
/// func validate(_ validation: inout ParameterValidation) {
///   if port == 0 { validation.reject("give a port from 1 to 65535", at: "port") }
///   for (index, route) in routes.enumerated() where screens[route.screen] == nil {
///     validation.reject("there is no such screen", at: "routes", .index(index), "screen")
///   }
/// }
/// ```
///
/// A rejected value is an error at its place in the manifest, reported with all other errors before the launch.
public struct ParameterValidation {
  private let path: [any CodingKey]
  /// The paths of the values that could not be decoded.
  private let undecoded: Set<[String]>
  /// The paths of the values that contain them.
  private let incomplete: Set<[String]>
  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  ///
  /// An app may register a library on one platform only, and name it under a condition.
  package let registeredLibraries: [String: ThirdPartyInitializer]?
  private(set) var problems: [any Error] = []
  private(set) var requirements: [ContextRequirement] = []

  /// A component of the path to a value: a parameter's name, or a key or an index inside its value.
  public enum Place: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A parameter's name, or a key of an object.
    case key(String)
    /// The index of an element in its list, from 0.
    case index(Int)

    /// Creates a ``key(_:)`` from a parameter's name or an object's key.
    public init(stringLiteral name: String) { self = .key(name) }
  }

  init(path: [any CodingKey], undecoded: [[String]], libraries: [String: ThirdPartyInitializer]?) {
    self.path = path
    self.undecoded = Set(undecoded)
    incomplete = Set(undecoded.flatMap { path in path.indices.dropFirst().map { Array(path[..<$0]) } })
    registeredLibraries = libraries
  }

  /// Rejects the value at a path like `"routes", .index(0), "screen"`; without a path, the command or group as a whole.
  ///
  /// A value that could not be decoded has its error already: rejecting it, a part of it or its container adds none.
  public mutating func reject(_ message: String, at places: Place...) { reject(message, at: places) }

  /// Rejects the value at a path.
  package mutating func reject(_ message: String, at places: [Place]) {
    let keys = places.map(ParameterPathKey.init)
    let names = keys.map(\.stringValue)
    if incomplete.contains(names)
      || names.indices.contains(where: { undecoded.contains(Array(names[...$0])) })
    {
      return
    }
    problems.append(
      DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: path + keys, debugDescription: message)))
  }

  /// States that the value at a path needs a context value.
  ///
  /// If another command of the same launch or event provides it, this command must come after that one. Otherwise the
  /// manifest has an error.
  ///
  /// - Parameter text: The part of the value that needs it, such as `{context.theme}`; the error shows and marks it.
  public mutating func require(_ contextValue: String, for text: String? = nil, at places: Place...) {
    require(contextValue, for: text, at: places)
  }

  /// States that the value at a path needs a context value.
  package mutating func require(_ contextValue: String, for text: String? = nil, at places: [Place]) {
    requirements.append(
      ContextRequirement(value: contextValue, text: text, path: path + places.map(ParameterPathKey.init)))
  }

  /// Returns whether a parameter and everything inside it could be decoded.
  ///
  /// Ask before a check of one parameter that depends on the value of another.
  public func isDecoded(_ name: String) -> Bool {
    !undecoded.contains([name]) && !incomplete.contains([name])
  }
}

/// A context value that a command's parameters need, and the place that needs it.
struct ContextRequirement {
  /// The context value's name.
  let value: String
  /// The part of the parameter's value that needs it.
  let text: String?
  let path: [any CodingKey]
}

/// A component of the path to a parameter's value.
struct ParameterPathKey: CodingKey {
  /// The key; of an element, its index as `[0]`.
  let stringValue: String
  /// The index of an element in its list.
  let intValue: Int?

  init(_ name: String) { (stringValue, intValue) = (name, nil) }
  init(index: Int) { (stringValue, intValue) = ("[\(index)]", index) }
  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(index: intValue) }

  init(_ place: ParameterValidation.Place) {
    switch place {
    case .key(let name): self.init(name)
    case .index(let index): self.init(index: index)
    }
  }
}
