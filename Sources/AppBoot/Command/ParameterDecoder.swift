/// Decodes a command's parameters from the manifest: `with` as JSON values with their places.
///
/// It keeps account of what was read: a command that decodes and leaves no key unread is right as it
/// is, and nobody has to derive its schema. Otherwise the schema says what is wrong and where, and what it
/// finds nothing wrong with is a type's own hand-written decoding (``DecodingFailure``).
final class ParameterDecoder: Decoder {
  /// The value to decode; `nil` where the manifest leaves it out.
  let value: JSONValue?
  /// The command's prototype, which keeps those of its groups.
  private let root: LazyPrototype
  /// The type that is decoded; whether it declares anything is asked when its first key is.
  private var subject: Subject
  /// What this value's property declares.
  private let own: (any AnyObject & Sendable)?
  private let parent: ParameterDecoder?
  private let key: (any CodingKey)?
  private let account: ReadingAccount
  /// The members of this object that were read, as places in the document.
  private var readMembers: [UInt32] = []
  private var hasReadAll = false

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// What is decoded from this value at the moment.
  private enum Subject {
    case command
    case type(any Any.Type)
    /// `nil` for a type that declares nothing.
    case prototype(ParameterPrototype?)
  }

  /// Decodes a command.
  init(value: JSONValue?, prototype: LazyPrototype, libraries: [String: ThirdPartyInitializer]?) {
    self.value = value
    root = prototype
    subject = .command
    (own, parent, key) = (nil, nil, nil)
    account = ReadingAccount(libraries: libraries)
    if value?.kind == .object { account.objects.append(self) }
  }

  /// The libraries that the app registered in code; `nil` where it is not certain that the command runs.
  var libraries: [String: ThirdPartyInitializer]? { account.libraries }

  /// Whether every key of every object that was decoded was read, the user's own apart.
  var hasReadEverything: Bool { account.objects.allSatisfy(\.hasReadItsMembers) }

  private var hasReadItsMembers: Bool {
    guard let value, !hasReadAll else { return true }
    return value.members.allSatisfy { readMembers.contains($0.value.range.start) || $0.key.hasPrefix("x-") }
  }

  /// The member of that key, which counts as read from now on.
  func read(_ key: some CodingKey) -> JSONValue? {
    guard let member = value?[key.stringValue] else { return nil }
    readMembers.append(member.range.start)
    return member
  }

  func readAll() { hasReadAll = true }

  private init(
    value: JSONValue?, key: any CodingKey, in parent: ParameterDecoder, own: (any AnyObject & Sendable)?
  ) {
    self.value = value
    self.key = key
    self.parent = parent
    subject = .prototype(nil)
    root = parent.root
    self.own = own
    account = parent.account
    if value?.kind == .object { account.objects.append(self) }
  }

  /// The way to this value; only errors ask for it.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var current: ParameterDecoder? = self
    while let decoder = current {
      if let key = decoder.key { path.append(key) }
      current = decoder.parent
    }
    return path.reversed()
  }

  func declaration<Declaration: AnyObject>(as type: Declaration.Type) -> Declaration? {
    own as? Declaration
  }

  /// Decodes a value that is not itself a `@Parameter`.
  func decodeValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Duration.self, let duration = try decodeDuration() as? Value { return duration }
    let outer = subject
    subject = .type(type)
    defer { subject = outer }
    do {
      return try Value(from: self)
    } catch let error as DecodingError {
      throw error
    } catch let error as ParameterProblems {
      throw error
    } catch {
      // A type's own error knows nothing of places; this decoder does.
      throw corrupted("\(error)", cause: error)
    }
  }

  /// What the type that is decoded declares; `nil` where it declares nothing.
  private var prototype: ParameterPrototype? {
    let found: ParameterPrototype?
    switch subject {
    case .prototype(let prototype): return prototype
    case .command: found = root.value
    case .type(let type): found = (type as? any ParameterGroup.Type).map { root.value.group($0) }
    }
    subject = .prototype(found)
    return found
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

  /// The decoder of a member, which knows what its property declares.
  func child(_ key: some CodingKey, value: JSONValue?) -> ParameterDecoder {
    let own = prototype?.declaration(of: key.stringValue)?.declaration
    return ParameterDecoder(value: value, key: key, in: self, own: own)
  }

  /// The decoder of an element, or of a member whose reader knows what it declares.
  func plainChild(_ key: some CodingKey, value: JSONValue?) -> ParameterDecoder {
    ParameterDecoder(value: value, key: key, in: self, own: nil)
  }

  /// The `@Parameter` of that key, at its default.
  func preset(of key: some CodingKey) -> (any ParameterProperty)? {
    prototype?.declaration(of: key.stringValue)?.preset
  }

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

/// The objects that one command's decoding came to, and what it may ask for.
private final class ReadingAccount {
  var objects: [ParameterDecoder] = []
  let libraries: [String: ThirdPartyInitializer]?

  init(libraries: [String: ThirdPartyInitializer]?) { self.libraries = libraries }
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
    let value = member(key)
    if value == nil, let preset = decoder.preset(of: key) as? Value { return preset }
    return try decoder.child(key, value: value).decodeValue(type)
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

  private func member(_ key: Key) -> JSONValue? { decoder.read(key) }
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
    let value = try next(for: type).decodeValue(type)
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

  private func next<Value>(for type: Value.Type) throws -> ParameterDecoder {
    let key = ParameterKey.index(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "the list ends after \(elements.count)"))
    }
    return decoder.plainChild(key, value: elements[position])
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
