/// A validation of parameters after they are read. It collects the values that a command rejects.
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
  /// The object with the values; `nil` for a command or group that was created in code.
  private let json: JSONValue?
  /// The place of missing values.
  private let range: SourceRange
  private let path: ParameterPath
  /// The paths of the values that could not be read.
  private let unread: Set<ParameterPath>
  /// The paths of the values that contain a value which could not be read.
  private var incomplete: Set<ParameterPath> = []
  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  ///
  /// An app may register a library only on one platform. The entry that starts the library then has a condition.
  package let registeredLibraries: [String: ThirdPartyInitializer]?
  private(set) var problems: [Diagnostic] = []
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

  init(
    of json: JSONValue? = nil, at range: SourceRange, path: ParameterPath,
    unread: some Sequence<ParameterPath> = [], libraries: [String: ThirdPartyInitializer]?
  ) {
    (self.json, self.range, self.path) = (json, range, path)
    self.unread = Set(unread)
    for value in unread {
      for count in path.places.count..<value.places.count { incomplete.insert(value.prefix(count)) }
    }
    registeredLibraries = libraries
  }

  /// Rejects the value at a path, for example `"routes", .index(0), "screen"`.
  ///
  /// Without a path, rejects the whole command or group. If the value, a part of it or its container could not be
  /// read, that error is already reported. The call then has no effect.
  ///
  /// A message that begins with "must", "needs", "is", "can" or "has" continues the path: `"port" must be even`. Any
  /// other message follows a colon.
  public mutating func reject(_ message: String, at places: Place...) { reject(message, at: places) }

  /// Rejects the value at a path.
  package mutating func reject(_ message: String, at places: [Place]) {
    let path = places.reduce(path) { $0.appending($1) }
    let outer = self.path.places.count
    // Before the search for the place: a list can have many values that could not be read.
    guard !(outer...path.places.count).contains(where: { unread.contains(path.prefix($0)) }) else { return }
    // Messages beyond the limit are not shown, so their places need no search through long lists.
    let found = problems.count < Diagnostics.limit ? json?.found(at: places) : nil
    let depth = found?.depth ?? (json == nil ? 0 : places.count)
    // A value that does not exist may have a mistyped key.
    guard !incomplete.contains(path.prefix(outer + depth)) else { return }
    problems.append(path.error(message, at: found?.value.range ?? range))
  }

  /// Declares that the value at a path in the entry's `with` needs a context value of an earlier command.
  ///
  /// If another command of the launch provides the context value and this command does not come after it, the manifest
  /// has an error. Event handlers are not checked, because they also have the values of the launch.
  ///
  /// - Parameter text: The part of the value that needs the context value, for example `{context.theme}`. The error
  ///   shows it.
  public mutating func require(_ contextValue: String, for text: String? = nil, at places: Place...) {
    require(contextValue, for: text, at: places)
  }

  /// Declares that the value at a path in the entry's `with` needs a context value of an earlier command, a service or
  /// a step.
  package mutating func require(
    _ value: String, for text: String? = nil, at places: [Place], need: ContextNeed = .value,
    isUndo: Bool = false
  ) {
    requirements.append(
      ContextRequirement(
        value: value, text: text, path: path, places: places, json: json, outerRange: range,
        need: need, isUndo: isUndo))
  }

  /// Returns whether a parameter and all values inside it could be read.
  ///
  /// Call it before a check in which one parameter depends on the value of another parameter.
  public func isReadable(_ name: String) -> Bool {
    let path = path.appending(.key(name))
    return !unread.contains(path) && !incomplete.contains(path)
  }
}

/// The kind of a need of a command's parameters.
package enum ContextNeed: Sendable, Hashable {
  /// A context value of an earlier command.
  case value
  /// A service that comes before the command.
  case service
  /// A port, by its name, of a service that comes before the command. The name of `port` is empty.
  case port(String)
  /// A step that is not a service.
  case step
}

/// A context value, a service or a step that a command's parameters need, with the place that needs it.
struct ContextRequirement {
  /// The name of the context value, or the id of the service or step.
  let value: String
  /// The part of the parameter's value that needs the context value; `nil` for the whole value.
  let text: String?
  fileprivate let path: ParameterPath
  fileprivate let places: [ParameterValidation.Place]
  fileprivate let json: JSONValue?
  fileprivate let outerRange: SourceRange
  let need: ContextNeed
  /// True if the undo of the step needs the value, so that the step itself can provide it.
  let isUndo: Bool

  /// Returns the error about the value. Its place is searched only here, because most requirements are met.
  func error(_ message: String, help: String?) -> Diagnostic {
    places.reduce(path) { $0.appending($1) }
      .error(message, at: json?.found(at: places).value.range ?? outerRange, help: help)
  }
}

extension JSONValue {
  /// Returns the innermost value of a path that exists, with its depth in the path.
  fileprivate func found(at places: [ParameterValidation.Place]) -> (value: JSONValue, depth: Int) {
    var value = self
    for (depth, place) in places.enumerated() {
      let inner: JSONValue? =
        switch place {
        case .key(let key): value[key]
        case .index(let index): index < 0 ? nil : value.elements.dropFirst(index).first
        }
      guard let inner else { return (value, depth) }
      value = inner
    }
    return (value, places.count)
  }
}

/// The path to a value in the parameters of a command, or in a manifest.
struct ParameterPath: Hashable, Sendable {
  /// The name of the command; `nil` if messages do not repeat it.
  private let command: String?
  var places: [ParameterValidation.Place] = []

  init(of command: String?) { self.command = command }

  func appending(_ place: ParameterValidation.Place) -> ParameterPath {
    var path = self
    path.places.append(place)
    return path
  }

  /// Returns the path of the value that contains this value and is at a depth.
  func prefix(_ depth: Int) -> ParameterPath {
    var path = self
    path.places.removeSubrange(depth...)
    return path
  }

  /// The path as text, for example `routes[0].screen`.
  var name: String {
    places.reduce("") { text, place in
      switch place {
      case .key(let key): text.isEmpty ? key.excerpt : "\(text).\(key.excerpt)"
      case .index(let index): "\(text)[\(index)]"
      }
    }
  }

  /// Returns the error about the value.
  func error(_ message: String, at range: SourceRange, help: String? = nil) -> Diagnostic {
    let subject = places.isEmpty ? command : "\"\(name.excerpt)\""
    let separator = ["must ", "needs ", "is ", "can ", "has "].contains(where: message.hasPrefix) ? "" : ":"
    return .error(subject.map { "\($0)\(separator) \(message)" } ?? message, at: range, help: help)
  }
}
