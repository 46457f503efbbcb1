import AppBootBase

/// A parameter of a command, declared once with its help and its default.
///
/// Commands and groups use it as `@Parameter`. Reading, errors with places, `appboot commands NAME` and the JSON
/// Schema are derived from this declaration.
///
/// ```swift
/// struct Connect: Command {
///   @Parameter("Host name or address.") var host = "127.0.0.1"
///   @Parameter("TCP port, 1 to 65535.") var port: Int        // required: it has no default
///   @Parameter(required: "The mode.") var mode = Mode.fast   // required: .fast is only a placeholder
///   @Parameter("Attempts.", key: "max-attempts") var attempts = 3
///   …
/// }
/// ```
@propertyWrapper
public struct CommandParameter<Value: Sendable>: Sendable {
  private var storage: ParameterStorage<Value>

  /// The value from the manifest or from code, or else the default.
  ///
  /// Until a required parameter is set, this is its placeholder (`""`, `0`, `[]`), and a plan rejects its command.
  public var wrappedValue: Value {
    get { storage.value }
    // A copy of the command keeps its own value.
    set { storage = ParameterStorage(newValue, storage.declaration, storage.type, isMissing: false) }
  }
}

// The initializers require a `ParameterValue`, and not the type: the runtime checks the requirements of a type.
extension CommandParameter where Value: ParameterValue {
  /// Declares a parameter with a default.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  public init(wrappedValue: Value, _ help: String, key: String? = nil) {
    self.init(wrappedValue, ParameterDeclaration(help: help, key: key, isRequired: false))
  }

  /// Declares a required parameter.
  ///
  /// - Parameters:
  ///   - wrappedValue: The placeholder, which is the property's value until the parameter is set. It is not a default.
  ///   - key: The key in the manifest; `nil` for the property's name.
  public init(wrappedValue: Value, required help: String, key: String? = nil) {
    self.init(wrappedValue, ParameterDeclaration(help: help, key: key, isRequired: true))
  }

  /// Declares a required parameter, whose value is the placeholder of its type until it is set.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  public init(_ help: String, key: String? = nil) {
    // In a generic type, the compiler does not know that the type can be `nil`.
    let isOptional = Value.self is any ExpressibleByNilLiteral.Type
    self.init(
      Value.parameterType.placeholder(), ParameterDeclaration(help: help, key: key, isRequired: !isOptional))
  }

  /// Declares a parameter with a default and with a schema that is stricter than its type.
  ///
  /// The schema is for help, editors and the message about a value of another kind. The command's `validate(_:)` must
  /// reject the values that it forbids.
  package init(
    wrappedValue: Value, _ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema
  ) {
    self.init(wrappedValue, ParameterDeclaration(help: help, isRequired: false, schema: schema))
  }

  /// Declares a required parameter with a schema that is stricter than its type.
  package init(_ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema) {
    self.init(
      Value.parameterType.placeholder(), ParameterDeclaration(help: help, isRequired: true, schema: schema))
  }

  fileprivate init(_ value: Value, _ declaration: ParameterDeclaration) {
    storage = ParameterStorage(
      value, declaration, { Value.parameterType }, isMissing: declaration.isRequired)
  }
}

extension CommandParameter where Value: ParameterValue & ExpressibleByNilLiteral {
  /// Declares an optional parameter, whose default is `nil`.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  public init(_ help: String, key: String? = nil) {
    self.init(nil, ParameterDeclaration(help: help, key: key, isRequired: false))
  }

  /// Declares an optional parameter with a schema that is stricter than its type.
  package init(_ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema) {
    self.init(nil, ParameterDeclaration(help: help, isRequired: false, schema: schema))
  }
}

extension ParameterGroup {
  /// The property wrapper for the parameters of this group.
  public typealias Parameter = CommandParameter
}

/// The declaration of a parameter without its default.
struct ParameterDeclaration: Sendable {
  let help: String
  /// The key in the manifest; `nil` for the property's name.
  var key: String?
  let isRequired: Bool
  /// A function that returns the schema; `nil` for the schema of the type.
  var schema: (@Sendable () -> ParameterSchema)?
}

