/// The reason for which a step was skipped.
public enum SkipReason: Sendable, Hashable {
  /// `--only`, `--to` or `--skip` left it out.
  case excluded(String)
  /// A condition in its `when` did not hold; the text names it.
  case condition(String)
  /// Its `unless` held when its turn came; the text says what exists or succeeded.
  case unnecessary(String)
  /// The launch runs in safe mode after crashes; the text says how the step is involved.
  case safeMode(String)
  /// A step that it comes after did not succeed; has the index of that step.
  case dependency(Int)
  /// The launch stopped because another step failed; has the index of that step.
  case stopped(by: Int)
}
