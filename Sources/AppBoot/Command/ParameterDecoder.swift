/// A decoder of a command's parameters from the JSON values of `with`, which have places in the manifest.
///
/// It records the keys that were read. A command is valid if decoding succeeds and leaves no key unread. A launch needs
/// no schema then. Otherwise the schema finds the errors and their places. An error that the schema cannot find comes
/// from the decoding or validation of a type (``DecodingFailures``).
final class ParameterDecoder: Decoder {
  /// The value to decode; `nil` if the manifest does not have it.
  let value: JSONValue?
  private let parent: ParameterDecoder?
  private let key: (any CodingKey)?
  private let log: ReadingLog
  /// The index of this object in the log; `nil` if the value is not an object.
  private let index: Int?
  /// The type of the parameter if this decodes a parameter's value; otherwise `nil`.
  ///
  /// If it is a list or a dictionary, the value is decoded even if its elements have errors.
  private var collection: (any Any.Type)?
  /// The errors in the elements of the list or dictionary.
  private(set) var mistakes: [Mistake] = []

  /// An error in an element of a list or in a member of an object.
  struct Mistake {
    let key: String
    /// The error; `nil` if it is one of many errors in types. The schema finds these too.
    let error: (any Error)?
  }

  /// The maximum number of errors in elements' types that are stored for one list or dictionary.
  private static let mistakeLimit = 100
  /// The number of errors in elements' types so far.
  private var typeMistakes = 0

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates the decoder of a command's parameters.
  init(
    value: JSONValue?, layouts: ParameterLayouts, libraries: [String: ThirdPartyInitializer]?,
    environment: ParameterEnvironment?, replacesVariables: Bool
  ) {
    self.value = value
    (parent, key) = (nil, nil)
    log = ReadingLog(
      layouts: layouts, libraries: libraries, environment: environment, replacesVariables: replacesVariables)
    index = log.add(value)
  }

  private init(value: JSONValue?, key: any CodingKey, in parent: ParameterDecoder) {
    self.value = value
    self.key = key
    self.parent = parent
    log = parent.log
    index = log.add(value)
  }

  /// The parameter layouts of the command and its groups.
  var layouts: ParameterLayouts { log.layouts }

  /// The libraries that the app registered in code; `nil` if it is not certain that the command runs.
  var libraries: [String: ThirdPartyInitializer]? { log.libraries }

  /// The launch for which the parameters are decoded; `nil` if it is unknown.
  var environment: ParameterEnvironment? { log.environment }

  /// True if placeholders of variables in the command's parameters are replaced when it runs.
  var replacesVariables: Bool { log.replacesVariables }

  /// The context values that the command's parameters need.
  var requirements: [ContextRequirement] { log.requirements }

  func require(_ requirements: [ContextRequirement]) { log.requirements += requirements }

  /// Removes all requirements except the first `count`. The groups that declared the removed ones are decoded again.
  func dropRequirements(after count: Int) { log.requirements.removeSubrange(count...) }

  /// True if all keys of all decoded objects were read. Custom keys, which begin with `x-`, do not count.
  var hasReadEverything: Bool { log.objects.allSatisfy(\.hasReadItsMembers) }

  /// Returns the value of a key, and marks the key as read; `nil` if the object does not have the key.
  func read(_ key: String) -> JSONValue? { index.flatMap { log.objects[$0].read(key) } }

  func readAll() {
    if let index { log.objects[index].hasReadAll = true }
  }

