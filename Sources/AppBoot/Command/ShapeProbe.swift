/// A decoder that has no input: it gives every type its empty value and notes what was asked for.
///
/// With it, a type's own `Decodable` conformance tells the shape it reads.
final class ShapeProbe: Decoder {
  /// What a type asked for while it was decoded.
  struct Log {
    var fields: [ParameterField] = []
    var declarations: [String: any AnyObject & Sendable] = [:]
    var single: ParameterSchema?
    var isKeyed = false
  }

  var log = Log()
  private var properties: [(name: String, property: any ParameterProperty)]
  private let depth: Int

  init(properties: [(name: String, property: any ParameterProperty)] = [], depth: Int = 0) {
    self.properties = properties
    self.depth = depth
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The shape of a type that has no shape stated.
  static func shape(of type: any Decodable.Type, depth: Int) -> ParameterSchema? {
    if let group = type as? any ParameterGroup.Type {
      return .object(prototypeFields(of: group, depth: depth))
    }
    let probe = ShapeProbe(depth: depth)
    _ = try? type.init(from: probe)
    return probe.log.isKeyed ? .object(probe.log.fields) : probe.log.single
  }

  private static func prototypeFields<Group: ParameterGroup>(
    of type: Group.Type, depth: Int
  ) -> [ParameterField] {
    ParameterPrototype(of: Group(), depth: depth).fields
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    log.isKeyed = true
    return KeyedDecodingContainer(ShapeKeyedContainer<Key>(probe: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { EmptyListContainer() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { ShapeValueContainer(probe: self) }

  func note(_ key: some CodingKey, type: any Any.Type, isRequired: Bool) {
    let name = key.stringValue
    if type is any ParameterProperty.Type, let property = takeProperty(named: name) {
      log.fields.append(ParameterPrototype.field(name: name, property: property))
      log.declarations[name] = property.erasedDeclaration
      return
    }
    let schema = ParameterSchema(describing: type, depth: depth)
    if case .optional = schema {
      log.fields.append(ParameterField(name: name, schema: schema, isRequired: false))
    } else {
      let optional = isRequired ? schema : .optional(schema)
      log.fields.append(ParameterField(name: name, schema: optional, isRequired: isRequired))
    }
  }

  /// The property of that name; a key that was renamed takes the next one in declaration order.
  private func takeProperty(named name: String) -> (any ParameterProperty)? {
    guard !properties.isEmpty else { return nil }
    return properties.remove(at: properties.firstIndex { $0.name == name } ?? 0).property
  }
}

/// The empty value of any type: what its decoding makes of no input.
enum EmptyValue {
  static func of<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let first = StringCases.first(of: type) { return first }
    if let zero = Duration.zero as? Value { return zero }
    if let group = type as? any ParameterGroup.Type, let value = group.init() as? Value { return value }
    return try Value(from: ShapeProbe())
  }
}

private struct ShapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: ShapeProbe
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    probe.note(key, type: type, isRequired: true)
    return try EmptyValue.of(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    probe.note(key, type: type, isRequired: false)
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(ShapeKeyedContainer<Nested>(probe: ShapeProbe()))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { EmptyListContainer() }
  func superDecoder() throws -> any Decoder { ShapeProbe() }
  func superDecoder(forKey key: Key) throws -> any Decoder { ShapeProbe() }
}

private struct ShapeValueContainer: SingleValueDecodingContainer {
  let probe: ShapeProbe
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { true }
  func decode(_ type: Bool.Type) throws -> Bool { note(.boolean, false) }
  func decode(_ type: String.Type) throws -> String { note(.string, "") }
  func decode(_ type: Double.Type) throws -> Double { note(.number, 0) }
  func decode(_ type: Float.Type) throws -> Float { note(.number, 0) }
  func decode(_ type: Int.Type) throws -> Int { number(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { number(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { number(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { number(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { number(type) }
  func decode(_ type: UInt.Type) throws -> UInt { number(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { number(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { number(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { number(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { number(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    probe.log.single = probe.log.single ?? ParameterSchema(describing: type)
    return try EmptyValue.of(type)
  }

  private func note<Value>(_ schema: ParameterSchema, _ value: Value) -> Value {
    probe.log.single = probe.log.single ?? schema
    return value
  }

  private func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    note(ParameterSchema(describing: type), 0)
  }
}

private struct EmptyListContainer: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  mutating func decodeNil() throws -> Bool { true }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try EmptyValue.of(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(ShapeKeyedContainer<Nested>(probe: ShapeProbe()))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { EmptyListContainer() }
  mutating func superDecoder() throws -> any Decoder { ShapeProbe() }
}
