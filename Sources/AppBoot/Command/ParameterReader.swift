/// Reads a type's `@Parameter`s by name: for a command or a group whose `init(from:)` is written by hand.
///
/// It reads what synthesized decoding reads, without what that pays for at every launch: the defaults are
/// those of the instance itself, so nobody looks for them by reflection.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///   self.init()
///   let parameters = ParameterReader(decoder)
///   try parameters.read(&_host, "host")
///   try parameters.read(&_port, "port")
///   if port == 0 { throw parameters.invalid("give a port from 1 to 65535", at: "port") }
/// }
/// ```
public struct ParameterReader {
  private let decoder: any Decoder
  /// The decoder of a manifest's parameters; `nil` for any other decoder.
  private let manifest: ParameterDecoder?

  /// A reader of what the decoder decodes.
  public init(_ decoder: any Decoder) {
    self.decoder = decoder
    manifest = decoder as? ParameterDecoder
  }

  /// Reads a parameter; one that is left out keeps its default.
  ///
  /// - Throws: `DecodingError` where the value is missing without a default or of the wrong type.
  public func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<Value>, _ name: String
  ) throws {
    try read(&parameter, name) { try $0.decodeValue(Value.self) }
  }

  /// Reads a parameter that may be left out or `null`.
  ///
  /// - Throws: `DecodingError` where the value is of the wrong type.
  public func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<Value?>, _ name: String
  ) throws {
    try read(&parameter, name) { $0.value?.kind == .null ? nil : try $0.decodeValue(Value.self) }
  }

  /// Reads a list.
  ///
  /// - Throws: `DecodingError` as ``read(_:_:)``, with the element's place.
  public func read<Element: Decodable & Sendable>(
    _ parameter: inout Parameter<[Element]>, _ name: String
  ) throws {
    try read(&parameter, name) { try $0.elements() }
  }

  /// Reads an object of any keys.
  ///
  /// - Throws: `DecodingError` as ``read(_:_:)``, with the member's place.
  public func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<[String: Value]>, _ name: String
  ) throws {
    try read(&parameter, name) { try $0.members() }
  }

  /// The error for parameters that are each of the right type and do not make sense.
  ///
  /// - Parameter path: The parameter's name, and names and indices inside of it: `"routes", .index(0)`.
  public func invalid(_ problem: String, at path: ParameterKey...) -> DecodingError {
    DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath + path, debugDescription: problem))
  }

  private func read<Value: Decodable & Sendable>(
    _ parameter: inout Parameter<Value>, _ name: String, _ decode: (ParameterDecoder) throws -> Value
  ) throws {
    let name = ParameterKey(stringValue: name)
    guard let manifest else { return try readOther(&parameter, name) }
    if let value = manifest.value, value.kind != .object { throw manifest.mismatch(expected: "an object") }
    let value = manifest.read(name)
    if value == nil, parameter.hasDefault { return parameter.reset() }
    parameter.wrappedValue = try decode(manifest.plainChild(name, value: value))
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

extension ParameterDecoder {
  fileprivate func elements<Element: Decodable>() throws -> [Element] {
    let value = try required()
    guard value.kind == .array else { throw mismatch([Element].self) }
    var elements: [Element] = []
    for (index, element) in value.elements.enumerated() {
      elements.append(try plainChild(ParameterKey.index(index), value: element).decodeValue(Element.self))
    }
    return elements
  }

  fileprivate func members<Value: Decodable>() throws -> [String: Value] {
    let value = try required()
    guard value.kind == .object else { throw mismatch([String: Value].self) }
    readAll()
    var members: [String: Value] = [:]
    for member in value.members {
      let key = member.key.string
      let decoder = plainChild(ParameterKey(stringValue: key), value: member.value)
      members[key] = try decoder.decodeValue(Value.self)
    }
    return members
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
