import AppBootSystem

/// The parameters that a type declares, found on one default instance of it.
final class ParameterPrototype: Sendable {
  /// The declarations by their key in the manifest.
  private let declarations: [Declaration]
  private let lazyFields: Lock<Fields>
  /// Whether the type is a struct that stores its parameters and nothing else.
  let isPlain: Bool
  /// The prototypes of the groups inside, each made when a manifest first names it.
  private let groups = Lock<[ObjectIdentifier: ParameterPrototype]>([:])

  /// The keys' shapes: only errors, help and schema ask for them, so a launch does not pay for them.
  private enum Fields: Sendable {
    case pending([@Sendable () -> ParameterField])
    case made([ParameterField])
  }

  /// Every key that decoding reads, in the order in which it reads them.
  var fields: [ParameterField] {
    lazyFields.withLock { fields in
      switch fields {
      case .made(let made): return made
      case .pending(let makers):
        let made = makers.map { $0() }
        fields = .made(made)
        return made
      }
    }
  }

  struct Declaration: Sendable {
    let key: String
    let declaration: any AnyObject & Sendable
    /// The property where the manifest leaves it out.
    let preset: (any ParameterProperty)?

    init(_ key: String, _ property: any ParameterProperty) {
      self.key = key
      declaration = property.erasedDeclaration
      preset = property.preset
    }
  }

  init<Value: Decodable>(of instance: Value, inside outer: [ObjectIdentifier] = []) {
    let probe = ShapeProbe(of: instance)
    let decoded = try? Value(from: probe)
    let found = Properties(kinds: probe.kinds, isComplete: decoded != nil)
    var properties = PropertyMatch(of: instance, decoded: decoded, found)
    var declarations: [Declaration] = []
    var fields: [@Sendable () -> ParameterField] = []
    for key in probe.keys {
      if let property = properties.take(for: key) {
        fields.append { property.field(named: key.name, inside: outer) }
        declarations.append(Declaration(key.name, property))
      } else {
        fields.append { key.field(inside: outer) }
      }
    }
    if decoded == nil {
      // Decoding gave up before it asked for everything: what else is declared goes by its own name.
      for (name, property) in properties.rest {
        fields.append { property.field(named: name, inside: outer) }
        declarations.append(Declaration(name, property))
      }
    }
    self.declarations = declarations
    lazyFields = Lock(.pending(fields))
    let mirror = Mirror(reflecting: instance)
    isPlain = mirror.displayStyle == .struct && mirror.children.allSatisfy { found.property($0.value) != nil }
  }

  func declaration(of key: String) -> Declaration? {
    // By index: a copy of each candidate would cost more than the comparisons.
    for index in declarations.indices where declarations[index].key == key { return declarations[index] }
    return nil
  }

  /// The prototype of a group inside a parameter.
  func group<Group: ParameterGroup>(_ type: Group.Type) -> ParameterPrototype {
    let name = ObjectIdentifier(type)
    if let known = groups.withLock({ $0[name] }) { return known }
    let made = ParameterPrototype(of: Group(), inside: [name])
    return groups.withLock { groups in
      if let known = groups[name] { return known }
      groups[name] = made
      return made
    }
  }

}

/// Finds the `@Parameter` properties of a value.
private struct Properties {
  /// The kinds that decoding came across.
  var kinds: [ObjectIdentifier: ParameterKind] = [:]
  /// Whether there are no others.
  var isComplete = false

  /// The properties by name; the wrapper's storage is called `_name`.
  func all(of instance: Any) -> [(name: String, property: any ParameterProperty)] {
    Mirror(reflecting: instance).children.compactMap { child in
      guard let property = property(child.value), let label = child.label else { return nil }
      return (label.hasPrefix("_") ? String(label.dropFirst()) : label, property)
    }
  }

  func property(_ value: Any) -> (any ParameterProperty)? {
    if let kind = kinds[ObjectIdentifier(type(of: value))] { return kind.property(value) }
    return isComplete ? nil : value as? any ParameterProperty
  }
}

/// Finds for each key that decoding asks for the property that it fills, whatever `CodingKeys` calls it.
private struct PropertyMatch {
  /// The properties that no key was found for.
  var rest: [(name: String, property: any ParameterProperty)] { properties }
  private var properties: [(name: String, property: any ParameterProperty)]
  private var names: [ObjectIdentifier: String] = [:]

  /// - Parameter decoded: An instance in which each property was filled with a probe's marker; `nil` where
  ///   decoding gave up, and names have to do.
  init(of instance: Any, decoded: Any?, _ found: Properties) {
    properties = found.all(of: instance)
    guard let decoded else { return }
    for (name, property) in found.all(of: decoded) {
      names[ObjectIdentifier(property.erasedDeclaration)] = name
    }
  }

  mutating func take(for key: ShapeProbe.Key) -> (any ParameterProperty)? {
    guard let marker = key.marker else { return nil }
    let name = names[ObjectIdentifier(marker)] ?? key.name
    let index =
      properties.firstIndex { $0.name == name }
      ?? properties.firstIndex { type(of: $0.property) == key.type }
    return index.map { properties.remove(at: $0).property }
  }
}

/// The required parameters of a command that neither a manifest nor code gave a value, by their names in code.
func missingParameters(of command: any Command) -> [String] {
  MissingParameters.names(in: command, prefix: "")
}

private enum MissingParameters {
  static func names(in instance: Any, prefix: String) -> [String] {
    Properties().all(of: instance).flatMap { name, property -> [String] in
      if property.isMissing { return [prefix + name] }
      return inside(property.currentValue, named: prefix + name)
    }
  }

  private static func inside(_ value: Any, named name: String) -> [String] {
    if let group = value as? any ParameterGroup { return names(in: group, prefix: "\(name).") }
    guard let groups = value as? [any ParameterGroup] else { return [] }
    return groups.enumerated().flatMap { names(in: $1, prefix: "\(name)[\($0)].") }
  }
}
