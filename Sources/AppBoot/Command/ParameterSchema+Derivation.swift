import AppBootBase

extension ParameterSchema {
  /// Derives the schema of the JSON values from which a type can be decoded.
  ///
  /// - Parameter outer: The types that contain this type. If they include this type, its schema is ``any``, because the
  ///   exact schema would be infinite.
  package init(describing type: any Any.Type, inside outer: [ObjectIdentifier] = []) {
    self = Self.stated(by: type) ?? Self.scalar(type) ?? Self.composite(type, outer) ?? .any
  }

  /// Returns the name of a type, or of the type in an optional, if it is only `Decodable`: neither a group nor a type
  /// with a schema of its own.
  static func foreignType(_ type: any Any.Type) -> String? {
    if let optional = type as? any OptionalShape.Type { return foreignType(optional.wrappedType) }
    guard stated(by: type) == nil, scalar(type) == nil, StringCases.of(type) == nil,
      CaseNames.of(type) == nil,
      !(type is any ListShape.Type), !(type is any DictionaryShape.Type), !(type is any ParameterGroup.Type)
    else { return nil }
    return String(reflecting: type)
  }

  private static func stated(by type: any Any.Type) -> ParameterSchema? {
    if let type = type as? any ParameterSchemaProviding.Type { return type.parameterSchema }
    return (type as? any ExpressibleByParameter.Type)?.parameterTextSchema
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

  private static func composite(_ type: any Any.Type, _ outer: [ObjectIdentifier]) -> ParameterSchema? {
    if let optional = type as? any OptionalShape.Type {
      return .optional(ParameterSchema(describing: optional.wrappedType, inside: outer))
    }
    if let array = type as? any ListShape.Type {
      return .array(ParameterSchema(describing: array.elementType, inside: outer))
    }
    if let dictionary = type as? any DictionaryShape.Type, dictionary.isObject {
      return .dictionary(ParameterSchema(describing: dictionary.valueType, inside: outer))
    }
    if let cases = StringCases.of(type) { return .enumeration(cases) }
    let name = ObjectIdentifier(type)
    guard let decodable = type as? any Decodable.Type, outer.count < depthLimit, !outer.contains(name) else {
      return nil
    }
    return ShapeProbe.shape(of: decodable, inside: outer + [name])
      ?? CaseNames.of(type).map { .enumeration($0) }
  }

  /// The maximum nesting of types. It stops the derivation of a generic type whose parameters grow without end.
  private static let depthLimit = 32
}

private protocol OptionalShape { static var wrappedType: any Any.Type { get } }
extension Optional: OptionalShape { static var wrappedType: any Any.Type { Wrapped.self } }

private protocol ListShape { static var elementType: any Any.Type { get } }
extension Array: ListShape { static var elementType: any Any.Type { Element.self } }
extension Set: ListShape { static var elementType: any Any.Type { Element.self } }

private protocol DictionaryShape {
  static var valueType: any Any.Type { get }
  /// True if the dictionary is decoded from an object. With other keys it is decoded from an array of keys and values.
  static var isObject: Bool { get }
}

extension Dictionary: DictionaryShape {
  static var valueType: any Any.Type { Value.self }
  static var isObject: Bool { Key.self is String.Type || Key.self is any CodingKeyRepresentable.Type }
}

/// A list of the cases of an enum with strings as raw values.
enum StringCases {
  static func of(_ type: any Any.Type) -> [String]? {
    if let type = type as? any CaseIterable.Type { return rawValues(type) }
    return (type as? any RawRepresentable.Type).flatMap { storedRawValues($0) }
  }

  /// Returns the raw values of an enum that is not `CaseIterable`; `nil` on platforms where they are unknown.
  private static func storedRawValues<Raw: RawRepresentable>(_ type: Raw.Type) -> [String]? {
    guard Raw.RawValue.self == String.self else { return nil }
    return EnumCases.all(of: type)?.compactMap { $0.rawValue as? String }
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
