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
  func isCollecting(_ type: any Any.Type) -> Bool { collection.map { $0 == type } ?? false }

  /// Decodes an element of a collection. A wrong one is recorded, and its type's placeholder takes its place.
  ///
  /// - Parameter rest: The elements after it. They are decoded for their errors if there is no placeholder.
  /// - Throws: All errors of the collection, if there is no placeholder.
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
  var unreadMembers: [ParameterDecoder] {
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
