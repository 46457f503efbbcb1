extension StartupPlan {
  /// Provides a value to all commands, before the first one runs.
  ///
  /// A command can provide another value for the key later. A second call with the same key replaces the value. A value
  /// that a command declares in `requires` must exist when the plan is made: use
  /// ``StartupCommandsBuilder/providing(_:for:)``.
  public func providing<Value>(_ value: Value, for key: ContextKey<Value>) -> Self {
    var plan = self
    plan.environment.provided[key.name] = value
    plan.events = events.mapValues { $0.providing(value, for: key) }
    return plan
  }

  /// Runs only these steps of the launch and of event handlers. All other steps are skipped. The order does not change.
  ///
  /// - Throws: ``SelectionError`` if a step has no such id.
  public func only(_ ids: [String]) throws(SelectionError) -> Self {
    var selection = StepSelection()
    selection.only = Set(ids)
    return try selecting(selection)
  }

  /// Skips these steps of the launch and of event handlers.
  ///
  /// - Throws: ``SelectionError`` if a step has no such id.
  public func skip(_ ids: [String]) throws(SelectionError) -> Self {
    var selection = StepSelection()
    selection.skip = Set(ids)
    return try selecting(selection)
  }

  /// Returns the plan with the steps of a selection. Throws an error for unknown ids.
  func selecting(_ selection: StepSelection) throws(SelectionError) -> Self {
    try selection.check(against: self)
    return skippingSteps(besides: selection)
  }

  private func skippingSteps(besides selection: StepSelection) -> Self {
    var plan = self
    let goals = selection.goals.map { goals in plan.indices.filter { goals.contains(plan.outline[$0].id) } }
    let isBefore = goals.map(graph.ancestors)
    for step in plan.indices {
      let isNeeded = isBefore.map { $0[step] || goals?.contains(step) == true } ?? true
      guard let reason = selection.reason(for: plan.outline[step].id, isNeeded: isNeeded) else { continue }
      plan.outline.steps[step].skip = reason
    }
    plan.events = events.mapValues { $0.skippingSteps(besides: selection) }
    return plan
  }
}