/// A parameter of a command or group, with a value of any type.
protocol ParameterProperty: AnyObject, Sendable {
  var declaration: ParameterDeclaration { get }
  /// True if a manifest must set the parameter: it has no default, or its default contains a group that lacks
  /// a required parameter.
  var isRequired: Bool { get }
  /// True if the parameter is required and has no value yet.
  var isMissing: Bool { get }
  /// True if the value is, or contains, a group with a required parameter that has no value.
  var isIncomplete: Bool { get }
  var currentValue: Any { get }

  /// Marks the parameter as used. Returns true only for the first call; false means that two readings share it.
  func claim() -> Bool
  /// Reads the value.
  func read(_ json: JSONValue, named name: String, _ reader: inout ParameterReader)
  /// Returns the parameter as a field of a schema.
  func field(named name: String, inside outer: [ObjectIdentifier]) -> ParameterField
}

/// The value of a parameter. Copies of a command share it until they set a value of their own.
private final class ParameterStorage<Value: Sendable>: ParameterProperty {
  let declaration: ParameterDeclaration
  /// A function that returns the description of the value's type.
  let type: @Sendable () -> ParameterType<Value>
  /// The value from code, or else the default.
  private let initial: Value
  private let state: Lock<ParameterState>

  init(
    _ value: Value, _ declaration: ParameterDeclaration,
    _ type: @escaping @Sendable () -> ParameterType<Value>, isMissing: Bool
  ) {
    (self.declaration, self.type, initial) = (declaration, type, value)
    state = Lock(ParameterState(isMissing: isMissing))
  }

  var value: Value {
    guard let read = state.withLock({ $0.read }) else { return initial }
    return (read as? ReadValue<Value>)?.value ?? initial
  }
  var isMissing: Bool { state.withLock { $0.isMissing } }
  var isRequired: Bool { declaration.isRequired || isIncomplete }
  var isIncomplete: Bool { type().isIncomplete(value) }
  var currentValue: Any { value }

  func claim() -> Bool {
    state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
  }

  func read(_ json: JSONValue, named name: String, _ reader: inout ParameterReader) {
    guard
      let value = reader.read(type(), json, at: .key(name), as: declaration.schema?())
    else { return }
    state.withLock { ($0.read, $0.isMissing) = (ReadValue(value: value), false) }
  }

  func field(named name: String, inside outer: [ObjectIdentifier]) -> ParameterField {
    let type = type()
    return ParameterField(
      name: name, schema: declaration.schema?() ?? type.schema(outer), help: declaration.help,
      isRequired: isRequired, defaultText: isRequired ? nil : type.json(value))
  }
}

/// The part of a parameter that reading a manifest changes.
private struct ParameterState {
  /// The ``ReadValue``; `nil` until a manifest sets the parameter.
  var read: (any Sendable)?
  var isMissing: Bool
  var isClaimed = false
}

/// A value that was read from a manifest.
private struct ReadValue<Value: Sendable>: Sendable {
  let value: Value
}

private protocol ParameterWrapper {
  /// The parameter without its type.
  var property: any ParameterProperty { get }
}

extension CommandParameter: ParameterWrapper {
  fileprivate var property: any ParameterProperty { storage }
}

