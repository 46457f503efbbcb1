extension StartupRecord: CustomStringConvertible {
  /// The outcome, the duration, and the failures or the steps, for example `Shop failed after 12 ms: sync: no disk`.
  public var description: String {
    let front = "\(outline.name) \(outcome.name) after \(DurationText.brief(nanoseconds: elapsedTime))"
    let failures = failures.compactMap { step in step.state.failure.map { "\(step.id): \($0.message)" } }
    return "\(front): \(failures.isEmpty ? outline.stepList : failures.joined(separator: "; "))"
  }
}
