import AppBootBase

/// A registry of the commands that a manifest can use, and of the libraries and events of the app.
public struct CommandRegistry: Sendable {
  private var descriptions: [String: CommandDescription] = [:]
  private var order: [String] = []
  /// The libraries that the app starts in code, by their names in a manifest.
  private(set) var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// The names that two command types have, and the types. The plan reports them.
  private(set) var conflicts: [(name: String, first: any Command.Type, second: any Command.Type)] = []
  /// The context values that all launches have, by name.
  private(set) var provided: [String: any Sendable] = [:]
  /// The events that the app declares, in addition to the standard events.
  package private(set) var events: [EventName] = []

  /// Creates a registry with the given commands.
  public init(_ commands: (any Command.Type)...) {
    for command in commands { register(command) }
  }

  /// Adds a command. A second call with the same type has no effect.
  ///
  /// Two types with the same name are a mistake of each plan (``PlanError``).
  public mutating func register(_ command: any Command.Type) {
    add(CommandDescription(of: command))
  }

  /// Adds a command that stores objects of the app.
  ///
  /// ```swift
  /// registry.register(OpenDatabase.self) { OpenDatabase(client: client) }
  /// ```
  ///
  /// A second call with the same type replaces the closure.
  ///
  /// - Parameter make: A closure that returns a new command in each call. It runs for each entry of a manifest, and for
  ///   help and the schema. The parameters of the entry replace those of the new command.
  public mutating func register<Subject: Command>(
    _ command: Subject.Type, make: @escaping @Sendable () -> Subject
  ) {
    add(CommandDescription(of: command, make: make))
  }

  /// Adds commands.
  public mutating func register(_ commands: [any Command.Type]) {
    for command in commands { register(command) }
  }

  /// Registers a library that `InitializeThirdParties` starts by calling a function.
  ///
  /// - Parameter initialize: The function that starts the library. Its argument is the library's `options` in the
  ///   manifest.
  public mutating func thirdParty(
    _ name: String, initialize: @escaping @Sendable (_ options: [String: String]) throws -> Void
  ) {
    thirdParties[name] = initialize
  }

  /// Provides a value to all commands of each launch, before the first one runs.
  ///
  /// A second call with the same key replaces the value. ``StartupCommandsBuilder/providing(_:for:)`` has priority.
  public mutating func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    provided[key.name] = value
  }

  /// Declares an event of the app. A manifest's `on` can then have handlers for it.
  ///
  /// Do not use a name that begins with `x-`: the manifest ignores handlers with these names. If the same name is
  /// declared twice, the first declaration counts.
  public mutating func declare(_ event: EventName) {
    guard !events.contains(where: { $0.name == event.name }), !EventName.standardNames.contains(event.name)
    else { return }
    events.append(event)
  }

  /// The names of the events for which a manifest's `on` can have handlers.
  package var listedEvents: [String] {
    EventName.standardNames.filter { $0 != EventName.didFinishLaunching.name }
      + events.map(\.name).filter { !$0.hasPrefix("x-") }
  }

  /// The descriptions of all commands, in the order of registration.
  package var commands: [CommandDescription] { order.compactMap { descriptions[$0] } }

  /// The names of all commands, in the order of registration.
  public var names: [String] { order }

  /// The function that starts the programs of `unless`; `nil` if no command has one.
  package var startUnlessCheck: UnlessCheckStart? {
    commands.lazy.compactMap { $0.type._execution.polledType?.startUnlessCheck }.first
  }

  /// Returns the description of the command with a name; `nil` if there is none.
  package subscript(name: String) -> CommandDescription? { descriptions[name] }

  private mutating func add(_ description: CommandDescription) {
    if let existing = descriptions[description.name] {
      guard ObjectIdentifier(existing.type) != ObjectIdentifier(description.type) else {
        if description.hasMaker { descriptions[description.name] = description }
        return
      }
      conflicts.append((description.name, existing.type, description.type))
      return
    }
    descriptions[description.name] = description
    order.append(description.name)
  }
}

