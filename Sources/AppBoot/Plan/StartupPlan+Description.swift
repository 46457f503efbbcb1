extension StartupPlan: CustomStringConvertible {
  /// The name and the ids of the first steps, for example `Shop: 3 steps: database, sync, screen`.
  public var description: String { "\(outline.name): \(outline.stepList)" }
}

extension LaunchOutline {
  private static let mostNames = 20

  /// The number of steps and the ids of the first ones, for example `3 steps: database, sync, screen`.
  var stepList: String {
    guard !isEmpty else { return "no steps" }
    let names = prefix(Self.mostNames).map(\.id).joined(separator: ", ")
    let more = count > Self.mostNames ? " and \(count - Self.mostNames) more" : ""
    return "\(count) \(count == 1 ? "step" : "steps"): \(names)\(more)"
  }
}
