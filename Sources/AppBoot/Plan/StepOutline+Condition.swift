import AppBootSystem

extension StepOutline {
  /// Skips the step if its condition does not hold, and no longer skips it if the condition holds now.
  ///
  /// A step that is skipped for another reason stays skipped.
  mutating func applyCondition(_ facts: LaunchCondition.Facts) {
    switch skip {
    case nil, .condition: break
    case .excluded, .dependency, .stopped, .unnecessary, .safeMode: return
    }
    skip = condition?.obstacle(facts).map(SkipReason.condition)
  }
}

extension LaunchCondition.Facts {
  init(options: LaunchOptions, environment: LaunchEnvironment) {
    self.init(
      platform: Host.platform, options: options, isFirstLaunch: environment.isFirstLaunch,
      recorded: environment.recordedLaunches, variable: { environment.variable($0) })
  }
}
