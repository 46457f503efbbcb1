/// A decoder without input. It gives each type its empty value, and records the keys that the type reads.
///
/// It derives a schema from a type's own `Decodable` conformance.
final class ShapeProbe: Decoder {
  /// A key that the decoding of a type has read.
  struct Key {
    let name: String
    let type: any Any.Type
    let isRequired: Bool

    func field(inside outer: [ObjectIdentifier]) -> ParameterField {
      let schema = ParameterSchema(describing: type, inside: outer)
      if case .optional = schema { return ParameterField(name: name, schema: schema, isRequired: false) }
      return ParameterField(
        name: name, schema: isRequired ? schema : .optional(schema), isRequired: isRequired)
    }
  }

  /// The keys, in the order in which they were read.
  fileprivate(set) var keys: [Key] = []
  /// The type that was read instead of an object; `nil` if none was.
  fileprivate var single: (any Any.Type)?
  private let depth: Int

  init(depth: Int = 0) { self.depth = depth }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns the schema of a type that declares none, derived from a trial decoding; `nil` if it cannot be derived.
  static func shape(of type: any Decodable.Type, inside outer: [ObjectIdentifier]) -> ParameterSchema? {
    if let group = type as? any ParameterGroup.Type {
      return .ofFields(fields(of: group, inside: outer), of: group)
    }
    let probe = ShapeProbe()
    let isComplete = (try? type.init(from: probe)) != nil
    if let single = probe.single { return ParameterSchema(describing: single, inside: outer) }
    // The schema of a type that threw, or that reads no key by name, cannot be derived.
    guard isComplete, !probe.keys.isEmpty else { return nil }
    return .object(probe.keys.map { $0.field(inside: outer) })
  }

  private static func fields<Group: ParameterGroup>(
    of type: Group.Type, inside outer: [ObjectIdentifier]
  ) -> [ParameterField] {
    ParameterLayout(Group.init).fields(inside: outer)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ShapeKeyedContainer<Key>(probe: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { EmptyListContainer() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { ShapeValueContainer(probe: self) }

  /// Returns a probe for a value inside the current value.
  ///
  /// - Throws: ``EndlessType`` if the type contains itself too deeply.
  fileprivate func child() throws -> ShapeProbe {
    guard depth < 64 else { throw EndlessType() }
    return ShapeProbe(depth: depth + 1)
  }
}

/// An error that reports that a type needs a value of the same type, and so has no empty value.
private struct EndlessType: Error {}

/// A maker of a type's empty value.
///
/// It is `""`, an empty list, the first case, or the result of decoding without input.
enum EmptyValue {
  static func of<Value: Decodable>(_ type: Value.Type, probe: ShapeProbe = ShapeProbe()) throws -> Value {
    if let plain = plain(type) { return plain }
    if let first = StringCases.first(of: type) { return first }
    if let group = type as? any ParameterGroup.Type, let value = group.init() as? Value { return value }
    return try Value(from: probe)
  }

  /// Returns the empty value of the most frequent types; `nil` for other types. It needs no conformance checks.
  private static func plain<Value>(_ type: Value.Type) -> Value? {
    if type == String.self { return "" as? Value }
    if type == [String].self { return [String]() as? Value }
    if type == [String: String].self { return [String: String]() as? Value }
    return type == Duration.self ? Duration.zero as? Value : nil
  }
}

private struct ShapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: ShapeProbe
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    probe.keys.append(ShapeProbe.Key(name: key.stringValue, type: type, isRequired: true))
    let child = try probe.child()
    do {
      return try Value(from: child)
    } catch let error as EndlessType {
      throw error
    } catch {
      return try EmptyValue.of(type, probe: probe.child())
    }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    note(key, type)
  }

  // The standard library decodes these itself, and reads no key if there is none.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { note(key, type) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { note(key, type) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { note(key, type) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { note(key, type) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { note(key, type) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { note(key, type) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { note(key, type) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { note(key, type) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { note(key, type) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { note(key, type) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { note(key, type) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { note(key, type) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { note(key, type) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { note(key, type) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { note(key, type) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { note(key, type) }

  private func note<Value>(_ key: Key, _ type: Value.Type) -> Value? {
    probe.keys.append(ShapeProbe.Key(name: key.stringValue, type: type, isRequired: false))
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
  func decode(_ type: Bool.Type) throws -> Bool { note(false) }
  func decode(_ type: String.Type) throws -> String { note("") }
  func decode(_ type: Double.Type) throws -> Double { note(0) }
  func decode(_ type: Float.Type) throws -> Float { note(0) }
  func decode(_ type: Int.Type) throws -> Int { note(0) }
  func decode(_ type: Int8.Type) throws -> Int8 { note(0) }
  func decode(_ type: Int16.Type) throws -> Int16 { note(0) }
  func decode(_ type: Int32.Type) throws -> Int32 { note(0) }
  func decode(_ type: Int64.Type) throws -> Int64 { note(0) }
  func decode(_ type: Int128.Type) throws -> Int128 { note(0) }
  func decode(_ type: UInt.Type) throws -> UInt { note(0) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { note(0) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { note(0) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { note(0) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { note(0) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { note(0) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try note(EmptyValue.of(type, probe: probe.child()))
  }

  private func note<Value>(_ value: Value) -> Value {
    probe.single = probe.single ?? Value.self
    return value
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
