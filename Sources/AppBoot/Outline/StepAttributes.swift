/// The optional values of an entry or a step. Most entries and steps have none.
package struct StepAttributes: Sendable {
  /// The condition under which the step runs (`when`).
  ///
  /// It is evaluated when the plan is built. In event handlers it is evaluated when the event arrives.
  package var condition: LaunchCondition?
  /// The condition that makes the step unnecessary. It is evaluated when the step is about to run.
  package var unless: UnlessCondition?
  /// The variables, and the paths of the environment files.
  package var environment = EnvironmentValues()
  /// The variables of the environment files; `nil` without files. They may be secrets.
  package var variables: [String: String]?
  package var timeout: Duration?
  package var budget: Duration?
  package var retry: RetryPolicy?
  package var onFailure: FailurePolicy?
  package var comment: String?
  /// The parameter `stop` of the defaults, for each ``StoppableCommand`` that has none of its own.
  var stop: JSONValue?
  /// The places of values, in the entry or in the defaults; `nil` for a value that neither has.
  package var timeoutRange, budgetRange, policyRange, unlessRange: SourceRange?

  /// The keys of an entry that set these values.
  static let keys: [ParameterKey<StepAttributes>] = [
    ParameterKey("when", "The condition under which the step runs.", LaunchCondition.type) {
      $0.condition = $1
    },
    ParameterKey(
      "unless", "The condition under which the step is skipped when its turn comes.",
      UnlessCondition.type.located
    ) { ($0.unless, $0.unlessRange) = ($1.value, $1.range) },
    ParameterKey(
      "environment", "Variables for the step, and files with more variables.", EnvironmentValues.type
    ) { $0.environment = $1 },
    ParameterKey("timeout", "The timeout of one attempt.", ParameterType.timeout.located) {
      ($0.timeout, $0.timeoutRange) = ($1.value, $1.range)
    },
    ParameterKey("retry", "The number of attempts, or an object with a backoff.", RetryPolicy.type) {
      $0.retry = $1
    },
    ParameterKey(
      "onFailure", "The effect of a failure on the other steps.", FailurePolicy.parameterType.located
    ) { ($0.onFailure, $0.policyRange) = ($1.value, $1.range) },
    ParameterKey("budget", "The time budget.", Duration.parameterType.located) {
      ($0.budget, $0.budgetRange) = ($1.value, $1.range)
    },
    ParameterKey("comment", "A comment for readers of the file.", String.parameterType) { $0.comment = $1 },
  ]

  /// The keys that `defaults` can have too.
  static let defaultKeys =
    keys.filter { ["when", "timeout", "retry", "onFailure", "budget"].contains($0.name) } + [
      ParameterKey(
        "stop", "How the programs of RunProcess and RunService are stopped.",
        .later(
          .definition("stop", .any), .object, "an object", help: #"write { "signal": "INT", "grace": "15s" }"#
        )
      ) { $0.stop = $1 }
    ]

  /// Returns the values, with the missing ones taken from defaults.
  func completed(with defaults: StepAttributes) -> StepAttributes {
    var all = self
    if condition == nil {
      all.condition = defaults.condition
    }
    if timeout == nil { (all.timeout, all.timeoutRange) = (defaults.timeout, defaults.timeoutRange) }
    if budget == nil { (all.budget, all.budgetRange) = (defaults.budget, defaults.budgetRange) }
    if onFailure == nil { (all.onFailure, all.policyRange) = (defaults.onFailure, defaults.policyRange) }
    all.retry = retry ?? defaults.retry
    all.stop = defaults.stop
    return all
  }

  /// Returns the values with each secret in their texts replaced by `***`.
  func masked(by secrets: Secrets) -> StepAttributes {
    var all = self
    all.condition = condition?.masked(by: secrets)
    all.unless = unless?.masked(by: secrets)
    all.comment = secrets.masking(comment)
    return all
  }

  /// Returns the values with the place of their step in code.
  func located(at range: SourceRange) -> StepAttributes {
    var all = self
    all.timeoutRange = timeout == nil ? nil : range
    all.budgetRange = budget == nil ? nil : range
    all.policyRange = onFailure == nil ? nil : range
    return all
  }
}

