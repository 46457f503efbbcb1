/// Reads a type's `@Parameter`s by name: for a command or a group whose `init(from:)` is written by hand.
///
/// It reads what synthesized decoding reads, without what that pays for at every launch: the defaults are
/// those of the instance itself, so nobody looks for them by reflection. It does not stop at the first
/// mistake: everything that is wrong with a command is reported at once.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///   try ParameterReader.read(decoder) { parameters in
///     parameters.read(&_host, "host")
///     parameters.read(&_port, "port")
///     if port == 0 { parameters.refuse("give a port from 1 to 65535", at: "port") }
///   }
/// }
/// ```
public struct ParameterReader {
  private let decoder: any Decoder
  /// The decoder of a manifest's parameters; `nil` for any other decoder.
  private let manifest: ParameterDecoder?
  private var problems: [any Error] = []
  /// The ways to what could not be read: nothing can be said of the values there.
  private var unread: [[String]] = []

  private init(_ decoder: any Decoder) {
    self.decoder = decoder
    manifest = decoder as? ParameterDecoder
  }

  /// Lets a type read its parameters, and throws what was wrong with them.
  ///
  /// - Throws: `DecodingError` for a value that is missing without a default, of the wrong type, or refused.
  ///   From a manifest, where there are several, an error that stands for all of them.
  public static func read(
    _ decoder: any Decoder, _ body: (_ parameters: inout ParameterReader) -> Void
  ) throws {
    var reader = ParameterReader(decoder)
    if let manifest = reader.manifest, let value = manifest.value, value.kind != .object {
      throw manifest.mismatch(expected: "an object")
    }
    body(&reader)
    guard let first = reader.problems.first else { return }
    throw reader.manifest == nil ? first : ParameterProblems(errors: reader.problems)
  }

  /// Whether there is an object to read: asked where another shape will do as well.
  package static func isObject(_ decoder: any Decoder) -> Bool {
    if let manifest = decoder as? ParameterDecoder { return manifest.value?.kind == .object }
    return hasContainer(decoder)
  }

  /// Not inlined: the container's type would be made for every manifest.
  @inline(never)
  private static func hasContainer(_ decoder: any Decoder) -> Bool {
    (try? decoder.container(keyedBy: ParameterKey.self)) != nil
  }

  /// Reads a parameter; one that is left out keeps its default, and one that is wrong what it had.
  public mutating func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<Value>, _ name: String
  ) {
    read(&parameter, name) { decoder, _ in try decoder.decodeValue(Value.self) }
  }

  /// Reads a parameter that may be left out or `null`.
  public mutating func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<Value?>, _ name: String
  ) {
    read(&parameter, name) { decoder, _ in
      decoder.value?.kind == .null ? nil : try decoder.decodeValue(Value.self)
    }
  }

  /// Reads a list; an element that is wrong holds its place, so that the others can be checked.
  public mutating func read<Element: Decodable & Sendable>(
    _ parameter: inout Parameter<[Element]>, _ name: String
  ) {
    read(&parameter, name) { try $0.elements(&$1) }
  }

  /// Reads an object of any keys; a member that is wrong holds its place, as in a list.
  public mutating func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<[String: Value]>, _ name: String
  ) {
    read(&parameter, name) { try $0.members(&$1) }
  }

  /// Refuses parameters that are each of the right type and do not make sense.
  ///
  /// What could not be read is refused already: a problem with it, or with what it is a part of, is not reported
  /// again.
  ///
  /// - Parameter path: The parameter's name, and names and indices inside of it: `"routes", .index(0)`.
  public mutating func refuse(_ problem: String, at path: ParameterKey...) {
    let names = path.map(\.stringValue)
    if !names.isEmpty, unread.contains(where: { names.starts(with: $0) || $0.starts(with: names) }) { return }
    problems.append(
      DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath + path, debugDescription: problem)))
  }

  /// The libraries that the app registered in code; `nil` where nobody knows, or where it is not certain that the
  /// command runs: an app may register a library on one platform only, and name it under a condition.
  package var registeredLibraries: [String: ThirdPartyInitializer]? { manifest?.libraries }

  /// Whether a parameter was right so far as it was read: what goes by another one's value asks first.
  public func hasRead(_ name: String) -> Bool { !unread.contains { $0.first == name } }

  private mutating func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<Value>, _ name: String,
    _ decode: (ParameterDecoder, _ mistakes: inout [Mistake]) throws -> Value
  ) {
    let key = ParameterKey(stringValue: name)
    do {
      guard let manifest else { return try readOther(&parameter, key) }
      let value = manifest.read(key)
      if value == nil, parameter.hasDefault { return parameter.reset() }
      var mistakes: [Mistake] = []
      parameter.wrappedValue = try decode(manifest.plainChild(key, value: value), &mistakes)
      for mistake in mistakes {
        problems.append(mistake.error)
        unread.append([name, mistake.key.stringValue])
      }
    } catch {
      problems.append(error)
      unread.append([name])
    }
  }

  /// Reads from a decoder that is not a manifest's: one of a test, or the probe that asks for the type's shape.
  private func readOther<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<Value>, _ name: ParameterKey
  ) throws {
    let container = try decoder.container(keyedBy: ParameterKey.self)
    if container.contains(name) || !parameter.hasDefault {
      parameter = try container.decode(Parameter<Value>.self, forKey: name)
    }
  }
}

