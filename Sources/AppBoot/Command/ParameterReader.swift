/// A reader of parameters from the JSON of an entry's `with`.
///
/// The schema finds wrong kinds, unknown keys and missing keys before (``ParameterSchema/validate(_:as:into:)``). The
/// types of the parameters find the other mistakes while they are read. Reading goes on after a mistake.
package struct ParameterReader {
  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  let libraries: [String: ThirdPartyInitializer]?
  /// The launch for which the parameters are read; `nil` if it is unknown.
  let environment: ParameterEnvironment?
  /// True if placeholders of variables in the command's parameters are replaced when it runs.
  let replacesVariables: Bool
  /// The mistakes.
  private(set) var problems = Diagnostics()
  /// The context values and the services that the parameters need.
  private(set) var requirements: [ContextRequirement] = []
  /// The first variable that a text inserts, but that is not set.
  private(set) var unset: VariableNotSet?
  /// The places of the mistakes that the schema found, sorted.
  private var known: [SourceRange] = []
  /// The path to the value that is read.
  private var path: ParameterPath
  /// The paths of the values that could not be read.
  private var unread: [ParameterPath] = []
  /// The groups that contain the value that is read.
  private var groups: [ObjectIdentifier] = []

  init(
    of command: CommandDescription, libraries: [String: ThirdPartyInitializer]?,
    environment: ParameterEnvironment?
  ) {
    path = ParameterPath(of: command.name)
    (self.libraries, self.environment) = (libraries, environment)
    replacesVariables = command.type.replacesVariables
  }

  /// Reports what the schema finds.
  mutating func validate(_ find: (inout Diagnostics) -> Void) {
    find(&problems)
    known = problems.places.sorted()
  }

  // MARK: - Values

  /// Returns a string with the values of its variables if a step runs; `nil` for another value.
  package mutating func text(_ json: JSONValue) -> String? {
    guard let text = json.string else { return nil }
    do throws(VariableNotSet) {
      return try environment?.filled(text) ?? text
    } catch {
      unset = unset ?? error
      return reject(error.description, json)
    }
  }

  /// Returns a value of a type; `nil` if the JSON is wrong.
  package mutating func value<Value: ParameterValue>(_ json: JSONValue, as type: Value.Type) -> Value? {
    Value.parameterType.read(json, &self)
  }

  /// Reads a part of a value. If it is wrong, reports that, and returns `nil`.
  mutating func read<Value>(
    _ type: ParameterType<Value>, _ json: JSONValue, at place: ParameterValidation.Place
  ) -> Value? {
    path.append(place)
    defer { path.removeLast() }
    let before = problems.total
    if let value = type.read(json, &self) { return value }
    let schema = type.schema([])
    if problems.total == before {
      report("must be \(schema.description), not \(json.kind)", json)
    }
    if schema.holdsSecret { environment?.learnSecret(in: json) }
    unread.append(path)
    return nil
  }

  /// Reports a wrong value, and returns `nil`.
  package mutating func reject<Value>(_ message: String, _ json: JSONValue) -> Value? {
    report(message, json)
    return nil
  }

  /// Reports a wrong value, unless the schema has found a mistake in it.
  private mutating func report(_ message: String, _ json: JSONValue) {
    if !isKnown(json.range) { problems.append(path.error(message, at: json.range)) }
  }

  /// Returns whether the schema has found a mistake inside a place.
  private func isKnown(_ place: SourceRange) -> Bool {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = (low + high) / 2
      if known[middle].start < place.start { low = middle + 1 } else { high = middle }
    }
    return known[low...].prefix { $0.start <= place.end }.contains { $0.end <= place.end }
  }

  // MARK: - Groups

  /// Reads an object into a new group; `nil` if the JSON is not an object.
  mutating func group<Group: ParameterGroup>(_ json: JSONValue) -> Group? {
    guard json.kind == .object else { return nil }
    let id = ObjectIdentifier(Group.self)
    // The schema of a group inside itself accepts anything.
    if groups.contains(id) {
      let name = path.name
      validate { Group.parameterSchema.validate(json, as: name, into: &$0) }
    }
    groups.append(id)
    defer { groups.removeLast() }
    let group = Group()
    fill(group, from: json, at: json.range) { group.validate(&$0) }
    return group
  }

  /// Gives the parameters of a new command or group their values, and validates it.
  ///
  /// - Parameters:
  ///   - json: The object with the values; `nil` if the manifest has none.
  ///   - range: The place of mistakes about values that the object does not have.
  mutating func fill(
    _ subject: Any, from json: JSONValue?, at range: SourceRange,
    _ validate: (inout ParameterValidation) -> Void
  ) {
    let values = Dictionary((json?.members ?? []).map { ($0.key.string, $0.value) }) { $1 }
    let before = unread.count
    for (name, parameter) in ParameterProperties.of(subject) {
      guard parameter.claim() else {
        problems.append(
          path.error(
            "it is not new: the function that creates it must create a new one each time",
            at: range))
        return
      }
      if let value = values[name] {
        parameter.read(value, named: name, &self)
      } else if parameter.declaration.isRequired {
        unread.append(path.appending(.key(name)))
      } else if replacesVariables, let variable = parameter.variableInDefault {
        let path = path.appending(.key(name))
        let message =
          "its default has {\(variable)}, but only values in a manifest insert variables: "
          + "write \"\(name)\" in the manifest, or read the variable in Swift"
        problems.append(path.error(message, at: json?.range ?? range))
        unread.append(path)
      }
    }
    var validation = ParameterValidation(
      of: json, at: range, path: path, unread: unread[before...], libraries: libraries)
    validate(&validation)
    requirements += validation.requirements
    for problem in validation.problems where !isKnown(problem.range) { problems.append(problem) }
  }
}