/// The stored properties of a command or group.
package enum ParameterProperties {
  /// Returns the parameters, by their keys in a manifest.
  static func of(_ instance: Any) -> [(name: String, parameter: any ParameterProperty)] {
    all(of: instance).compactMap { label, value in
      parameter(value).map { ($0.declaration.key ?? name(label), $0) }
    }
  }

  /// Returns the fields of a schema, one for each parameter.
  package static func fields(of instance: Any, inside outer: [ObjectIdentifier] = []) -> [ParameterField] {
    of(instance).map { $0.parameter.field(named: $0.name, inside: outer) }
  }

  /// Returns all stored properties, including those of superclasses.
  static func all(of instance: Any) -> [(label: String, value: Any)] {
    mirrors(of: instance).flatMap(\.children).map { ($0.label ?? "", $0.value) }
  }

  /// Returns the mirrors of a value and of its superclasses.
  static func mirrors(of instance: Any) -> [Mirror] {
    Array(sequence(first: Mirror(reflecting: instance), next: \.superclassMirror))
  }

  /// Returns the parameter of a stored property; `nil` if the property is not a parameter.
  static func parameter(_ property: Any) -> (any ParameterProperty)? {
    (property as? any ParameterWrapper)?.property
  }

  /// Returns the mistake of a stored property that was meant to be static, because a launch reads only the type;
  /// `nil` for other properties.
  static func mistake(_ label: String, _ value: Any, of instance: Any) -> String? {
    guard ["lane", "provides", "requires"].contains(label), value is Lane || value is ContextKeys,
      !(instance is any ParameterGroup)
    else { return nil }
    return "has \"\(label)\" as a stored property, but a launch reads the type: make it static in Swift"
  }

  /// Returns whether a group has a required parameter that has no value, or contains such a group.
  static func isIncomplete(_ group: any ParameterGroup) -> Bool {
    of(group).contains { $0.parameter.isMissing || $0.parameter.isIncomplete }
  }

  /// Returns a property's name from the name of its wrapper's storage, for example `port` for `_port`.
  static func name(_ label: String) -> String {
    label.hasPrefix("_") ? String(label.dropFirst()) : label
  }
}

/// The parameters that all commands or groups of a type have.
///
/// It is made once for each type of command. `Mirror` looks up the type of each property, so a command is asked only
/// for the parameters that its entry has.
struct ParameterLayout: Sendable {
  /// The keys of the required parameters.
  private(set) var required: [String] = []
  /// The names of the stored properties that are not parameters.
  private(set) var plain: [String] = []
  /// The mistake in the declaration of a property, after the name of the type; `nil` for none.
  private(set) var mistake: String?
  /// The index of each parameter among the properties, by the key.
  private var places: [String: Int] = [:]
  /// The parameters of the first instance.
  private var parameters: [any ParameterProperty] = []
  /// The layouts of the groups that were read, by their types.
  private static let ofGroups = Lock<[ObjectIdentifier: ParameterLayout]>([:])

  /// Returns the layout of a type of groups. Only the first group of the type is looked at.
  static func ofGroup<Group: ParameterGroup>(_ group: Group) -> ParameterLayout {
    let type = ObjectIdentifier(Group.self)
    if let known = ofGroups.withLock({ $0[type] }) { return known }
    var layout = ParameterLayout(of: group)
    layout.parameters = []
    ofGroups.withLock { $0[type] = layout }
    return layout
  }

  /// Returns whether another command shares a parameter with the first one, so that reading one would change the other.
  func isShared(by other: Any) -> Bool {
    zip(parameters, ParameterProperties.of(other)).contains { $0 === $1.parameter }
  }

  init(of instance: Any) {
    for (index, property) in ParameterProperties.all(of: instance).enumerated() {
      guard let parameter = ParameterProperties.parameter(property.value) else {
        plain.append(property.label)
        mistake = mistake ?? ParameterProperties.mistake(property.label, property.value, of: instance)
        continue
      }
      parameters.append(parameter)
      let name = parameter.declaration.key ?? ParameterProperties.name(property.label)
      if places.updateValue(index, forKey: name) != nil {
        mistake = "has two parameters with the key \"\(name)\": give one of them another key in Swift"
      }
      if parameter.isRequired, !required.contains(name) { required.append(name) }
    }
  }

  /// Returns a function that finds the parameters of a command or group by their keys.
  func parameters(of instance: Any) -> (String) -> (any ParameterProperty)? {
    let mirrors = ParameterProperties.mirrors(of: instance)
    return { key in
      guard var place = places[key] else { return nil }
      for children in mirrors.map(\.children) {
        if place < children.count {
          return ParameterProperties.parameter(
            children[children.index(children.startIndex, offsetBy: place)].value)
        }
        place -= children.count
      }
      return nil
    }
  }
}
