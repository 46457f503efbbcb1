/// A reader of parameters from the JSON of an entry's `with`.
///
/// A launch without mistakes needs no schema. After a mistake, the command is read again: first, the schema finds wrong
/// kinds, unknown keys and missing keys (``ParameterSchema/validate(_:as:into:)``). Then the types of the parameters
/// find the other mistakes during reading. Only the first reading ends at a mistake.
package struct ParameterReader {
  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  let libraries: [String: ThirdPartyInitializer]?
  /// The launch for which the parameters are read; `nil` if it is unknown.
  let environment: ParameterEnvironment?
  /// True if the placeholders of variables in the parameters are replaced when the command runs.
  let replacesVariables: Bool
  /// The mistakes.
  private(set) var problems = Diagnostics()
  /// The context values and the services that the parameters need.
  private(set) var requirements: [ContextRequirement] = []
  /// The error for the first variable that is not set.
  private(set) var unset: VariableNotSet?
  /// True if an object has a key that is not that of a parameter. Only the schema reports it.
  private var hasUnknownKey = false
  /// True if the schema has validated the command.
  private var usesSchema = false
  /// True if reading ends at the first mistake, because the command is read again then.
  var endsAtMistake = false
  /// The places of the mistakes that the schema found, sorted.
  private var known: [SourceRange] = []
  /// The path to the value being read.
  private var path: ParameterPath
  /// The paths of the values that could not be read.
  private var unread: [ParameterPath] = []
  /// The groups that contain the value being read.
  private var groups: [ObjectIdentifier] = []

  /// - Parameter name: The name of the command in messages about the whole command; `nil` for none.
  init(
    of command: any Command.Type, named name: String?, libraries: [String: ThirdPartyInitializer]? = nil,
    environment: ParameterEnvironment?
  ) {
    path = ParameterPath(of: name)
    (self.libraries, self.environment) = (libraries, environment)
    replacesVariables = command.replacesVariables
  }

  /// Runs a validation by the schema, and stores the places of its mistakes.
  mutating func validate(_ find: (inout Diagnostics) -> Void) {
    usesSchema = true
    var found = Diagnostics()
    find(&found)
    known = found.places.sorted()
    problems.append(contentsOf: found)
  }

  // MARK: - Values

  /// Reads a string. If a step runs, replaces the placeholders of variables.
  ///
  /// Returns `nil` if the JSON is not a string, or if a variable is not set.
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
    if hasEnded { return nil }
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
    return known[low...].lazy.prefix { $0.start <= place.end }.contains { $0.end <= place.end }
  }

  /// True if nothing is wrong, as far as it can be found without the schema.
  var isClean: Bool { mistakeCount == 0 && !hasUnknownKey }

  /// True if nothing more is read.
  var hasEnded: Bool { endsAtMistake && !isClean }

  /// The number of mistakes and of values that could not be read.
  var mistakeCount: Int { problems.total + unread.count }

  // MARK: - Groups

  /// Reads an object into a new group; `nil` if the JSON is not an object.
  mutating func group<Group: ParameterGroup>(_ json: JSONValue) -> Group? {
    guard json.kind == .object else { return nil }
    let id = ObjectIdentifier(Group.self)
    let outer = (groups, known)
    defer { leave(to: outer.0, outer.1) }
    if usesSchema, ParameterSchema.isEndless(id, inside: groups) {
      // The schema so far accepts any value here.
      let (name, schema) = (path.name, Group.parameterSchema)
      validate { schema.validate(json, as: name, into: &$0) }
      if let environment, !known.isEmpty, schema.holdsSecret {
        schema.forEachUnknown(in: json) { environment.learnSecret(in: $0) }
      }
      groups = [id]
    } else {
      groups.append(id)
    }
    let group = Group()
    fill(group, from: json)
    return group
  }

  /// Ends the reading of a group. The mistakes that its own schema found stay known if they are shown.
  private mutating func leave(to outerGroups: [ObjectIdentifier], _ outerKnown: [SourceRange]) {
    groups = outerGroups
    guard known != outerKnown else { return }
    known = problems.total > Diagnostics.limit ? outerKnown : (outerKnown + known).sorted()
  }

  /// Sets the parameters of a new command from JSON, and validates the command.
  ///
  /// - Parameters:
  ///   - json: The object with the values; `nil` if the manifest has none.
  ///   - range: The place of mistakes about missing values.
  mutating func fill(
    _ command: any Command, _ layout: ParameterLayout, from json: JSONValue?, at range: SourceRange
  ) {
    let values = Self.values(of: json)
    let parameters = layout.parameters(of: command, named: values.keys)
    let missing = layout.required.filter { values[$0] == nil }
    fill(parameters, values, missing, layout.variables, from: json, at: range) { command.validate(&$0) }
  }

  /// Sets the parameters of a new group from JSON, and validates the group.
  private mutating func fill(_ group: some ParameterGroup, from json: JSONValue) {
    let (values, parameters) = (Self.values(of: json), ParameterProperties.of(group))
    var missing: [String] = []
    var variables: [(name: String, variable: String)] = []
    for (name, parameter) in parameters where values[name] == nil {
      if parameter.declaration.isRequired {
        missing.append(name)
      } else if replacesVariables, let variable = parameter.variableInDefault {
        variables.append((name, variable))
      }
    }
    fill(parameters, values, missing, variables, from: json, at: json.range) { group.validate(&$0) }
  }

  private static func values(of json: JSONValue?) -> [String: JSONValue] {
    Dictionary((json?.members ?? []).map { ($0.key.string, $0.value) }) { $1 }
  }

  private mutating func fill(
    _ parameters: [(name: String, parameter: any ParameterProperty)], _ values: [String: JSONValue],
    _ missing: [String], _ variables: [(name: String, variable: String)], from json: JSONValue?,
    at range: SourceRange, _ validate: (inout ParameterValidation) -> Void
  ) {
    let before = unread.count
    hasUnknownKey =
      hasUnknownKey
      || values.keys.contains { key in !key.hasPrefix("x-") && !parameters.contains { $0.name == key } }
    for (name, parameter) in parameters {
      guard let value = values[name] else { continue }
      guard parameter.claim() else {
        let message =
          "it shares \"\(name)\" with another one: its init() must create its parameters each time"
        problems.append(path.error(message, at: json?.range ?? range))
        return
      }
      parameter.read(value, named: name, &self)
    }
    for name in missing { unread.append(path.appending(.key(name))) }
    for (name, variable) in variables where replacesVariables && values[name] == nil {
      let path = path.appending(.key(name))
      let message =
        "its default has {\(variable)}, but only values in a manifest insert variables: "
        + "write \"\(name)\" in the manifest, or read the variable in Swift"
      problems.append(path.error(message, at: json?.range ?? range))
      unread.append(path)
    }
    if hasEnded { return }
    var validation = ParameterValidation(
      of: json, at: range, path: path, unread: unread[before...], libraries: libraries)
    validate(&validation)
    requirements += validation.requirements
    for problem in validation.problems where !isKnown(problem.range) { problems.append(problem) }
  }
}
