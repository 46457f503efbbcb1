/// A decoder of a command's parameters from the JSON values of `with`, which know their places in the manifest.
///
/// It records the keys that were read. A command that decodes and leaves no key unread is valid, so a launch derives no
/// schema. Otherwise the schema finds the errors and their places. An error that the schema does not know comes from a
/// type's own decoding or validation (``DecodingFailures``).
final class ParameterDecoder: Decoder {
  /// The value to decode; `nil` if the manifest leaves it out.
  let value: JSONValue?
  private let parent: ParameterDecoder?
  private let key: (any CodingKey)?
  private let log: ReadingLog
  /// The members of this object that were read, as places in the document.
  private var readMembers: [UInt32] = []
  private var hasReadAll = false
  /// The member after the last one that was read in the order of the text; `nil` at the beginning.
  private var cursor: JSONValue.Index?
  /// The list or dictionary that may have errors in its elements and still be decoded.
  private var collection: (any Any.Type)?
  /// The errors in its elements.
  private(set) var mistakes: [Mistake] = []

  /// An error in an element of a list or in a member of an object.
  struct Mistake {
    let key: String
    /// The error; `nil` if it is one of many errors in types, which the schema finds as well.
    let error: (any Error)?
  }

  /// The number of errors in the types of one collection's elements that are stored.
  private static let mistakeLimit = 100
  /// The number of stored errors in the elements' types.
  private var typeMistakes = 0

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Decodes a command.
  init(value: JSONValue?, layouts: ParameterLayouts, libraries: [String: ThirdPartyInitializer]?) {
    self.value = value
    (parent, key) = (nil, nil)
    log = ReadingLog(layouts: layouts, libraries: libraries)
    if value?.kind == .object { log.objects.append(self) }
  }

  private init(value: JSONValue?, key: any CodingKey, in parent: ParameterDecoder) {
    self.value = value
    self.key = key
    self.parent = parent
    log = parent.log
    if value?.kind == .object { log.objects.append(self) }
  }

  /// The layouts of the command and its groups.
  var layouts: ParameterLayouts { log.layouts }

  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  var libraries: [String: ThirdPartyInitializer]? { log.libraries }

  /// The context values that the command's parameters need.
  var requirements: [ContextRequirement] { log.requirements }

  func require(_ requirements: [ContextRequirement]) { log.requirements += requirements }

  /// Keeps only the first `count` requirements: the groups that stated the others are decoded again.
  func dropRequirements(after count: Int) { log.requirements.removeSubrange(count...) }

  /// True if every key of every decoded object was read, apart from the user's own keys.
  var hasReadEverything: Bool { log.objects.allSatisfy(\.hasReadItsMembers) }

  private var hasReadItsMembers: Bool {
    guard let value, !hasReadAll else { return true }
    if readMembers.count > 64 {
      let read = Set(readMembers)
      return value.members.allSatisfy { read.contains($0.value.range.start) || $0.key.hasPrefix("x-") }
    }
    return value.members.allSatisfy { readMembers.contains($0.value.range.start) || $0.key.hasPrefix("x-") }
  }

  /// Returns the value of a key and records the key as read; `nil` if the object lacks the key.
  func read(_ key: String) -> JSONValue? {
    guard let member = next(named: key) ?? value?[key] else { return nil }
    readMembers.append(member.range.start)
    return member
  }

  /// Returns the value of a key if its member follows the last one that was read. A dictionary reads in this order.
  private func next(named key: String) -> JSONValue? {
    guard hasReadAll, let members = value?.members, !members.isEmpty else { return nil }
    let index = cursor ?? members.startIndex
    guard index < members.endIndex, members[index].key == key else { return nil }
    cursor = members.index(after: index)
    return members[index].value
  }

  func readAll() { hasReadAll = true }

