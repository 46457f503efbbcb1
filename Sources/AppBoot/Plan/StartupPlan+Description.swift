extension StartupPlan: CustomStringConvertible {
  /// The name and the ids of the first steps, for example `Shop: 3 steps: database, sync, screen`.
  public var description: String { "\(outline.name): \(outline.stepList)" }
}

extension LaunchOutline {
  /// The number of steps and the ids of the first ones, for example `3 steps: database, sync, screen`.
  var stepList: String {
    isEmpty ? "no steps" : "\(count) \(count == 1 ? "step" : "steps"): \(map(\.id).listed(atMost: 20))"
  }
}
