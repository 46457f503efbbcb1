/// A validation of parameters after decoding. It collects the values that a command rejects.
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
/// A rejected value is an error at its place in the manifest. It is reported with all other errors before the launch.
public struct ParameterValidation {
  private let path: [any CodingKey]
  /// The paths of the values that could not be decoded.
  private let undecoded: Set<[String]>
  /// The paths of the values that contain a value which could not be decoded.
  private let incomplete: Set<[String]>
  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  ///
  /// An app may register a library only on one platform. The entry that starts the library then has a condition.
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

  /// Rejects the value at a path, for example `"routes", .index(0), "screen"`.
  ///
  /// Without a path, rejects the whole command or group. If the value, a part of it or its container could not be
  /// decoded, that error is already reported. The call then has no effect.
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

  /// Declares that the parameter at a place in the entry's `with` needs a context value of an earlier command.
  ///
  /// If another command of the launch provides the context value and this command does not come after it, the manifest
  /// has an error. Event handlers are not checked, because they also have the values of the launch.
  ///
  /// - Parameter text: The part of the value that needs the context value, for example `{context.theme}`. The error
  ///   shows and marks it.
  public mutating func require(_ contextValue: String, for text: String? = nil, at places: Place...) {
    require(contextValue, for: text, at: places)
  }

  /// Declares that the parameter at a place in the entry's `with` needs a context value of an earlier command.
  package mutating func require(_ contextValue: String, for text: String? = nil, at places: [Place]) {
    requirements.append(
      ContextRequirement(value: contextValue, text: text, path: path + places.map(ParameterPathKey.init)))
  }

  /// Declares that the parameter at a place in the entry's `with` names a service that comes before the command.
  package mutating func requireService(_ id: String, at places: Place...) {
    requirements.append(
      ContextRequirement(
        value: id, text: nil, path: path + places.map(ParameterPathKey.init), isService: true))
  }

  /// Returns whether a parameter and all values inside it could be decoded.
  ///
  /// Call it before a check in which one parameter depends on the value of another parameter.
  public func isDecoded(_ name: String) -> Bool {
    !undecoded.contains([name]) && !incomplete.contains([name])
  }
}

/// A context value or a service that a command's parameters need, with the place in the manifest that needs it.
struct ContextRequirement {
  /// The name of the context value, or the id of the service.
  let value: String
  /// The part of the parameter's value that needs the context value; `nil` for the whole value.
  let text: String?
  let path: [any CodingKey]
  var isService = false
}

/// A component of the path to a parameter's value.
struct ParameterPathKey: CodingKey {
  /// The key of an object, or the index of an element in the form `[0]`.
  let stringValue: String
  /// The index of an element in its list; `nil` for a key of an object.
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
