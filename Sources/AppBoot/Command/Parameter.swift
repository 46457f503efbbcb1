/// A parameter of a command: its help and its default, declared once.
///
/// From this one declaration come decoding, errors with positions, `appboot commands NAME` and the
/// JSON Schema.
///
/// ```swift
/// @Parameter("Host name or address.") var host = "127.0.0.1"
/// @Parameter("TCP port, 1 to 65535.") var port: Int        // required: it has no default
/// @Parameter(required: "How.") var mode = Mode.fast        // required: .fast stands for nothing yet
/// ```
///
/// That `Value` is decodable is asked by the initializers and not by the type: a requirement of the type would
/// be checked by a search of the runtime's tables at every launch, once for each type of parameter.
@propertyWrapper
public struct Parameter<Value: Sendable>: Sendable {
  let declaration: ParameterDeclaration<Value>
  private var value: Value
  /// Whether it is required, and neither a manifest nor code gave it.
  private(set) var isMissing: Bool

  init(_ value: Value, declaration: ParameterDeclaration<Value>, isMissing: Bool = false) {
    self.declaration = declaration
    self.value = value
    self.isMissing = isMissing
  }

  /// The parameter's value: from the manifest, from code, or the default.
  ///
  /// A required parameter that nobody gave reads as its placeholder (`""`, `0`, `[]`); the plan refuses
  /// such a command before it runs.
  public var wrappedValue: Value {
    get { value }
    set { (value, isMissing) = (newValue, false) }
  }

  var hasDefault: Bool { declaration.defaultValue != nil }

  /// Takes the default again, where there is one.
  mutating func reset() {
    if let defaultValue = declaration.defaultValue { wrappedValue = defaultValue }
  }
}

extension Parameter where Value: Decodable {
  /// Declares a parameter with a default.
  public init(wrappedValue: Value, _ help: String) {
    self.init(wrappedValue, declaration: ParameterDeclaration(help: help, defaultValue: wrappedValue))
  }

  /// Declares a parameter that a manifest must give, of a type that has no placeholder of its own.
  ///
  /// - Parameter wrappedValue: What it reads as until it is given; no default.
  public init(wrappedValue: Value, required help: String) {
    let declaration = ParameterDeclaration<Value>(help: help, defaultValue: nil)
    self.init(wrappedValue, declaration: declaration, isMissing: true)
  }

  /// Declares a parameter that a manifest must give.
  public init(_ help: String) where Value: ParameterPlaceholderProviding {
    self.init(wrappedValue: Value.parameterPlaceholder, required: help)
  }

  /// Declares a parameter that may be left out, and is `nil` then.
  public init<Wrapped>(_ help: String) where Value == Wrapped? {
    self.init(wrappedValue: nil, help)
  }
}

extension Parameter where Value: Decodable {
  /// Declares a parameter with a default, of a shape that says more than its type; its command checks the rest.
  package init(
    wrappedValue: Value, _ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema
  ) {
    let declaration = ParameterDeclaration(help: help, defaultValue: wrappedValue, schema: schema)
    self.init(wrappedValue, declaration: declaration)
  }

  /// Declares a parameter that a manifest must give, of a shape that says more than its type.
  package init(_ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema)
  where Value: ParameterPlaceholderProviding {
    let declaration = ParameterDeclaration<Value>(help: help, defaultValue: nil, schema: schema)
    self.init(Value.parameterPlaceholder, declaration: declaration, isMissing: true)
  }

  /// Declares a parameter that may be left out, of a shape that says more than its type.
  package init<Wrapped>(_ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema)
  where Value == Wrapped? {
    self.init(wrappedValue: nil, help, schema: schema())
  }
}

/// What `@Parameter` says of a property: shared by every instance of its command.
final class ParameterDeclaration<Value: Sendable>: Sendable {
  let help: String
  let defaultValue: Value?
  /// The shape, where it says more than the type.
  let schema: (@Sendable () -> ParameterSchema)?

  init(help: String, defaultValue: Value?, schema: (@Sendable () -> ParameterSchema)? = nil) {
    self.help = help
    self.defaultValue = defaultValue
    self.schema = schema
  }
}

extension Parameter: Decodable where Value: Decodable {
  /// Decodes the value; where the manifest leaves the parameter out, it takes the declared default.
  ///
  /// - Throws: `DecodingError` where the value is missing without a default or of the wrong type.
  public init(from decoder: any Decoder) throws {
    let undeclared = ParameterDeclaration<Value>(help: "", defaultValue: nil)
    guard let decoder = decoder as? ParameterDecoder else {
      try self.init(Self.value(from: decoder), declaration: undeclared)
      (decoder as? ShapeProbe)?.parameter = ShapeProbe.Found(
        marker: declaration, type: ObjectIdentifier(Self.self), kind: ParameterKind { $0 as? Self })
      return
    }
    let declaration = decoder.declaration(as: ParameterDeclaration<Value>.self) ?? undeclared
    if decoder.value == nil, let defaultValue = declaration.defaultValue {
      self.init(defaultValue, declaration: declaration)
    } else {
      try self.init(decoder.decodeValue(Value.self), declaration: declaration)
    }
  }

  /// A probe has no input, and only asks for the shape: any value of the type will do.
  private static func value(from decoder: any Decoder) throws -> Value {
    guard let probe = decoder as? ShapeProbe else { return try Value(from: decoder) }
    return try probe.sample(Self.self)?.wrappedValue ?? EmptyValue.of(Value.self)
  }
}

/// A struct of parameters inside a parameter, whose own fields have help and defaults.
///
/// A plain `Decodable` struct works as well; conform to this where fields are ``Parameter``s with defaults.
public protocol ParameterGroup: Decodable, Sendable, ParameterPlaceholderProviding {
  /// Creates the group with its defaults.
  init()
}

extension ParameterGroup {
  /// The group with its defaults.
  public static var parameterPlaceholder: Self { Self() }
}

/// One type of ``Parameter``: tells its values among others without a search of the runtime's tables.
struct ParameterKind: Sendable {
  let property: @Sendable (Any) -> (any ParameterProperty)?
}

/// The type-erased face of ``Parameter``, found by reflection on a command's prototype.
protocol ParameterProperty: Sendable {
  var erasedDeclaration: any AnyObject & Sendable { get }
  var isMissing: Bool { get }
  var currentValue: Any { get }
  /// The property as it is where a manifest leaves it out; `nil` where it must be given.
  var preset: (any ParameterProperty)? { get }
  /// What the manifest may give under the name; `outer` are the types that the property is inside of.
  func field(named name: String, inside outer: [ObjectIdentifier]) -> ParameterField
}

extension Parameter: ParameterProperty where Value: Decodable {
  var erasedDeclaration: any AnyObject & Sendable { declaration }
  var currentValue: Any { wrappedValue }

  var preset: (any ParameterProperty)? {
    declaration.defaultValue.map { Self($0, declaration: declaration) }
  }

  func field(named name: String, inside outer: [ObjectIdentifier]) -> ParameterField {
    ParameterField(
      name: name, schema: declaration.schema?() ?? ParameterSchema(describing: Value.self, inside: outer),
      help: declaration.help,
      isRequired: declaration.defaultValue == nil,
      defaultText: declaration.defaultValue.flatMap { DefaultText.json(of: $0) })
  }
}
