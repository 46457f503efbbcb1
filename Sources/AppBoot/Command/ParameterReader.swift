/// A reader of the objects in a manifest: the parameters of a command, and the values of an entry. It continues after a
/// mistake.
package struct ParameterReader {
  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  let libraries: [String: ThirdPartyInitializer]?
  /// The launch for which the parameters are read; `nil` if it is unknown.
  let environment: ParameterEnvironment?
  /// True if the placeholders of variables in the parameters are replaced when the command runs.
  let replacesVariables: Bool
  /// The keys of the object that contains the parameters.
  let outerKeys: [String]
  /// The mistakes.
  var problems = Diagnostics()
  /// The context values and the services that the parameters need.
  private(set) var requirements: [ContextRequirement] = []
  /// The error for the first variable that is not set.
  private(set) var unset: VariableNotSet?
  /// The values of unknown and repeated keys, and values that are not objects of parameters.
  var unknownValues: [JSONValue] = []
  /// The positions of the mistakes that validation found among the problems.
  private var rejections: Set<Int> = []
  /// The places of the mistakes that the schemas of declarations found, sorted.
  private var known = SortedPlaces()
  /// The path to the value being read.
  private var path: ParameterPath
  /// The paths of the parameters, and of the values inside them, that could not be read.
  private var unread: [ParameterPath] = []
  /// The number of values that could not be read.
  private var unreadCount = 0
  /// True if the reader reads the parameters of a command. Their validation needs the paths of the unread ones.
  private let readsParameters: Bool

  /// - Parameters:
  ///   - name: The name of the command in messages about the whole command; `nil` for none.
  ///   - outerKeys: The keys of the object that contains the parameters.
  init(
    of command: any Command.Type, named name: String?, besides outerKeys: [String] = [],
    libraries: [String: ThirdPartyInitializer]? = nil, environment: ParameterEnvironment?
  ) {
    path = ParameterPath(of: name)
    (self.libraries, self.environment, self.outerKeys) = (libraries, environment, outerKeys)
    (replacesVariables, readsParameters) = (command.replacesVariables, true)
  }

  /// Creates a reader of objects that are not the parameters of a command.
  package init() {
    (path, outerKeys, replacesVariables) = (ParameterPath(of: nil), [], false)
    (libraries, environment, readsParameters) = (nil, nil, false)
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
  ///
  /// - Parameter declared: The schema in a parameter's declaration, which is stricter than that of the type.
  mutating func read<Value>(
    _ type: ParameterType<Value>, _ json: JSONValue, at place: ParameterValidation.Place,
    as declared: ParameterSchema? = nil
  ) -> Value? {
    path.append(place)
    defer { path.removeLast() }
    let before = problems.total
    if let declared {
      validate(json, declared)
      let places = problems.places[before...]
      known.append(places)
    }
    if let value = type.read(json, &self) { return value }
    let schema = declared ?? type.schema([])
    if problems.total == before, !known.contains(inside: json.range) {
      validate(json, schema)
      if problems.total == before { report("must be \(schema.description), not \(json.kind)", json) }
    }
    if schema.holdsSecret { environment?.learnSecret(in: json) }
    noteUnread()
    return nil
  }

  private mutating func validate(_ json: JSONValue, _ schema: ParameterSchema) {
    schema.validate(json, at: &path, into: &problems)
  }

  /// Notes that a value could not be read: the one at the path, or a part of it.
  private mutating func noteUnread(at place: ParameterValidation.Place? = nil) {
    unreadCount += 1
    if readsParameters { unread.append(place.map(path.appending) ?? path) }
  }

  /// Reports a wrong value, and returns `nil`.
  package mutating func reject<Value>(_ message: String, _ json: JSONValue, help: String? = nil) -> Value? {
    report(message, json, help: help)
    return nil
  }

  /// Reports a wrong value, unless the schema of a declaration has found a mistake in it.
  private mutating func report(_ message: String, _ json: JSONValue, help: String? = nil) {
    guard !known.contains(inside: json.range) else { return }
    problems.append(at: json.range) { [path] in path.error(message, at: json.range, help: help) }
  }

  /// The number of mistakes and of values that could not be read.
  package var mistakeCount: Int { problems.total + unreadCount }

  // MARK: - Objects

  /// Reads the members of an object. Reports unknown and missing keys.
  ///
  /// - Parameters:
  ///   - range: The place of mistakes about missing keys.
  ///   - read: A function that reads the value of a known key. It returns false if the key is unknown.
  mutating func readMembers(
    of json: JSONValue?, at range: SourceRange, _ keys: ObjectKeys,
    _ read: (String, JSONValue, inout ParameterReader) -> Bool
  ) {
    var given: [String] = []
    var names: [String]?
    if let json {
      for (key, value) in json.members {
        let name = key.string
        // A repeated key is already a mistake of the text.
        if given.contains(name) {
          unknownValues.append(value)
          continue
        }
        if read(name, value, &self) {
          given.append(name)
          continue
        }
        unknownValues.append(value)
        if !name.hasPrefix("x-") {
          problems.append(at: key.range) { [path] in
            let known = names ?? keys.fields().map(\.name)
            names = known
            return keys.unknown(name, key.range, among: known, of: path)
          }
        }
      }
    }
    for name in keys.required where !given.contains(name) {
      problems.append(at: range) { [path] in keys.missing(name, range, of: path) }
      noteUnread(at: .key(name))
    }
  }

  /// Reads an object into a value with a table of its keys; `nil` if the JSON is not an object.
  ///
  /// - Parameters:
  ///   - name: The name of the object in messages; `nil` for its path.
  ///   - unknown: A function that returns the error for an unknown key; `nil` for the usual one.
  mutating func object<Value>(
    _ json: JSONValue, _ keys: [ParameterKey<Value>], into new: Value, named name: String? = nil,
    unknown: ObjectKeys.Unknown? = nil
  ) -> Value? {
    guard json.kind == .object else { return nil }
    var value = new
    let required = keys.filter(\.isRequired).map(\.name)
    let known = ObjectKeys(of: name, required: required, unknown: unknown) {
      keys.map(\.field)
    }
    readMembers(of: json, at: json.range.opening, known) { name, json, reader in
      guard let key = keys.first(where: { $0.name == name }) else { return false }
      key.read(json, &value, &reader)
      return true
    }
    return value
  }

  /// Reads an object into a new group; `nil` if the JSON is not an object.
  mutating func group<Group: ParameterGroup>(_ json: JSONValue) -> Group? {
    guard json.kind == .object else { return nil }
    let group = Group()
    let parameters = ParameterProperties.of(group)
    var variables: [(name: String, variable: String)] = []
    if replacesVariables {
      for (name, parameter) in parameters {
        if let variable = parameter.variableInDefault { variables.append((name, variable)) }
      }
    }
    let required = parameters.filter { $0.parameter.declaration.isRequired }.map(\.name)
    let keys = ObjectKeys(required: required) {
      ParameterProperties.fields(of: Group())
    }
    let find: (String) -> (any ParameterProperty)? = { name in
      parameters.first { $0.name == name }?.parameter
    }
    fill(keys, variables, from: json, at: json.range, find) { group.validate(&$0) }
    return group
  }

  /// Sets the parameters of a new command from JSON, and validates the command.
  ///
  /// - Parameters:
  ///   - json: The object with the values; `nil` if the manifest has none.
  ///   - range: The place of mistakes about missing values.
  mutating func fill(
    _ command: any Command, _ layout: ParameterLayout, _ keys: ObjectKeys, from json: JSONValue?,
    at range: SourceRange
  ) {
    let parameters = layout.parameters(of: command)
    fill(keys, layout.variables, from: json, at: range, parameters) { command.validate(&$0) }
  }

  /// Sets parameters from JSON, and validates their command or group.
  private mutating func fill(
    _ keys: ObjectKeys, _ variables: [(name: String, variable: String)], from json: JSONValue?,
    at range: SourceRange, _ parameter: (String) -> (any ParameterProperty)?,
    _ validate: (inout ParameterValidation) -> Void
  ) {
    let (before, mistakes) = (unread.count, problems.total)
    var shared: String?
    readMembers(of: json, at: range, keys) { name, value, reader in
      guard let parameter = parameter(name) else { return false }
      if parameter.claim() { parameter.read(value, named: name, &reader) } else { shared = shared ?? name }
      return true
    }
    if let shared {
      let message =
        "it shares \"\(shared)\" with another one: its init() must create its parameters each time"
      return problems.append(path.error(message, at: json?.range ?? range))
    }
    for (name, variable) in variables where replacesVariables && json?[name] == nil {
      let path = path.appending(.key(name))
      let message =
        "its default has {\(variable)}, but only values in a manifest insert variables: "
        + "write \"\(name)\" in the manifest, or read the variable in Swift"
      problems.append(path.error(message, at: json?.range ?? range))
      noteUnread(at: .key(name))
    }
    var validation = ParameterValidation(
      of: json, at: range, path: path, unread: unread[before...], libraries: libraries)
    validate(&validation)
    requirements += validation.requirements
    guard !validation.problems.isEmpty else { return }
    let unreadable = (mistakes..<problems.total).filter { !rejections.contains($0) }
    var found = SortedPlaces()
    found.append(unreadable.map { problems.places[$0] }[...])
    for problem in validation.problems where !found.contains(inside: problem.range) {
      rejections.insert(problems.total)
      problems.append(problem)
    }
  }
}

/// Places in a text, sorted.
private struct SortedPlaces {
  private var places: [SourceRange] = []

  /// Adds places. Takes O(1) for each one that comes after all others.
  mutating func append(_ new: ArraySlice<SourceRange>) {
    var last = places.last?.start ?? 0
    var isSorted = true
    for place in new { (isSorted, last) = (isSorted && last <= place.start, place.start) }
    places += new
    if !isSorted { places.sort() }
  }

  /// Returns whether a place contains one of these places.
  func contains(inside outer: SourceRange) -> Bool {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].start < outer.start { low = middle + 1 } else { high = middle }
    }
    return places[low...].lazy.prefix { $0.start <= outer.end }.contains { $0.end <= outer.end }
  }
}
