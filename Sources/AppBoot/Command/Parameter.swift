/// A parameter of a command: its help and its default, declared once.
///
/// From this one declaration come decoding, errors with positions, `appboot commands NAME` and the
/// JSON Schema.
///
/// ```swift
/// @Parameter("Host name or address.") var host = "127.0.0.1"
/// @Parameter("TCP port, 1 to 65535.") var port: Int        // required: it has no default
/// ```
///
/// That `Value` is decodable is asked by the initializers and not by the type: a requirement of the type would
/// be checked by a search of the runtime's tables at every launch, once for each type of parameter.
@propertyWrapper
public struct Parameter<Value: Sendable>: Sendable {
  let declaration: ParameterDeclaration<Value>
  private var value: Value?

  init(declaration: ParameterDeclaration<Value>, value: Value?) {
    self.declaration = declaration
    self.value = value
  }

  /// The parameter's value: from the manifest, from code, or the default.
  ///
  /// A required parameter that nobody gave reads as its type's empty value (`""`, `0`, `[]`); the
  /// plan refuses such a command before it runs.
  public var wrappedValue: Value {
    get { value ?? declaration.emptyValue }
    set { value = newValue }
  }

  var hasDefault: Bool { declaration.defaultValue != nil }
  var isMissing: Bool { value == nil }
  var currentValue: Any? { value }

  /// Takes the default again.
  mutating func reset() { value = declaration.defaultValue }
}

extension Parameter where Value: Decodable {
  /// Declares a parameter with a default.
  public init(wrappedValue: Value, _ help: String) {
    declaration = ParameterDeclaration(help: help, defaultValue: wrappedValue)
    value = wrappedValue
  }

  /// Declares a parameter that a manifest must give.
  ///
  /// Disfavoured, so that an optional property takes the initializer below, which is the more generic one.
  @_disfavoredOverload
  public init(_ help: String) {
    declaration = ParameterDeclaration(help: help, defaultValue: nil)
    value = nil
  }

  /// Declares a parameter that may be left out, and is `nil` then.
  public init<Wrapped>(_ help: String) where Value == Wrapped? {
    declaration = ParameterDeclaration(help: help, defaultValue: .some(nil))
    value = .some(nil)
  }
}

/// What `@Parameter` says of a property: shared by every instance of its command.
final class ParameterDeclaration<Value: Sendable>: Sendable {
  let help: String
  let defaultValue: Value?
  private let makeEmpty: @Sendable () throws -> Value

  init(help: String, defaultValue: Value?) where Value: Decodable {
    self.help = help
    self.defaultValue = defaultValue
    makeEmpty = { try EmptyValue.of(Value.self) }
  }

  /// What an unset required parameter reads as.
  var emptyValue: Value {
    guard let empty = try? makeEmpty() else {
      // The type's own decoding refuses every empty value, so there is none to return: reading such a
      // parameter before giving it one is a mistake in the program's text, like an index out of range.
      fatalError("a required @Parameter of type \(Value.self) was read before it was given a value")
    }
    return empty
  }
}

extension Parameter: Decodable where Value: Decodable {
  /// Decodes the value; where the manifest leaves the parameter out, it takes the declared default.
  ///
  /// - Throws: `DecodingError` where the value is missing without a default or of the wrong type.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ParameterDecoder else {
      // A probe has no input, and only asks for the shape: a type that refuses an empty value may not stop it.
      let probe = decoder as? ShapeProbe
      let value = probe == nil ? try Value(from: decoder) : nil
      self.init(declaration: ParameterDeclaration(help: "", defaultValue: nil), value: value)
      probe?.parameter = ShapeProbe.Found(
        marker: declaration, type: ObjectIdentifier(Self.self), kind: ParameterKind { $0 as? Self })
      return
    }
    let declared = decoder.declaration(as: ParameterDeclaration<Value>.self)
    let declaration = declared ?? ParameterDeclaration(help: "", defaultValue: nil)
    if decoder.value == nil, let defaultValue = declaration.defaultValue {
      self.init(declaration: declaration, value: defaultValue)
    } else {
      try self.init(declaration: declaration, value: decoder.decodeValue(Value.self))
    }
  }
}

/// A struct of parameters inside a parameter, whose own fields have help and defaults.
///
/// A plain `Decodable` struct works as well; conform to this where fields are ``Parameter``s with defaults.
public protocol ParameterGroup: Decodable, Sendable {
  /// Creates the group with its defaults.
  init()
}

/// One type of ``Parameter``: tells its values among others without a search of the runtime's tables.
struct ParameterKind: Sendable {
  let property: @Sendable (Any) -> (any ParameterProperty)?
}

/// The type-erased face of ``Parameter``, found by reflection on a command's prototype.
protocol ParameterProperty: Sendable {
  var erasedDeclaration: any AnyObject & Sendable { get }
  var isMissing: Bool { get }
  var currentValue: Any? { get }
  /// The property as it is where a manifest leaves it out; `nil` where it must be given.
  var preset: (any ParameterProperty)? { get }
  /// What the manifest may give under the name; `outer` are the types that the property is inside of.
  func field(named name: String, inside outer: [ObjectIdentifier]) -> ParameterField
}

extension Parameter: ParameterProperty where Value: Decodable {
  var erasedDeclaration: any AnyObject & Sendable { declaration }

  var preset: (any ParameterProperty)? {
    declaration.defaultValue.map { Self(declaration: declaration, value: $0) }
  }

  func field(named name: String, inside outer: [ObjectIdentifier]) -> ParameterField {
    ParameterField(
      name: name, schema: ParameterSchema(describing: Value.self, inside: outer), help: declaration.help,
      isRequired: declaration.defaultValue == nil,
      defaultText: declaration.defaultValue.flatMap { DefaultText.json(of: $0) })
  }
}
