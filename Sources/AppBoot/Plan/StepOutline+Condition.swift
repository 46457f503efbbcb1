import AppBootBase

extension StepOutline {
  /// Evaluates the step's condition again. Skips the step if the condition does not hold, and stops skipping it if it
  /// holds.
  ///
  /// A step that is skipped for another reason stays skipped.
  mutating func applyCondition(_ facts: LaunchCondition.Facts) {
    switch skip {
    case nil, .condition: break
    case .excluded, .dependency, .stopped, .unnecessary, .safeMode: return
    }
    skip = attributes.condition?.obstacle(facts).map(SkipReason.condition)
  }
}

extension LaunchCondition.Facts {
  init(options: LaunchOptions, environment: LaunchEnvironment) {
    self.init(
      platform: Host.platform, options: options, isFirstLaunch: environment.isFirstLaunch,
      recorded: environment.recordedLaunches, variable: { environment.variable($0) })
  }
}
