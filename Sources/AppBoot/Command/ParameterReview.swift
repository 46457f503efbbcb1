/// A review of a command that was created in code.
struct ParameterReview {
  private let command: String
  /// The mistake in the declaration of a property, after the name of the command; `nil` for none.
  private var mistake: String?
  /// The property names of the required parameters without a value, including those in groups.
  private(set) var missing: [String] = []
  /// The texts of the secrets, including those in groups.
  private(set) var secrets: [String] = []
  /// The functions that validate the groups and then the command, with the paths to their values.
  private var validators: [(path: ParameterPath, validate: (inout ParameterValidation) -> Void)] = []

  init(of command: any Command) {
    self.command = type(of: command).name
    let path = ParameterPath(of: self.command)
    review(propertiesOf: command, at: path)
    validators.append((path, command.validate))
  }

  /// The error that prevents the command from being executed; `nil` if it can be executed.
  var misuse: CommandMisuse? {
    if let mistake { return .valuesRejected(["\(command) \(mistake)"]) }
    return missing.isEmpty ? nil : .parametersMissing(command: command, names: missing)
  }

  /// The error about the values that the command or a group rejects; `nil` if they reject none.
  var rejection: CommandMisuse? {
    let messages = validations().flatMap(\.problems).map(\.message)
    return messages.isEmpty ? nil : .valuesRejected(messages)
  }

  /// Validates the values of the groups and of the command.
  func validations(
    at range: SourceRange = SourceRange(0, 0), libraries: [String: ThirdPartyInitializer]? = nil
  ) -> [ParameterValidation] {
    validators.map { path, validate in
      var validation = ParameterValidation(at: range, path: path, libraries: libraries)
      validate(&validation)
      return validation
    }
  }

  private mutating func review(propertiesOf instance: Any, at path: ParameterPath) {
    for (label, value) in ParameterProperties.all(of: instance) {
      guard let parameter = ParameterProperties.parameter(value) else {
        addSecrets(in: value)
        mistake = mistake ?? ParameterProperties.mistake(label, value, of: instance)
        continue
      }
      let path = path.appending(.key(ParameterProperties.name(label)))
      if parameter.isMissing {
        missing.append(path.name)
      } else {
        review(parameter.currentValue, at: path)
      }
    }
  }

  private mutating func review(_ value: Any, at path: ParameterPath) {
    if let group = value as? any ParameterGroup {
      validators.append((path, group.validate))
      review(propertiesOf: group, at: path)
    } else if let groups = value as? [any ParameterGroup] {
      for (index, group) in groups.enumerated() { review(group, at: path.appending(.index(index))) }
    } else if let groups = value as? [String: any ParameterGroup] {
      for key in groups.keys.sorted() { groups[key].map { review($0, at: path.appending(.key(key))) } }
    } else {
      addSecrets(in: value)
    }
  }

  /// Adds the secrets that a property stores: alone, in a list or in a dictionary, or in the properties of a struct.
  ///
  /// It looks no deeper, because a command can store collections of any size.
  private mutating func addSecrets(in value: Any, looksInside: Bool = true) {
    switch value {
    case let secret as Secret: secrets.append(secret.reveal())
    case let list as [Secret]: secrets += list.map { $0.reveal() }
    case let values as [String: Secret]: secrets += values.values.map { $0.reveal() }
    default:
      var mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .optional, let wrapped = mirror.children.first?.value {
        mirror = Mirror(reflecting: wrapped)
      }
      guard looksInside, mirror.displayStyle == .struct else { return }
      for child in mirror.children { addSecrets(in: child.value, looksInside: false) }
    }
  }
}
