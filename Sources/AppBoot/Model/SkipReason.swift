/// A reason why a step was skipped.
public enum SkipReason: Sendable, Hashable {
  /// The selection of steps excluded the step, for example with `--skip`. The text is the reason.
  case excluded(String)
  /// A condition in the step's `when` did not hold. The text describes the condition.
  case condition(String)
  /// The step's `unless` held when the step was about to run. The text describes what exists or succeeded.
  case unnecessary(String)
  /// The launch runs in safe mode after crashes. The text is the reason why safe mode skips the step.
  case safeMode(String)
  /// A step that must come before did not succeed. The value is that step's index.
  case dependency(Int)
  /// The launch stopped because another step failed. The value is that step's index.
  case stopped(by: Int)
}

extension SkipReason {
  /// The name of the reason in records.
  public var name: String {
    switch self {
    case .excluded: "excluded"
    case .condition: "condition"
    case .unnecessary: "unnecessary"
    case .dependency: "dependency"
    case .stopped: "stopped"
    case .safeMode: "safeMode"
    }
  }
}