/// Everything that is wrong with the parameters of one object, each a `DecodingError` or this again.
struct ParameterProblems: Error {
  let errors: [any Error]
}

/// What is wrong with one element of a list or one member of an object.
private struct Mistake {
  let key: ParameterKey
  let error: any Error
}

extension ParameterDecoder {
  fileprivate func elements<Element: Decodable>(_ mistakes: inout [Mistake]) throws -> [Element] {
    let value = try required()
    guard value.kind == .array else { throw mismatch([Element].self) }
    var elements: [Element] = []
    var hasHoles = false
    for (index, element) in value.elements.enumerated() {
      if let element: Element = decode(element, at: .index(index), &mistakes) {
        elements.append(element)
      } else {
        hasHoles = true
      }
    }
    return try whole(elements, hasHoles, mistakes)
  }

  fileprivate func members<Value: Decodable>(_ mistakes: inout [Mistake]) throws -> [String: Value] {
    let value = try required()
    guard value.kind == .object else { throw mismatch([String: Value].self) }
    readAll()
    var members: [String: Value] = [:]
    var hasHoles = false
    for member in value.members {
      let key = member.key.string
      if let value: Value = decode(member.value, at: ParameterKey(stringValue: key), &mistakes) {
        members[key] = value
      } else {
        hasHoles = true
      }
    }
    return try whole(members, hasHoles, mistakes)
  }

  /// The collection, unless something is missing in it: then nothing can be said of the rest either.
  private func whole<Collection>(
    _ collection: Collection, _ hasHoles: Bool, _ mistakes: [Mistake]
  ) throws -> Collection {
    if hasHoles { throw ParameterProblems(errors: mistakes.map(\.error)) }
    return collection
  }

  /// The value; of one that is wrong what holds its place, if anything can.
  private func decode<Value: Decodable>(
    _ value: JSONValue, at key: ParameterKey, _ mistakes: inout [Mistake]
  ) -> Value? {
    do {
      return try plainChild(key, value: value).decodeValue(Value.self)
    } catch {
      mistakes.append(Mistake(key: key, error: error))
      return (Value.self as? any ParameterPlaceholderProviding.Type)?.parameterPlaceholder as? Value
    }
  }
}

/// A parameter's name, or the place of something inside it.
public struct ParameterKey: CodingKey, ExpressibleByStringLiteral {
  /// The name; of an element, its place as `[0]`.
  public let stringValue: String
  /// The place of an element in its list.
  public let intValue: Int?

  /// The place of an element in its list, from 0.
  public static func index(_ index: Int) -> ParameterKey { ParameterKey(intValue: index) }

  /// A name.
  public init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  /// The place of an element in its list, from 0.
  public init(intValue: Int) { (stringValue, self.intValue) = ("[\(intValue)]", intValue) }
  /// A name.
  public init(stringLiteral name: String) { self.init(stringValue: name) }
}
