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
  /// The path to the value being read.
  private var path: ParameterPath
  /// The paths of the values that could not be read, and of unknown keys.
  private var unread: [ParameterPath] = []

  /// - Parameters:
  ///   - name: The name of the command in messages about the whole command; `nil` for none.
  ///   - outerKeys: The keys of the object that contains the parameters.
  init(
    named name: String?, replacesVariables: Bool, besides outerKeys: [String] = [],
    libraries: [String: ThirdPartyInitializer]? = nil, environment: ParameterEnvironment?
  ) {
    path = ParameterPath(of: name)
    (self.libraries, self.environment, self.outerKeys) = (libraries, environment, outerKeys)
    self.replacesVariables = replacesVariables
  }

  /// Creates a reader of objects that are not the parameters of a command.
  package init() {
    path = ParameterPath(of: nil)
    (libraries, environment, outerKeys, replacesVariables) = (nil, nil, [], false)
  }

  // MARK: - Values

  /// Reads a string. If a step runs, replaces the placeholders of variables.
  ///
  /// Returns `nil` if the JSON is not a string, if a variable is not set, or if a placeholder is malformed.
  package mutating func text(_ json: JSONValue) -> String? {
    guard let text = json.string else { return nil }
    guard let environment, replacesVariables else { return text }
    if let piece = PlaceholderScanner.malformed(in: text) {
      return reject("\"\(piece)\" is not a placeholder: write {env.NAME} for the value of a variable", json)
    }
    do throws(VariableNotSet) {
      return try environment.filled(text)
    } catch {
      unset = unset ?? error
      return reject(error.description, json)
    }
  }

  /// Reads a part of a value. If it is wrong, reports that, and returns `nil`.
  ///
  /// - Parameter declared: The schema in a parameter's declaration, for the message.
  mutating func read<Value>(
    _ type: ParameterType<Value>, _ json: JSONValue, at place: ParameterValidation.Place,
    as declared: ParameterSchema? = nil
  ) -> Value? {
    path.places.append(place)
    defer { path.places.removeLast() }
    let before = problems.total
    let value = type.read(json, &self)
    if value == nil { report(json, isKnown: problems.total > before, as: declared ?? type.schema([])) }
    return value
  }

  /// Reports a value that could not be read.
  ///
  /// - Parameter isKnown: True if the mistake is reported already.
  private mutating func report(_ json: JSONValue, isKnown: Bool, as schema: ParameterSchema) {
    if !isKnown { problems.append(at: json.range) { [path] in schema.mistake(json, named: path.name) } }
    if schema.holdsSecret { environment?.learnSecret(in: json) }
    unread.append(path)
  }

  /// Reports a wrong value, and returns `nil`.
  package mutating func reject<Value>(_ message: String, _ json: JSONValue, help: String? = nil) -> Value? {
    problems.append(at: json.range) { [path] in path.error(message, at: json.range, help: help) }
    return nil
  }

  /// The number of mistakes and of values that could not be read.
  package var mistakeCount: Int { problems.total + unread.count }

  // MARK: - Objects

  /// Reports the unknown and the missing keys of an object.
  ///
  /// - Parameters:
  ///   - range: The place of mistakes about missing keys.
  ///   - given: The keys that were read.
  private mutating func reportKeys(
    of json: JSONValue?, at range: SourceRange, _ keys: ObjectKeys, given: [String]
  ) {
    let members = json?.members ?? []
    // Keys that are given were read once, so there is no other key.
    if given.count == members.count, keys.required.allSatisfy(given.contains) { return }
    var seen: Set<String> = []
    /// The keys that unknown keys are likely to mean. These are not also reported as missing.
    var meant: Set<String> = []
    for (key, value) in members {
      let name = key.string
      // A repeated key is already a mistake of the text.
      let isGiven = given.contains(name)
      if isGiven, seen.insert(name).inserted { continue }
      unknownValues.append(value)
      if isGiven || name.hasPrefix("x-") { continue }
      problems.append(at: key.range) { [path] in keys.unknown(name, key.range, of: path) }
      unread.append(path.appending(.key(name)))
      if Synonym.isProgram(name) { meant.insert("command") }
      if let key = Synonym.suggestion(for: name, among: keys.fields().map(\.name)) { meant.insert(key) }
    }
    for name in keys.required where !given.contains(name) {
      if !meant.contains(name) {
        problems.append(at: range) { [path] in keys.missing(name, range, of: path) }
      }
      unread.append(path.appending(.key(name)))
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
    let known = ObjectKeys(name: name, required: required, unknownKey: unknown) { keys.map(\.field) }
    var given: [String] = []
    for (name, json) in json.members {
      guard let key = keys.first(where: { $0.name == name.string }), !given.contains(key.name) else {
        continue
      }
      given.append(key.name)
      key.read(json, &value, &self)
    }
    reportKeys(of: json, at: json.range.opening, known, given: given)
    return value
  }

  /// Reads an object into a new group; `nil` if the JSON is not an object.
  package mutating func group<Group: ParameterGroup>(_ json: JSONValue) -> Group? {
    guard json.kind == .object else { return nil }
    let group = Group()
    let layout = ParameterLayout.ofGroup(group)
    let keys = ObjectKeys(required: layout.required) { ParameterProperties.fields(of: Group()) }
    fill(group, layout, keys, from: json, at: json.range) { group.validate(&$0) }
    return group
  }

  /// Sets the parameters of a new command or group from JSON, and validates it.
  ///
  /// - Parameters:
  ///   - json: The object with the values; `nil` if the manifest has none.
  ///   - range: The place of mistakes about missing values.
  mutating func fill(
    _ instance: Any, _ layout: ParameterLayout, _ keys: ObjectKeys, from json: JSONValue?,
    at range: SourceRange, _ validate: (inout ParameterValidation) -> Void
  ) {
    let before = unread.count
    let parameter = layout.parameters(of: instance)
    var shared: String?
    var given: [String] = []
    for (key, value) in json?.members ?? [] {
      let name = key.string
      guard let parameter = parameter(name), !given.contains(name) else { continue }
      given.append(name)
      if parameter.claim() { parameter.read(value, named: name, &self) } else { shared = shared ?? name }
    }
    reportKeys(of: json, at: range, keys, given: given)
    if let mistake = layout.mistake { return problems.append(path.error(mistake, at: range)) }
    if let shared {
      let message =
        "it shares \"\(shared)\" with another one: its init() must create its parameters each time"
      return problems.append(path.error(message, at: json?.range ?? range))
    }
    var validation = ParameterValidation(
      of: json, at: range, path: path, unread: unread[before...], libraries: libraries)
    validate(&validation)
    requirements += validation.requirements
    problems.append(contentsOf: validation.problems)
  }
}