  /// The path to this value; only errors need it.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var current: ParameterDecoder? = self
    while let decoder = current {
      if let key = decoder.key { path.append(key) }
      current = decoder.parent
    }
    return path.reversed()
  }

  /// Decodes a parameter's value.
  ///
  /// If it is a list or a dictionary, a wrong element is replaced by its type's placeholder and recorded in
  /// ``mistakes``, so that the others are still validated.
  func decodeCollecting<Value: Decodable>() throws -> Value {
    collection = Value.self
    return try decodeValue(Value.self)
  }

  /// Decodes a value.
  func decodeValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Duration.self, let duration = try decodeDuration() as? Value { return duration }
    do {
      return try Value(from: self)
    } catch let error as DecodingError {
      throw error
    } catch let error as ParameterProblems {
      throw error
    } catch {
      // A type's own error has no place; this decoder knows it.
      throw corrupted("\(error)", cause: error)
    }
  }

  private func decodeDuration() throws -> Duration {
    let text: String = try singleValueContainer().decode(String.self)
    do {
      return try DurationText.parse(text)
    } catch {
      throw corrupted(error.description, cause: error)
    }
  }

  private func corrupted(_ message: String, cause: any Error) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: codingPath, debugDescription: message, underlyingError: cause))
  }

  /// Returns the decoder of a member or an element.
  func child(_ key: some CodingKey, value: JSONValue?) -> ParameterDecoder {
    ParameterDecoder(value: value, key: key, in: self)
  }

  // MARK: - Collections

  /// Returns true if this decodes a parameter that is a list or dictionary of the type.
  fileprivate func isCollecting(_ type: any Any.Type) -> Bool { collection.map { $0 == type } ?? false }

  /// Decodes an element of a collection. A wrong one is recorded, and its type's placeholder takes its place.
  ///
  /// - Parameter rest: The elements after it. They are decoded for their errors if there is no placeholder.
  /// - Throws: All errors of the collection, if there is no placeholder.
  fileprivate func element<Value: Decodable>(
    _ child: ParameterDecoder, rest: () -> [ParameterDecoder]
  ) throws -> Value {
    if let value: Value = attempt(child) { return value }
    if let type = Value.self as? any ParameterPlaceholderProviding.Type,
      let placeholder = type.parameterPlaceholder as? Value
    {
      return placeholder
    }
    for child in rest() { _ = attempt(child) as Value? }
    throw ParameterProblems(errors: mistakes.compactMap(\.error))
  }

  private func attempt<Value: Decodable>(_ child: ParameterDecoder) -> Value? {
    do {
      return try child.decodeValue(Value.self)
    } catch {
      mistakes.append(Mistake(key: child.key?.stringValue ?? "", error: isStored(error) ? error : nil))
      return nil
    }
  }

  private func isStored(_ error: any Error) -> Bool {
    guard case DecodingError.typeMismatch = error else { return true }
    typeMistakes += 1
    return typeMistakes <= Self.mistakeLimit
  }

  /// The decoders of the members that were not read yet.
  fileprivate var unreadMembers: [ParameterDecoder] {
    guard let value else { return [] }
    let read = Set(readMembers)
    return value.members.filter { !read.contains($0.value.range.start) }.map {
      child(ParameterPathKey($0.key.string), value: $0.value)
    }
  }

  // MARK: - Errors

  func required() throws -> JSONValue {
    if let value { return value }
    throw DecodingError.valueNotFound(
      JSONValue.self, DecodingError.Context(codingPath: codingPath, debugDescription: "missing"))
  }

  func mismatch<Value>(_ type: Value.Type) -> DecodingError {
    mismatch(expected: ParameterSchema(describing: type).description)
  }

  func mismatch(expected: String) -> DecodingError {
    let found = value.map { ", not \($0.kind)" } ?? ""
    return DecodingError.typeMismatch(
      JSONValue.self,
      DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(expected)\(found)"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let value, value.kind != .object { throw mismatch(expected: "an object") }
    return KeyedDecodingContainer(ObjectContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = try required()
    guard value.kind == .array else { throw mismatch(expected: "a list") }
    return ListContainer(decoder: self, elements: value.elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { ScalarContainer(decoder: self) }
}

/// The objects that were decoded for one command, and the facts that their decoders share.
private final class ReadingLog {
  var objects: [ParameterDecoder] = []
  var requirements: [ContextRequirement] = []
  let layouts: ParameterLayouts
  let libraries: [String: ThirdPartyInitializer]?

  init(layouts: ParameterLayouts, libraries: [String: ThirdPartyInitializer]?) {
    self.layouts = layouts
    self.libraries = libraries
  }
}

private struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ParameterDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    guard let value = decoder.value else { return [] }
    decoder.readAll()
    return value.members.compactMap { Key(stringValue: $0.key.string) }
  }

  func contains(_ key: Key) -> Bool { member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { member(key)?.kind == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let child = decoder.child(key, value: member(key))
    guard decoder.isCollecting([String: Value].self) else { return try child.decodeValue(type) }
    return try decoder.element(child) { decoder.unreadMembers }
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

  private func member(_ key: Key) -> JSONValue? { decoder.read(key.stringValue) }
}

private struct ListContainer: UnkeyedDecodingContainer {
  let decoder: ParameterDecoder
  private let elements: JSONValue.Elements
  private var position: JSONValue.Index
  private(set) var currentIndex = 0

  init(decoder: ParameterDecoder, elements: JSONValue.Elements) {
    self.decoder = decoder
    self.elements = elements
    position = elements.startIndex
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { position >= elements.endIndex }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[position].kind == .null else { return false }
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
    position = elements.index(after: position)
    currentIndex += 1
  }

  /// The decoders of the elements after the next one.
  private var elementsAfterNext: [ParameterDecoder] {
    elements[elements.index(after: position)...].enumerated().map { offset, element in
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
    return decoder.child(key, value: elements[position])
  }
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
