/// A container for decoding the members of an object.
struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ParameterDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    guard let value = decoder.value else { return [] }
    decoder.readAll()
    // Row start-up: a generic `compactMap` here looks up two conformances, which takes 120,000 instructions.
    var keys: [Key] = []
    for member in value.members {
      if let key = Key(stringValue: member.key.string) { keys.append(key) }
    }
    return keys
  }

  func contains(_ key: Key) -> Bool { member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { member(key)?.kind == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let child = decoder.child(key, value: member(key))
    guard decoder.isCollecting([String: Value].self) else { return try decoder.member(child, type) }
    return try decoder.element(child) { decoder.unreadMembers }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let value = member(key), value.kind != .null else { return nil }
    return try decoder.member(decoder.child(key, value: value), type)
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

  private func member(_ key: Key) -> JSONValue? { decoder.read(key.stringValue) }
}

/// A container for decoding the elements of a list.
struct ListContainer: UnkeyedDecodingContainer {
  let decoder: ParameterDecoder
  private let elements: [JSONValue]
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
    advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let child = try next(for: type)
    guard decoder.isCollecting([Value].self) else {
      let value = try child.decodeValue(type)
      advance()
      return value
    }
    let value: Value = try decoder.element(child) { elementsAfterNext }
    advance()
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try next(for: [String: String].self).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try next(for: [String].self).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let element = try next(for: [String].self)
    advance()
    return element
  }

  private mutating func advance() {
    currentIndex += 1
  }

  /// The decoders of the elements that follow the next element.
  private var elementsAfterNext: [ParameterDecoder] {
    elements[(currentIndex + 1)...].enumerated().map { offset, element in
      decoder.child(ParameterPathKey(index: currentIndex + 1 + offset), value: element)
    }
  }

  private func next<Value>(for type: Value.Type) throws -> ParameterDecoder {
    let key = ParameterPathKey(index: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "the list ends after \(elements.count)"))
    }
    return decoder.child(key, value: elements[currentIndex])
  }
}

/// A container for decoding a value that is neither an object nor a list.
struct ScalarContainer: SingleValueDecodingContainer {
  let decoder: ParameterDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.value?.kind == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let flag = try decoder.required().bool else { throw decoder.mismatch(type) }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard let text = try decoder.required().string else { throw decoder.mismatch(type) }
    return try decoder.environment?.filled(text) ?? text
  }

  func decode(_ type: Double.Type) throws -> Double {
    let value = try decoder.required()
    guard value.kind == .number, let number = try? value.double() else { throw decoder.mismatch(type) }
    return number
  }

  func decode(_ type: Float.Type) throws -> Float {
    let number = try Float(decode(Double.self))
    if number.isFinite { return number }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: codingPath, debugDescription: "is out of range"))
  }

  func decode(_ type: Int.Type) throws -> Int { try number(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
  // A manifest's numbers are those of 64 bits, whatever type they end in: so says the schema.
  func decode(_ type: Int128.Type) throws -> Int128 {
    let number = try number(type)
    guard number >= Int128(Int64.min), number <= Int128(UInt64.max) else { throw decoder.mismatch(type) }
    return number
  }

  func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try UInt128(number(UInt64.self)) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decodeValue(type) }

  private func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    let value = try decoder.required()
    guard let number = try? value.integer(as: type) else { throw decoder.mismatch(type) }
    return number
  }
}