extension RetryPolicy {
  private static let count = ParameterType.integer(1...1000)

  /// The type of a policy: the number of attempts, or an object.
  fileprivate static let type = {
    let object = ParameterType.object(keys, new: RetryPolicy(attempts: 1))
    let schema = ParameterSchema.anyOf([count.schema([]), object.schema([])])
    return ParameterType(schema, placeholder: RetryPolicy(attempts: 1)) { json, reader in
      json.kind == .number
        ? count.read(json, &reader).map { RetryPolicy(attempts: $0) } : object.read(json, &reader)
    }
  }()

  package static let keys: [ParameterKey<RetryPolicy>] = [
    ParameterKey("attempts", "The total number of attempts.", count, isRequired: true) {
      $0.attempts = $1
    },
    ParameterKey(
      "backoff", "The wait before the second attempt; doubled before each further one.",
      Duration.parameterType
    ) { $0.backoffTime = $1.nanoseconds },
    ParameterKey("maxBackoff", "The longest wait.", Duration.parameterType) {
      $0.maxBackoffTime = $1.nanoseconds
    },
  ]
}

/// A condition under which a step is unnecessary: a file exists, or a program succeeds.
///
/// It is evaluated when the step is about to run.
package enum UnlessCondition: Sendable, Hashable, CustomStringConvertible {
  /// A file exists at this path, which is relative to the manifest's directory.
  case file(String)
  /// A program exits with 0. The list has the program and its arguments.
  case command([String])

  /// The condition as text for people, for example `"build/index" exists`.
  package var description: String { text(verb: "succeeds") }

  /// The reason for skipping the step if the condition held, for example `"build/index" exists`.
  var reason: String { text(verb: "succeeded") }

  private func text(verb: String) -> String {
    switch self {
    case .file(let path): "\"\(path)\" exists"
    case .command(let arguments): "\"\(arguments.joined(separator: " ").excerpt)\" \(verb)"
    }
  }
}

extension UnlessCondition {
  /// The keys of `unless`: exactly one of them is given.
  package static let keys: [ParameterKey<[UnlessCondition]>] = [
    ParameterKey("file", "A file that exists, relative to the manifest's directory.", .systemText()) {
      $0.append(.file($1))
    },
    ParameterKey(
      "command", "A program and its arguments, in the manifest's directory, that exits with code 0.", program
    ) { $0.append(.command($1)) },
  ]

  private static var program: ParameterType<[String]> {
    let text = ParameterType.systemText(#"^(?![\s\S]*\x00)"#, isEmptyAllowed: true)
    return ParameterType(.nonEmpty(.array(text.schema([]))), placeholder: []) { json, reader in
      guard let arguments = text.list.read(json, &reader) else { return nil }
      guard let first = json.elements.first else {
        return reader.reject("name the program to run as the first item", json)
      }
      if first.isString("") { _ = reader.read(.systemText(), first, at: .index(0)) }
      return arguments
    }
  }

  /// The type of `unless`.
  static var type: ParameterType<UnlessCondition> {
    ParameterType(.definition("unless", .object([])), placeholder: .file("")) { json, reader in
      let before = reader.mistakeCount
      guard let conditions = reader.object(json, keys, into: []) else {
        return reader.reject(
          "must be an object, not \(json.kind)", json,
          help: #"write { "file": "build/index" }, or { "command": ["test", "-e", "build/index"] }"#)
      }
      guard conditions.count != 1, reader.mistakeCount == before else { return conditions.first }
      return reader.reject("needs exactly one of \(keys.map(\.name).quotedList)", json)
    }
  }

  /// Returns the condition with each secret replaced by `***`.
  func masked(by secrets: Secrets) -> UnlessCondition {
    switch self {
    case .file(let path): .file(secrets.masking(path))
    case .command(let arguments): .command(arguments.map { secrets.masking($0) })
    }
  }
}
