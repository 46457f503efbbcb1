import AppBootSystem

/// The commands that a manifest may name, with the libraries and events of the app.
public struct CommandRegistry: Sendable {
  /// The owner of an event: the process or a scene.
  public enum EventOwner: Sendable, Hashable {
    /// The app as a whole: `"consentGranted"`.
    case process
    /// A scene, which must be named each time: `"cartOpened"`.
    case scene
  }

  private var descriptions: [String: CommandDescription] = [:]
  private var order: [String] = []
  /// The libraries that the app starts in code, by their names in a manifest.
  private(set) var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// The names that two types claim; `build()` reports them.
  private(set) var conflicts: [RegistryConflict] = []
  /// The app's own events, in addition to those that every app has.
  package private(set) var events: [DeclaredEvent] = []

  /// Creates a registry of the commands.
  public init(_ commands: (any Command.Type)...) {
    for command in commands { register(command) }
  }

  /// Adds a command; registering the same type again changes nothing.
  ///
  /// If two types have one name, ``StartupCommandsBuilder/build()`` fails.
  public mutating func register(_ command: any Command.Type) {
    add(CommandDescription(of: command))
  }

  /// Adds commands.
  public mutating func register(_ commands: [any Command.Type]) {
    for command in commands { register(command) }
  }

  /// Registers a library that `InitializeThirdParties` starts by running code.
  ///
  /// - Parameter initialize: Starts the library with the entry's `options`.
  public mutating func thirdParty(
    _ name: String, initialize: @escaping @Sendable (_ options: [String: String]) throws -> Void
  ) {
    thirdParties[name] = ThirdPartyInitializer(initialize: initialize)
  }

  /// Declares an event of the app, so that a manifest's `on` may name it.
  ///
  /// The manifest ignores event handlers of a name that begins with `x-`.
  ///
  /// - Parameter owner: Whether the event belongs to the process or to one scene. The first declaration of a name
  ///   counts.
  public mutating func declareEvent(_ name: String, of owner: EventOwner = .process) {
    guard !events.contains(where: { $0.name == name }), !LifecycleEventName.all.contains(name) else { return }
    events.append(DeclaredEvent(name, of: owner))
  }

  /// The events that a manifest's `on` may name.
  var listedEvents: [String] {
    LifecycleEventName.all.filter { $0 != LifecycleEventName.didFinishLaunching }
      + events.map(\.name).filter { !$0.hasPrefix("x-") }
  }

  /// Every command, in the order of registration.
  package var commands: [CommandDescription] { order.compactMap { descriptions[$0] } }

  /// The names of all commands, in the order of registration.
  public var names: [String] { order }

  /// Returns the description of a command by its name; `nil` if no command has it.
  package subscript(name: String) -> CommandDescription? { descriptions[name] }

  private mutating func add(_ description: CommandDescription) {
    if let existing = descriptions[description.name] {
      guard ObjectIdentifier(existing.type) != ObjectIdentifier(description.type) else { return }
      let types = (String(reflecting: existing.type), String(reflecting: description.type))
      conflicts.append(RegistryConflict(name: description.name, first: types.0, second: types.1))
      return
    }
    descriptions[description.name] = description
    order.append(description.name)
  }
}

/// Two command types that claim one name.
package struct RegistryConflict: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name in the manifest.
  package let name: String
  /// The type that was registered first.
  package let first: String
  /// The type that claims it as well.
  package let second: String

  /// A sentence that names the two types and the remedy.
  package var description: String {
    "two commands are named \"\(name)\": \(first) and \(second); give one of them another `static var name`"
  }
}

/// The function that initializes a third-party library, registered under the library's name.
package struct ThirdPartyInitializer: Sendable {
  package let initialize: @Sendable ([String: String]) throws -> Void
}

/// The description of a command's type, for catalogue, help, errors and schema.
package struct CommandDescription: Sendable {
  /// The command's type.
  package let type: any Command.Type
  /// Its name in the manifest.
  package let name: String
  /// A sentence that describes it.
  package var abstract: String { type.abstract }
  /// More than the abstract.
  package var discussion: String { type.discussion }
  /// The lane that it runs on.
  package var lane: Lane { type.lane }
  /// True if it runs as a task.
  package var isAsynchronous: Bool { type.execution.kind != .synchronous }
  /// True if it can be undone.
  package var isUndoable: Bool { type is any UndoableCommand.Type }
  /// The names of the context values that it provides.
  package var provides: [String] { type.provides }
  /// The parameters, in the order of declaration.
  package var parameters: [ParameterField] { layout.fields }
  /// The schema of the object with its parameters.
  var parameterSchema: ParameterSchema {
    type is any ExclusiveParameters.Type ? .oneOf(parameters) : .object(parameters)
  }
  /// True if it cannot run without parameters.
  package var requiresParameters: Bool {
    type is any ExclusiveParameters.Type || parameters.contains(where: \.isRequired)
  }
  /// True if the command is a struct that stores its parameters and nothing else.
  var isPlain: Bool { layout.isPlain }

  private var layout: ParameterLayout { type.layout(in: layouts) }
  /// Made at their first use: a launch pays for the commands in its manifest only.
  private let layouts = ParameterLayouts()

  /// Describes a command by its type.
  package init(of type: any Command.Type) {
    self.type = type
    name = type.name
  }

  /// A decoded command, with facts about its decoding.
  struct Decoded {
    let command: any Command
    /// True if every key was read.
    let isWhole: Bool
    let requirements: [ContextRequirement]
  }

  /// Decodes a command from the object of its parameters; `nil` if the manifest has no parameters for it.
  ///
  /// - Parameter libraries: The libraries registered in code; `nil` if it is not certain that the command runs.
  func decode(
    from value: JSONValue?, libraries: [String: ThirdPartyInitializer]?
  ) throws -> Decoded {
    let decoder = ParameterDecoder(value: value, layouts: layouts, libraries: libraries)
    let command = try type.decode(from: decoder)
    return Decoded(
      command: command, isWhole: decoder.hasReadEverything, requirements: decoder.requirements)
  }
}

extension Command {
  fileprivate static func layout(in layouts: ParameterLayouts) -> ParameterLayout {
    layouts.layout(of: Self.self, Self.init)
  }

  fileprivate static func decode(from decoder: ParameterDecoder) throws -> any Command {
    try ParameterFilling.make(from: decoder, Self.init) { $0.validate(&$1) }
  }
}
