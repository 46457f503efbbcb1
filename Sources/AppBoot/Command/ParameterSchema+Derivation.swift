extension ParameterSchema {
  /// Derives the shape from a type, as `Decodable` will read it.
  init(describing type: any Any.Type, depth: Int = 0) {
    self = Self.stated(by: type) ?? Self.scalar(type) ?? Self.composite(type, depth: depth) ?? .any
  }

  private static func stated(by type: any Any.Type) -> ParameterSchema? {
    (type as? any ParameterSchemaProviding.Type)?.parameterSchema
  }

  private static func scalar(_ type: any Any.Type) -> ParameterSchema? {
    if type == String.self { return .string }
    if type == Bool.self { return .boolean }
    if type == Double.self || type == Float.self { return .number }
    if type == Duration.self { return .duration }
    if let integer = type as? any FixedWidthInteger.Type { return Self.integer(integer) }
    return nil
  }

  private static func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> ParameterSchema {
    .integer(minimum: Int64(clamping: Number.min), maximum: UInt64(clamping: Number.max))
  }

  private static func composite(_ type: any Any.Type, depth: Int) -> ParameterSchema? {
    // A type that contains itself has no finite shape; below this depth anything goes.
    guard depth < 16 else { return .any }
    if let optional = type as? any OptionalShape.Type {
      return .optional(ParameterSchema(describing: optional.wrappedType, depth: depth + 1))
    }
    if let array = type as? any ListShape.Type {
      return .array(ParameterSchema(describing: array.elementType, depth: depth + 1))
    }
    if let dictionary = type as? any DictionaryShape.Type {
      return .dictionary(ParameterSchema(describing: dictionary.valueType, depth: depth + 1))
    }
    if let cases = StringCases.of(type) { return .enumeration(cases) }
    guard let decodable = type as? any Decodable.Type else { return nil }
    return ShapeProbe.shape(of: decodable, depth: depth + 1)
  }
}

private protocol OptionalShape { static var wrappedType: any Any.Type { get } }
extension Optional: OptionalShape { static var wrappedType: any Any.Type { Wrapped.self } }

private protocol ListShape { static var elementType: any Any.Type { get } }
extension Array: ListShape { static var elementType: any Any.Type { Element.self } }
extension Set: ListShape { static var elementType: any Any.Type { Element.self } }

private protocol DictionaryShape { static var valueType: any Any.Type { get } }
extension Dictionary: DictionaryShape where Key == String {
  static var valueType: any Any.Type { Value.self }
}

/// The cases of an enum whose raw values are strings.
enum StringCases {
  static func of(_ type: any Any.Type) -> [String]? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    return rawValues(type)
  }

  private static func rawValues<Cases: CaseIterable>(_ type: Cases.Type) -> [String]? {
    var names: [String] = []
    for item in Cases.allCases {
      guard let name = rawValue(item) as? String else { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names
  }

  private static func rawValue<Item>(_ item: Item) -> Any? {
    (item as? any RawRepresentable).map { open($0) }
  }

  private static func open<Raw: RawRepresentable>(_ item: Raw) -> Any { item.rawValue }

  static func first<Value>(of type: Value.Type) -> Value? {
    (type as? any CaseIterable.Type).flatMap { firstCase($0) as? Value }
  }

  private static func firstCase<Cases: CaseIterable>(_ type: Cases.Type) -> Any? { Cases.allCases.first }
}

/// The parameters that a type declares, found on one default instance of it.
struct ParameterPrototype: Sendable {
  /// The declarations by their key in the manifest.
  let declarations: [String: any AnyObject & Sendable]
  /// Every key that decoding reads, in the order in which it reads them.
  let fields: [ParameterField]

  init<Value: Decodable>(of instance: Value, depth: Int = 0) {
    let properties = Self.properties(of: instance)
    let probe = ShapeProbe(properties: properties, depth: depth)
    _ = try? Value(from: probe)
    fields = probe.log.fields.isEmpty ? properties.map(Self.field) : probe.log.fields
    declarations =
      probe.log.declarations.isEmpty
      ? Dictionary(properties.map { ($0.name, $0.property.erasedDeclaration) }) { first, _ in first }
      : probe.log.declarations
  }

  /// The `@Parameter` properties of a value; the wrapper's storage is called `_name`.
  static func properties(of instance: Any) -> [(name: String, property: any ParameterProperty)] {
    Mirror(reflecting: instance).children.compactMap { child in
      guard let property = child.value as? any ParameterProperty, let label = child.label else { return nil }
      return (label.hasPrefix("_") ? String(label.dropFirst()) : label, property)
    }
  }

  static func field(name: String, property: any ParameterProperty) -> ParameterField {
    let field = property.schemaField
    return ParameterField(
      name: name, schema: field.schema, help: field.help, isRequired: field.isRequired,
      defaultText: field.defaultText)
  }
}

/// Writes a parameter's default as JSON, for help and schema.
enum DefaultText {
  static func json(of value: Any) -> String? {
    switch value {
    case let text as String: quoted(text)
    case let flag as Bool: flag ? "true" : "false"
    case let number as any BinaryInteger: number.description
    case let number as Double: number.isFinite ? number.description : nil
    case let duration as Duration: quoted(DurationText.exact(duration))
    case let color as Color: quoted(color.description)
    case let raw as any RawRepresentable: json(raw: raw)
    default: json(collection: value)
    }
  }

  private static func json<Raw: RawRepresentable>(raw: Raw) -> String? { json(of: raw.rawValue) }

  private static func json(collection value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.flatMap { json(of: $0.value) }
    case .collection, .set:
      let items = mirror.children.map { json(of: $0.value) }
      return items.contains(nil) ? nil : "[\(items.compactMap(\.self).joined(separator: ", "))]"
    case .dictionary: return mirror.children.isEmpty ? "{}" : nil
    default: return nil
    }
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(text)
    return writer.text
  }
}
