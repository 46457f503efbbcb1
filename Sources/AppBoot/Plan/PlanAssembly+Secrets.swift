// A secret under a mistyped key, or of a mistyped command, is not read as a secret. It must not be in an excerpt.

extension PlanAssembly {
  /// Hides the values of unknown keys in the parameters of an entry if its command has a secret.
  mutating func hideUnknownValues(of entry: ManifestEntry, _ description: CommandDescription) {
    let schema = description.parameterSchema
    guard let parameters = entry.parameters, entriesToHide > 0, schema.holdsSecret else { return }
    entriesToHide -= 1
    let environment = parameterEnvironment
    schema.forEachUnknown(in: parameters) { environment.learnSecret(in: $0) }
  }

  /// Hides the parameters of an entry whose command is unknown if the registry has a command with a secret.
  mutating func hideParameters(of entry: ManifestEntry) {
    if knowsSecrets { hideAllParameters(of: entry) }
  }

  /// Hides the parameters of an entry whose command cannot be created, so that its secrets are unknown.
  mutating func hideAllParameters(of entry: ManifestEntry) {
    guard let parameters = entry.parameters, entriesToHide > 0 else { return }
    entriesToHide -= 1
    parameterEnvironment.learnSecret(in: parameters)
  }
}
