/// A review of a command that was created in code.
struct ParameterReview {
  /// The property names of the required parameters without a value, including those in groups.
  private(set) var missing: [String] = []
  /// The texts of the secrets, including those in groups.
  private(set) var secrets: [String] = []

  init(of command: any Command) { review(propertiesOf: command, prefix: "") }

  private mutating func review(propertiesOf instance: Any, prefix: String) {
    for (label, value) in ParameterLayout.storedProperties(of: instance) {
      guard let parameter = value as? any ParameterProperty else {
        addSecrets(in: value)
        continue
      }
      let name = prefix + ParameterLayout.propertyName(label)
      if parameter.isMissing { missing.append(name) } else { review(parameter.currentValue, named: name) }
    }
  }

  private mutating func review(_ value: Any, named name: String) {
    if let group = value as? any ParameterGroup {
      review(propertiesOf: group, prefix: "\(name).")
    } else if let groups = value as? [any ParameterGroup] {
      for (index, group) in groups.enumerated() { review(propertiesOf: group, prefix: "\(name)[\(index)].") }
    } else {
      addSecrets(in: value)
    }
  }

  private mutating func addSecrets(in value: Any) {
    if let secret = value as? Secret {
      secrets.append(secret.reveal())
    } else {
      let mirror = Mirror(reflecting: value)
      // Objects may refer to each other, and a list of bytes may be long.
      guard mirror.displayStyle != .class, !(value is [UInt8]) else { return }
      for child in mirror.children { addSecrets(in: child.value) }
    }
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