  /// The path to this value. It is computed, because only errors need it.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var current: ParameterDecoder? = self
    while let decoder = current {
      if let key = decoder.key { path.append(key) }
      current = decoder.parent
    }
    return path.reversed()
  }

  /// Decodes the value of a parameter.
  ///
  /// In a list or a dictionary, an element with an error is replaced by its type's placeholder. The error is added to
  /// ``mistakes``. The other elements can then still be validated.
  func decodeCollecting<Value: Decodable>() throws -> Value {
    collection = Value.self
    return try decodeValue(Value.self)
  }

  /// Decodes a value of a type.
  func decodeValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Duration.self, let duration = try decodeDuration() as? Value { return duration }
    // Some types would decode another value from a number, for example a date.
    if value?.kind == .number, !Self.isNumber(type), let value = try expressedValue(type) { return value }
    do {
      return try Value(from: self)
    } catch {
      // After the failure, because the search for the conformance is slow.
      if let value = try expressedValue(type) { return value }
      if error is DecodingError || error is ParameterProblems { throw error }
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

  /// Returns a decoder for a member or an element of this value.
  func child(_ key: some CodingKey, value: JSONValue?) -> ParameterDecoder {
    ParameterDecoder(value: value, key: key, in: self)
  }

  // MARK: - Collections

  /// Returns whether this decodes a parameter whose type is the given list or dictionary type.
  func isCollecting(_ type: any Any.Type) -> Bool { collection.map { $0 == type } ?? false }

  /// Decodes an element of a list or dictionary. If it has an error, records the error and returns its type's
  /// placeholder.
  ///
  /// - Parameter rest: A function that returns the decoders of the elements after this one. They are decoded for their
  ///   errors if the type has no placeholder.
  /// - Throws: All errors of the list or dictionary, if the type has no placeholder.
  func element<Value: Decodable>(
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
      let error = allErrors(in: child, of: Value.self, after: error)
      mistakes.append(Mistake(key: child.key?.stringValue ?? "", error: isStored(error) ? error : nil))
      return nil
    }
  }

  private func isStored(_ error: any Error) -> Bool {
    guard case DecodingError.typeMismatch = error else { return true }
    typeMistakes += 1
    return typeMistakes <= Self.mistakeLimit
  }

  /// Returns all errors in a value whose decoding has ended with its first error.
  ///
  /// The value is decoded again. Each member with an error is replaced by its type's empty value, so that decoding
  /// continues. The error of a type that was decoded with such a value does not count.
  func allErrors<Value: Decodable>(
    in child: ParameterDecoder, of type: Value.Type, after first: any Error
  ) -> any Error {
    guard child.value?.kind == .object, log.collected == nil, !(first is ParameterProblems) else {
      return first
    }
    log.collected = []
    defer { log.collected = nil }
    let again = ParameterDecoder(value: child.value, key: child.key ?? ParameterPathKey(""), in: self)
    _ = try? again.decodeValue(type)
    guard let errors = log.collected, errors.count > 1 else { return first }
    return ParameterProblems(errors: errors)
  }

  /// Decodes a member of this object. While all errors are collected, an error is replaced by an empty value.
  func member<Value: Decodable>(_ child: ParameterDecoder, _ type: Value.Type) throws -> Value {
    guard let before = log.collected?.count else { return try child.decodeValue(type) }
    do {
      return try child.decodeValue(type)
    } catch {
      if log.collected?.count == before { log.collected?.append(error) }
      return try EmptyValue.of(type)
    }
  }

  /// The decoders of the members that were not read.
  var unreadMembers: [ParameterDecoder] {
    guard let index else { return [] }
    return log.objects[index].unreadMembers.map { child(ParameterPathKey($0.key.string), value: $0.value) }
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

/// The objects that were decoded for one command, and the data that their decoders share.
///
/// It refers to no decoder: decoders refer to it, and would keep each other and the manifest in memory.
private final class ReadingLog {
  var objects: [ReadObject] = []
  var requirements: [ContextRequirement] = []
  /// The errors of a value whose errors are all collected; `nil` while decoding ends at the first error.
  var collected: [any Error]?
  let layouts: ParameterLayouts
  let libraries: [String: ThirdPartyInitializer]?
  let environment: ParameterEnvironment?
  let replacesVariables: Bool

  init(
    layouts: ParameterLayouts, libraries: [String: ThirdPartyInitializer]?,
    environment: ParameterEnvironment?, replacesVariables: Bool
  ) {
    (self.layouts, self.libraries, self.environment) = (layouts, libraries, environment)
    self.replacesVariables = replacesVariables
  }

  /// Adds a value that is an object, and returns its index; `nil` for any other value.
  func add(_ value: JSONValue?) -> Int? {
    guard let value, value.kind == .object else { return nil }
    objects.append(ReadObject(value))
    return objects.count - 1
  }
}

/// An object and the members that were read.
private struct ReadObject {
  private let members: [JSONValue.Member]
  /// The offsets of the values of those members that were read.
  private var readMembers: [UInt32] = []
  var hasReadAll = false
  /// The number of members that were read in the order of the text.
  private var count = 0

  init(_ value: JSONValue) { members = value.members }

  /// True if every member was read, apart from the user's own keys.
  var hasReadItsMembers: Bool {
    if hasReadAll { return true }
    if readMembers.count > 64 {
      let read = Set(readMembers)
      return members.allSatisfy { read.contains($0.value.range.start) || $0.key.hasPrefix("x-") }
    }
    return members.allSatisfy { readMembers.contains($0.value.range.start) || $0.key.hasPrefix("x-") }
  }

  /// The members that were not read.
  var unreadMembers: [JSONValue.Member] {
    let read = Set(readMembers)
    return members.filter { !read.contains($0.value.range.start) }
  }

  /// Returns the value of a key, and marks the key as read; `nil` if the object does not have the key.
  mutating func read(_ key: String) -> JSONValue? {
    guard let member = next(named: key) ?? members.last(where: { $0.key == key })?.value else { return nil }
    readMembers.append(member.range.start)
    return member
  }

  /// Returns the value of a key if its member follows the last one that was read; otherwise `nil`.
  ///
  /// It is faster than a search. A dictionary reads its keys in this order.
  private mutating func next(named key: String) -> JSONValue? {
    guard hasReadAll, count < members.count, members[count].key == key else { return nil }
    count += 1
    return members[count - 1].value
  }
}
