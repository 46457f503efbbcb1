/// Decodes a command's parameters from the manifest: `with` as JSON values with their places.
///
/// The schema has checked the value before this decoder sees it, so what fails here is a type's own
/// hand-written decoding; ``DecodingFailure`` finds the place in the manifest.
final class ParameterDecoder: Decoder {
  /// The value to decode; `nil` where the manifest leaves it out.
  let value: JSONValue?
  let codingPath: [any CodingKey]
  private let declarations: [String: any AnyObject & Sendable]
  private let own: (any AnyObject & Sendable)?

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(
    value: JSONValue?, codingPath: [any CodingKey] = [],
    declarations: [String: any AnyObject & Sendable] = [:], own: (any AnyObject & Sendable)? = nil
  ) {
    self.value = value
    self.codingPath = codingPath
    self.declarations = declarations
    self.own = own
  }

  func declaration<Declaration: AnyObject>(as type: Declaration.Type) -> Declaration? {
    own as? Declaration
  }

  /// Decodes a value that is not itself a `@Parameter`.
  func decodeValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Duration.self, let duration = try decodeDuration() as? Value { return duration }
    if let group = type as? any ParameterGroup.Type, let value = try decode(group: group) as? Value {
      return value
    }
    return try Value(from: self)
  }

  private func decode<Group: ParameterGroup>(group: Group.Type) throws -> Group {
    let prototype = ParameterPrototype(of: Group())
    let decoder = ParameterDecoder(
      value: value, codingPath: codingPath, declarations: prototype.declarations)
    return try Group(from: decoder)
  }

  private func decodeDuration() throws -> Duration {
    let text: String = try singleValueContainer().decode(String.self)
    do {
      return try DurationText.parse(text)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: codingPath, debugDescription: "\(error)"))
    }
  }

  func child(_ key: some CodingKey, value: JSONValue?) -> ParameterDecoder {
    ParameterDecoder(value: value, codingPath: codingPath + [key], own: declarations[key.stringValue])
  }

  func required() throws -> JSONValue {
    if let value { return value }
    throw DecodingError.valueNotFound(
      JSONValue.self, DecodingError.Context(codingPath: codingPath, debugDescription: "missing"))
  }

  func mismatch<Value>(_ type: Value.Type) -> DecodingError {
    DecodingError.typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected \(ParameterSchema(describing: type).description)"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let value, value.kind != .object { throw mismatch([String: String].self) }
    return KeyedDecodingContainer(ObjectContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = try required()
    guard value.kind == .array else { throw mismatch([String].self) }
    return ListContainer(decoder: self, elements: Array(value.elements))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { ScalarContainer(decoder: self) }
}

private struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ParameterDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    guard let value = decoder.value else { return [] }
    return value.members.compactMap { Key(stringValue: $0.key.string) }
  }

  func contains(_ key: Key) -> Bool { member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { member(key)?.kind == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.child(key, value: member(key)).decodeValue(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let value = member(key), value.kind != .null else { return nil }
    return try decoder.child(key, value: value).decodeValue(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.child(key, value: member(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.child(key, value: member(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder.child(key, value: member(key)) }

  private func member(_ key: Key) -> JSONValue? { decoder.value?[key.stringValue] }
}

private struct ListContainer: UnkeyedDecodingContainer {
  let decoder: ParameterDecoder
  let elements: [JSONValue]
  private(set) var currentIndex = 0

  init(decoder: ParameterDecoder, elements: [JSONValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].kind == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try next().decodeValue(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    defer { currentIndex += 1 }
    return try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    defer { currentIndex += 1 }
    return try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    defer { currentIndex += 1 }
    return try next()
  }

  private func next() throws -> ParameterDecoder {
    let key = IndexKey(intValue: currentIndex)
    guard !isAtEnd else { throw decoder.child(key, value: nil).mismatch([String].self) }
    return decoder.child(key, value: elements[currentIndex])
  }
}

/// The place of an element in an array, as a coding path writes it.
struct IndexKey: CodingKey {
  let index: Int
  init(intValue: Int) { index = intValue }
  init?(stringValue: String) { nil }
  var intValue: Int? { index }
  var stringValue: String { "[\(index)]" }
}

private struct ScalarContainer: SingleValueDecodingContainer {
  let decoder: ParameterDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value?.kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let flag = try decoder.required().bool else { throw decoder.mismatch(type) }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard let text = try decoder.required().string else { throw decoder.mismatch(type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let number = try? decoder.required().double() else { throw decoder.mismatch(type) }
    return number
  }

  func decode(_ type: Float.Type) throws -> Float { try Float(decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try number(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decodeValue(type) }

  private func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    guard let number = try? decoder.required().integer(as: type) else { throw decoder.mismatch(type) }
    return number
  }
}
