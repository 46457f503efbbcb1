/// A search for the required parameters without a value in a command that was created in code.
enum MissingParameters {
  /// Returns the property names of the command's required parameters without a value, including those in its groups.
  static func names(in command: any Command) -> [String] { names(in: command, prefix: "") }

  private static func names(in instance: Any, prefix: String) -> [String] {
    ParameterLayout.storedProperties(of: instance).flatMap { label, value -> [String] in
      guard let parameter = value as? any ParameterProperty else { return [] }
      let name = ParameterLayout.propertyName(label)
      if parameter.isMissing { return [prefix + name] }
      return names(inside: parameter.currentValue, named: prefix + name)
    }
  }

  private static func names(inside value: Any, named name: String) -> [String] {
    if let group = value as? any ParameterGroup { return names(in: group, prefix: "\(name).") }
    guard let groups = value as? [any ParameterGroup] else { return [] }
    return groups.enumerated().flatMap { names(in: $1, prefix: "\(name)[\($0)].") }
  }
}

/// A parameter with a value of any type.
protocol ParameterProperty {
  var declaration: ParameterDeclaration { get }
  var isMissing: Bool { get }
  var currentValue: Any { get }
}

extension CommandParameter: ParameterProperty {
  var currentValue: Any { wrappedValue }
}
