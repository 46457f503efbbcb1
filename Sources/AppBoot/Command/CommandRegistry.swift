import AppBootSystem

/// The commands that a manifest may name, and what else the app brings in code.
public struct CommandRegistry: Sendable {
  private var descriptions: [String: CommandDescription] = [:]
  private var order: [String] = []
  /// The libraries that the app starts in code, by the name a manifest gives them.
  private(set) var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// Names that two different types claim: a mistake that `build()` reports.
  private(set) var conflicts: [RegistryConflict] = []
  /// The app's own events, beside the ones every app has.
  public private(set) var events: [DeclaredEvent] = []

  /// Creates a registry of the commands.
  public init(_ commands: (any Command.Type)...) {
    for command in commands { register(command) }
  }

  /// Adds a command; registering the same type again changes nothing.
  ///
  /// Two types of one name are a mistake that ``StartupCommandsBuilder/build()`` reports.
  public mutating func register(_ command: any Command.Type) {
    add(CommandDescription(of: command))
  }

  /// Adds commands.
  public mutating func register(_ commands: [any Command.Type]) {
    for command in commands { register(command) }
  }

  /// Makes a library that is started in code known by name to `InitializeThirdParties`.
  public mutating func thirdParty(
    _ name: String, initialize: @escaping @Sendable (_ options: ThirdPartyOptions) throws -> Void
  ) {
    thirdParties[name] = ThirdPartyInitializer(initialize: initialize)
  }

  /// Declares an event of the app's own, so that a manifest's `on` may name it.
  ///
  /// A name that begins with `x-` stays the manifest's author's own: no list for it is ever read.
  ///
  /// - Parameter owner: Whether it belongs to the process, or each time to one scene; the first declaration of a name counts.
  public mutating func declareEvent(_ name: String, of owner: DeclaredEvent.Owner = .process) {
    guard !events.contains(where: { $0.name == name }), !LifecycleEventName.all.contains(name) else { return }
    events.append(DeclaredEvent(name, of: owner))
  }

  /// The events that a manifest's `on` may name.
  var listedEvents: [String] {
    LifecycleEventName.all.filter { $0 != LifecycleEventName.didFinishLaunching }
      + events.map(\.name).filter { !$0.hasPrefix("x-") }
  }

  /// Every command, in the order of registration.
  public var commands: [CommandDescription] { order.compactMap { descriptions[$0] } }

  /// The names of every command, in the order of registration.
  public var names: [String] { order }

  /// The command of that name.
  public subscript(name: String) -> CommandDescription? { descriptions[name] }

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
public struct RegistryConflict: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name in the manifest.
  public let name: String
  /// The type that has the name.
  public let first: String
  /// The type that wanted it as well.
  public let second: String

  /// What is wrong and what to do.
  public var description: String {
    "two commands are named \"\(name)\": \(first) and \(second); give one of them another `static var name`"
  }
}

/// What the manifest says to a library that is started in code.
public struct ThirdPartyOptions: Sendable, Hashable {
  /// The library's name.
  public let name: String
  /// The entry's `options`.
  public let values: [String: String]

  /// Creates options.
  public init(name: String, values: [String: String] = [:]) {
    self.name = name
    self.values = values
  }

  /// The option of that name.
  public subscript(option: String) -> String? { values[option] }
}

/// How a library that the app registered in code is started.
package struct ThirdPartyInitializer: Sendable {
  package let initialize: @Sendable (ThirdPartyOptions) throws -> Void
}

/// What a command's type says of it: the catalogue's entry, the source of help, errors and schema.
public struct CommandDescription: Sendable {
  /// The command's type.
  public let type: any Command.Type
  /// Its name in the manifest.
  public let name: String
  /// One sentence that says what it does.
  public var abstract: String { type.abstract }
  /// More than the abstract.
  public var discussion: String { type.discussion }
  /// Where it runs.
  public var lane: Lane { type.lane }
  /// Whether it runs as a task.
  public var isAsynchronous: Bool { type.execution.kind != .synchronous }
  /// Whether it can be undone.
  public var isUndoable: Bool { type is any UndoableCommand.Type }
  /// The names of the context values that it provides.
  public var provides: [String] { type.provides }
  /// The parameters, in the order of declaration.
  package var parameters: [ParameterField] { layout.fields }
  /// Whether the command is a struct that stores its parameters and nothing else.
  var isPlain: Bool { layout.isPlain }

  private var layout: ParameterLayout { type.layout(in: layouts) }
  /// Made at their first use: a launch pays for the commands in its manifest only.
  private let layouts = ParameterLayouts()

  /// Describes a command by its type.
  public init(of type: any Command.Type) {
    self.type = type
    name = type.name
  }

  /// Decodes a command from its parameters, or from none, and returns whether every key was read.
  ///
  /// - Parameter libraries: The libraries registered in code; `nil` if it is not certain that the command runs.
  func decode(
    from value: JSONValue?, libraries: [String: ThirdPartyInitializer]?
  ) throws -> (command: any Command, isWhole: Bool) {
    let decoder = ParameterDecoder(value: value, layouts: layouts, libraries: libraries)
    let command = try type.decode(from: decoder)
    return (command, decoder.hasReadEverything)
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
