/// A condition on the platform, the environment or the launch. An entry of a manifest runs only if its condition holds.
package indirect enum LaunchCondition: Sendable, Hashable, CustomStringConvertible {
  /// Holds if the platform is one of these: `linux`, `macos`, `ios`, ….
  case platform([String])
  /// Holds if the environment variable has exactly this value. With `nil`, holds if it is set and not empty.
  case environment(String, equals: String?)
  /// Holds if the launch has one of these reasons.
  case launch([LaunchReason])
  /// With true, holds until a launch with this state has succeeded. With false, holds for all launches after that one.
  case firstLaunch(Bool)
  /// Holds if all of these conditions hold.
  case all([LaunchCondition])
  /// Holds if at least one of these conditions holds.
  case any([LaunchCondition])
  /// Holds if this condition does not hold.
  case not(LaunchCondition)

  /// The facts with which a condition is evaluated.
  package struct Facts {
    let platform: String
    let options: LaunchOptions
    let isFirstLaunch: Bool
    /// The reason why it is unknown whether the launch is the first one; `nil` if it is known.
    let firstLaunchProblem: String?
    let variable: (String) -> String?

    /// The reason why the launch does not count as the first one.
    fileprivate var laterLaunch: String {
      firstLaunchProblem.map { "not known to be the first launch: \($0)" } ?? "not the first launch"
    }
  }

  /// Returns the reason why the condition does not hold, as text; `nil` if it holds.
  func obstacle(_ facts: Facts) -> String? {
    switch self {
    case .platform(let names):
      names.contains(facts.platform) ? nil : "platform is \(facts.platform), not \(Self.either(names))"
    case .environment(let name, let value): Self.obstacle(variable: name, equals: value, facts)
    case .launch(let reasons):
      reasons.contains(facts.options.reason)
        ? nil : "launch is \(facts.options.reason.rawValue), not \(Self.either(reasons.map(\.rawValue)))"
    case .firstLaunch(let wanted):
      facts.isFirstLaunch == wanted ? nil : wanted ? facts.laterLaunch : "the first launch"
    case .all(let parts): parts.lazy.compactMap { $0.obstacle(facts) }.first
    case .any(let parts): Self.obstacle(any: parts, facts)
    case .not(let part): part.obstacle(facts) == nil ? "\(part.description) holds" : nil
    }
  }

  private static func obstacle(variable name: String, equals value: String?, _ facts: Facts) -> String? {
    let found = facts.variable(name)
    guard let value else { return found?.isEmpty == false ? nil : "\(name) is not set" }
    if found == value { return nil }
    // The value of the variable may be a secret, and records are shared.
    return found == nil ? "\(name) is not set" : "\(name) is not \"\(value)\""
  }

  private static func obstacle(any parts: [LaunchCondition], _ facts: Facts) -> String? {
    let obstacles = parts.map { $0.obstacle(facts) }
    return obstacles.contains(nil) ? nil : obstacles.compactMap(\.self).joined(separator: "; ")
  }

  private static func either(_ names: [String]) -> String { names.joined(separator: " or ") }

  /// The condition as text for people.
  package var description: String {
    switch self {
    case .platform(let names): "platform \(Self.either(names))"
    case .environment(let name, nil): "environment \(name)"
    case .environment(let name, let value?): "environment \(name)=\(value)"
    case .launch(let reasons): "launch \(Self.either(reasons.map(\.rawValue)))"
    case .firstLaunch(let wanted): wanted ? "first launch" : "later launch"
    case .all(let parts): "(\(parts.map(\.description).joined(separator: " and ")))"
    case .any(let parts): "(\(parts.map(\.description).joined(separator: " or ")))"
    case .not(let part): "not \(part.description)"
    }
  }
}

extension LaunchCondition {
  package static let platforms = ["linux", "macos", "ios", "tvos", "watchos", "visionos"]

  /// The keys of a condition. All of them must hold.
  package static let keys: [ParameterKey<[LaunchCondition]>] = [
    ParameterKey("platform", "The platform is one of these.", ParameterType.text(among: platforms).oneOrMore)
    {
      $0.append(.platform($1))
    },
    ParameterKey(
      "environment", "A variable that is set and not empty, or variables and their values.", variables
    ) { $0.append($1) },
    ParameterKey("launch", "The launch has one of these reasons.", LaunchReason.parameterType.oneOrMore) {
      $0.append(.launch($1))
    },
    ParameterKey(
      "firstLaunch", "True for the first launch: no earlier one has succeeded.", Bool.parameterType
    ) { $0.append(.firstLaunch($1)) },
    ParameterKey("all", "Conditions that must all hold.", type.nonEmptyList) { $0.append(.all($1)) },
    ParameterKey("any", "Conditions of which at least one must hold.", type.nonEmptyList) {
      $0.append(.any($1))
    },
    ParameterKey("not", "A condition that must not hold.", type) { $0.append(.not($1)) },
  ]

  /// The type of `when`.
  static var type: ParameterType<LaunchCondition> {
    ParameterType(.definition("condition", .object([])), placeholder: .all([])) { json, reader in
      guard let parts = reader.object(json, keys, into: [], named: "a condition") else {
        return reader.reject(
          "must be an object, not \(json.kind)", json,
          help:
            #"write { "environment": "CI" }, { "environment": { "CI": "true" } } or { "platform": "linux" }"#)
      }
      return parts.count == 1 ? parts[0] : .all(parts)
    }
  }

  /// The type of a condition on variables: a name, or an object of names and values.
  private static var variables: ParameterType<LaunchCondition> {
    ParameterType(
      .anyOf([.nonEmpty(.string), .definition("variables", .dictionary(.string))]), placeholder: .all([])
    ) { json, reader in
      if let name = json.string, !name.isEmpty { return .environment(name, equals: nil) }
      guard json.kind == .object, !json.members.isEmpty else {
        return reader.reject(
          "must be a variable's name or an object of names and values", json,
          help: #"write "CI", or { "CI": "true" }"#)
      }
      var parts: [LaunchCondition] = []
      for (key, member) in json.members where !key.hasPrefix("x-") {
        let value = reader.read(String.parameterType, member, at: .key(key.string))
        if let value { parts.append(.environment(key.string, equals: value)) }
      }
      return parts.count == 1 ? parts[0] : .all(parts)
    }
  }

  /// Returns the values with which the condition compares secret variables.
  func secretValues(by rules: SecretRules) -> [String] {
    switch self {
    case .environment(let name, let value?): rules.match(name) ? [value] : []
    case .all(let parts), .any(let parts): parts.flatMap { $0.secretValues(by: rules) }
    case .not(let part): part.secretValues(by: rules)
    case .platform, .environment(_, nil), .launch, .firstLaunch: []
    }
  }

  /// Returns the condition with each secret in a variable's expected value replaced by `***`.
  func masked(by secrets: Secrets) -> LaunchCondition {
    switch self {
    case .environment(let name, let value?): .environment(name, equals: secrets.masking(value))
    case .all(let parts): .all(parts.map { $0.masked(by: secrets) })
    case .any(let parts): .any(parts.map { $0.masked(by: secrets) })
    case .not(let part): .not(part.masked(by: secrets))
    case .platform, .environment(_, nil), .launch, .firstLaunch: self
    }
  }
}
