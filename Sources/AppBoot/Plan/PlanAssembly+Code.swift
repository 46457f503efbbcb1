extension PlanAssembly {
  /// Reports the mistakes in the command of a step that is written in code. Returns true if there are none.
  mutating func check(_ step: StartupStep, of entry: ManifestEntry, at index: Int) -> Bool {
    let before = problems.total
    if let misuse = step.misuse {
      problems.append(.error(misuse.description, at: entry.commandRange))
    }
    let libraries = isCertain(entry) ? builder.registry.thirdParties : nil
    for text in step.secrets { builder.environment.secrets.add(text) }
    func collect(at path: ParameterPath, _ validate: (inout ParameterValidation) -> Void) {
      var validation = ParameterValidation(at: entry.commandRange, path: path, libraries: libraries)
      validate(&validation)
      problems.append(contentsOf: validation.problems)
      requirements += validation.requirements.map { (index, $0) }
    }
    for (path, group) in ParameterReview(of: step.command).groups {
      collect(at: path) { group.validate(&$0) }
    }
    collect(at: ParameterPath(of: entry.command)) { step.command.validate(&$0) }
    return problems.total == before
  }
}
