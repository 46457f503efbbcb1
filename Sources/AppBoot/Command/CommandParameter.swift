// The initializers require `Decodable`, not the type: the runtime would look up the conformance at each launch, once
// for each type of parameter.

/// A parameter of a command, declared once with its help and its default.
///
/// Commands and groups use it as `@Parameter`. Decoding, errors with positions, `appboot commands NAME` and the JSON
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
///
/// Declare the parameter with its property. An `init()` can also create parameters in its body, if each call creates
/// the same parameters in the same order.
@propertyWrapper
public struct CommandParameter<Value: Sendable>: Sendable {
  /// The declaration. It identifies the parameter.
  let declaration: ParameterDeclaration
  private var value: Value
  /// True if the parameter is required and has no value yet.
  private(set) var isMissing: Bool

  /// The value from the manifest or from code, or else the default.
  ///
  /// Until a required parameter is set, this is its placeholder (`""`, `0`, `[]`), and a plan rejects its command.
  public var wrappedValue: Value {
    get { value }
    set { (value, isMissing) = (newValue, false) }
  }
}

extension CommandParameter where Value: Decodable {
  /// Declares a parameter with a default.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  public init(wrappedValue: Value, _ help: String, key: String? = nil) {
    self.init(wrappedValue, ParameterDeclaration(help, key: key, isRequired: false))
  }

  /// Declares a required parameter of a type that does not conform to ``ParameterPlaceholderProviding``.
  ///
  /// - Parameters:
  ///   - wrappedValue: The placeholder, which is the property's value until the parameter is set. It is not a default.
  ///   - key: The key in the manifest; `nil` for the property's name.
  public init(wrappedValue: Value, required help: String, key: String? = nil) {
    self.init(wrappedValue, ParameterDeclaration(help, key: key, isRequired: true))
  }

  /// Declares a required parameter.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  public init(_ help: String, key: String? = nil) where Value: ParameterPlaceholderProviding {
    self.init(wrappedValue: Value.parameterPlaceholder, required: help, key: key)
  }

  /// Declares an optional parameter. Its default is `nil`.
  ///
  /// - Parameter key: The key in the manifest; `nil` for the property's name.
  public init<Wrapped>(_ help: String, key: String? = nil) where Value == Wrapped? {
    self.init(wrappedValue: nil, help, key: key)
  }

  /// Creates a declared parameter with the value that the current ``ParameterPass`` supplies, or else with `preset`.
  private init(_ preset: Value, _ declaration: ParameterDeclaration) {
    let given = ParameterPass.current?.declare(declaration, preset: preset)
    self.init(declaration, given: given, preset: preset)
  }
}

extension CommandParameter {
  init(_ declaration: ParameterDeclaration, given: Value?, preset: Value) {
    self.declaration = declaration
    value = given ?? preset
    isMissing = declaration.isRequired && given == nil
  }
}

extension CommandParameter where Value: Decodable {
  /// Declares a parameter with a default and with a schema that is stricter than its type.
  ///
  /// Decoding does not check the schema. The command's `validate(_:)` must reject values that only the schema forbids.
  package init(
    wrappedValue: Value, _ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema
  ) {
    self.init(wrappedValue, ParameterDeclaration(help, isRequired: false, schema: schema))
  }

  /// Declares a required parameter with a schema that is stricter than its type.
  package init(_ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema)
  where Value: ParameterPlaceholderProviding {
    self.init(Value.parameterPlaceholder, ParameterDeclaration(help, isRequired: true, schema: schema))
  }

  /// Declares an optional parameter with a schema that is stricter than its type.
  package init<Wrapped>(_ help: String, schema: @escaping @Sendable @autoclosure () -> ParameterSchema)
  where Value == Wrapped? {
    self.init(wrappedValue: nil, help, schema: schema())
  }
}

extension Command {
  /// The property wrapper for the parameters of this command.
  public typealias Parameter = CommandParameter
}

extension ParameterGroup {
  /// The property wrapper for the parameters of this group.
  public typealias Parameter = CommandParameter
}

/// The declaration of a parameter without its default.
final class ParameterDeclaration: Sendable {
  let help: String
  /// The key in the manifest; `nil` for the property's name.
  let key: String?
  let isRequired: Bool
  /// A function that returns the schema; `nil` for the schema of the type.
  let schema: (@Sendable () -> ParameterSchema)?

  init(
    _ help: String, key: String? = nil, isRequired: Bool, schema: (@Sendable () -> ParameterSchema)? = nil
  ) {
    self.help = help
    self.key = key
    self.isRequired = isRequired
    self.schema = schema
  }
}
