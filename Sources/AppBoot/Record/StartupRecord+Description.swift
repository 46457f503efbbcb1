extension StartupRecord: CustomStringConvertible {
  /// The outcome, the duration, and the failures or the steps, for example `Shop failed after 12ms: sync: no disk`.
  public var description: String {
    // In milliseconds; a short launch in microseconds.
    let unit: Int64 = elapsedTime < 10_000_000 ? 1000 : 1_000_000
    let time = DurationText.exact(.nanoseconds(elapsedTime / unit * unit))
    let front = "\(outline.name) \(outcome.name) after \(time)"
    let failures = failures.compactMap { step in step.state.failure.map { "\(step.id): \($0.message)" } }
    return "\(front): \(failures.isEmpty ? outline.stepList : failures.joined(separator: "; "))"
  }
}
