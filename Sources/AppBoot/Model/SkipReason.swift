/// Why a step was left out.
public enum SkipReason: Sendable, Hashable {
  /// `--only` or `--skip` left it out.
  case excluded(String)
  /// A condition of its `when` did not hold; the text says which.
  case condition(String)
  /// The last launches died, and this one is careful; the text says what it has to do with the step.
  case safeMode(String)
  /// A step that it comes after did not succeed; its index in the plan.
  case dependency(Int)
  /// The launch stopped because this step failed; its index in the plan.
  case stopped(by: Int)
}