/// The launch for which parameters are read: for its plan, or for a step that runs.
///
/// It replaces the placeholders `{env.NAME}` when a step runs, and learns the secrets among the parameters.
final class ParameterEnvironment: Sendable {
  private let environment: LaunchEnvironment
  /// The step that runs; `nil` for a plan.
  private let step: Int?
  static let scanner = PlaceholderScanner("env.")

  /// Creates the environment of a plan, or of a step that runs.
  init(_ environment: LaunchEnvironment, ofStep step: Int? = nil) {
    (self.environment, self.step) = (environment, step)
  }

  /// Returns a string parameter with the values of its variables if a step runs.
  ///
  /// - Throws: ``VariableNotSet`` for a variable that is not set.
  func filled(_ text: String) throws(VariableNotSet) -> String {
    guard let step else { return text }
    return try Self.scanner.filled(text) { placeholder throws(VariableNotSet) in
      let variable = VariablePlaceholder(placeholder.dropFirst("env.".count))
      guard let value = variable.value(environment.variable(variable.name, ofStep: step)) else {
        throw VariableNotSet(
          name: variable.name,
          suggestion: ClosestName.to(variable.name, among: environment.variableNames(ofStep: step)))
      }
      return value
    }
  }

  /// Adds a secret, or the values of the variables that its text inserts.
  func learnSecret(_ text: String) {
    let names = Self.scanner.names(in: text)
    guard !names.isEmpty else { return _ = environment.secrets.add(text) }
    for name in names { environment.learnSecret(of: VariablePlaceholder(name.dropFirst("env.".count))) }
  }

  /// Adds the texts of a value that is written for a secret, also if it has the wrong type.
  func learnSecret(in value: JSONValue) {
    switch value.kind {
    case .string: value.string.map(learnSecret)
    case .number: learnSecret(value.text)
    case .array: for element in value.elements { learnSecret(in: element) }
    case .object: for member in value.members { learnSecret(in: member.value) }
    case .bool, .null: break
    }
  }
}

/// An error that reports that the variable of a placeholder `{env.NAME}` is not set.
package struct VariableNotSet: Error, Hashable, CustomStringConvertible {
  let name: String
  /// The closest name of a variable that is set; `nil` if none is close.
  let suggestion: String?

  package init(name: String, suggestion: String?) { (self.name, self.suggestion) = (name, suggestion) }

  /// The error message: the placeholder and its variable.
  package var description: String {
    "the placeholder {env.\(name)} has no value: the environment variable \(name) is not set"
      + (suggestion.map { "; did you mean {env.\($0.excerpt)}?" } ?? "")
  }
}