/// A description of a command type, for the catalogue, help, errors and the schema.
package struct CommandDescription: Sendable {
  /// The command's type.
  package let type: any Command.Type
  /// The command's name in manifests.
  package let name: String
  /// The command's parameters, in the order of declaration; empty if the command cannot be created.
  package var parameters: [ParameterField] {
    Self.made(fields) { (try? new()).map { ParameterProperties.fields(of: $0) } ?? [] }
  }
  /// The schema of the object with the command's parameters.
  package var parameterSchema: ParameterSchema { .ofFields(parameters, of: type) }
  /// True if a function creates the command instead of its `init()`.
  var hasMaker: Bool { make != nil }
  /// A function that creates the command; `nil` for its `init()`.
  private let make: (@Sendable () -> any Command)?
  // Made at the first use, so unused commands cost nothing.
  private let layout = Lock<ParameterLayout?>(nil)
  private let fields = Lock<[ParameterField]?>(nil)
  private let sharing = Lock<Bool?>(nil)

  /// Creates the description of a command type.
  ///
  /// - Parameter make: A function that creates the command; `nil` for its `init()`.
  package init(of type: any Command.Type, make: (@Sendable () -> any Command)? = nil) {
    self.type = type
    self.make = make
    name = type.name
  }

  private func new() throws -> any Command { try make?() ?? type.init() }

  /// Returns a stored value, or makes and stores it. Not under the lock: that runs the command's own code.
  private static func made<Value: Sendable>(_ store: Lock<Value?>, _ make: () throws -> Value) rethrows
    -> Value
  {
    if let known = store.withLock({ $0 }) { return known }
    let value = try make()
    store.withLock { $0 = value }
    return value
  }

  /// Creates a command and reads its parameters. The reader collects the mistakes.
  ///
  /// - Parameters:
  ///   - json: The object with the command's parameters; `nil` if the manifest has none.
  ///   - range: The place of mistakes about missing values.
  /// - Throws: The error of the command's `init()`, or an error if it shares parameters with the commands before it.
  func command(
    from json: JSONValue?, at range: SourceRange, _ reader: inout ParameterReader
  ) throws -> any Command {
    let command = try new()
    let isFirst = layout.withLock { $0 == nil }
    let layout = Self.made(layout) { ParameterLayout(of: command) }
    if let json {
      // A closure may return a command of the app, and variables make another command when the step runs.
      let isAlone = isFirst && !hasMaker && !VariableParameters.areIn(json)
      if !isAlone, try Self.made(sharing, { layout.isShared(by: isFirst ? try new() : command) }) {
        throw CommandMisuse.sharedCommand
      }
    }
    let (name, outerKeys) = (name, reader.outerKeys)
    let keys = ObjectKeys(name: name, required: layout.required) { key, range, known in
      if layout.plain.contains(key) { return .plainProperty(key, range, in: name) }
      // The entry already has a command, so this key inside "with" may mean the program to run.
      if key == "command", Synonym.of(key, among: known) != nil { return nil }
      return outerKeys.contains(key) ? .misplacedKey(key, range, in: name) : nil
    } fields: {
      parameters
    }
    reader.fill(command, layout, keys, from: json, at: range) { command.validate(&$0) }
    return command
  }
}

extension Diagnostic {
  /// Returns the error for a key that is the name of a stored property, but not of a parameter.
  fileprivate static func plainProperty(_ name: String, _ range: SourceRange, in what: String) -> Diagnostic {
    .error(
      "\"\(name.excerpt)\" is a stored property of \(what), but not a parameter", at: range,
      help: "declare it with @Parameter in Swift, or remove it here")
  }

  /// Returns the error for a key of an entry that was written among the command's parameters.
  fileprivate static func misplacedKey(_ name: String, _ range: SourceRange, in what: String) -> Diagnostic {
    .error(
      "\"\(name)\" is not a parameter of \(what)", at: range,
      help: "it belongs to the entry: write it beside \"with\"")
  }
}

/// The parameters of an entry that insert environment variables. They are read again when the step runs.
package struct VariableParameters: Sendable {
  let description: CommandDescription
  let value: JSONValue

  /// Returns the command with the values of its variables.
  ///
  /// - Throws: ``VariableNotSet``, or ``VariableParameterError`` if a value is invalid with the variables.
  func command(in context: LaunchContext) throws -> any Command {
    var reader = ParameterReader(
      named: nil, replacesVariables: description.type.options.replacesVariables,
      environment: ParameterEnvironment(context.session.environment, ofStep: context.step))
    let command = try description.command(from: value, at: value.range, &reader)
    if let unset = reader.unset { throw unset }
    if reader.problems.total > 0 { throw VariableParameterError(reader.problems) }
    return command
  }

  /// Returns whether a value may insert a variable. An escape can hide the beginning of a placeholder.
  static func areIn(_ value: JSONValue) -> Bool {
    ParameterEnvironment.scanner.isUsed(in: value.text) || value.text.utf8.contains(UInt8(ascii: "\\"))
  }
}

/// An error that reports parameters whose values are invalid with the variables of the environment.
struct VariableParameterError: Error, CustomStringConvertible {
  /// The error message: each parameter with its mistake.
  let description: String

  init(_ problems: Diagnostics) {
    description = problems.shown.map(\.message).joined(separator: "; ")
  }
}
