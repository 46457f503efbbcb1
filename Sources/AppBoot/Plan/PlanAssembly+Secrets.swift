// A secret under a mistyped key, or of a mistyped command, is not read as a secret. It must not be in an excerpt.

extension PlanAssembly {
  /// Hides the values of unknown keys in the parameters of a command that has a secret parameter.
  mutating func hide(_ values: [JSONValue], of description: CommandDescription) {
    guard !values.isEmpty, entriesToHide > 0, description.parameterSchema.holdsSecret else { return }
    entriesToHide -= 1
    for value in values { parameterEnvironment.learnSecret(in: value) }
  }

  /// Hides the values of unknown keys of a manifest and its entries if the registry has a command with a secret.
  mutating func hideUnknownValues(of manifest: Manifest) {
    guard manifest.problems.total > 0, !manifest.unknownValues.isEmpty, knowsSecrets else { return }
    for value in manifest.unknownValues.prefix(Diagnostics.limit) {
      parameterEnvironment.learnSecret(in: value)
    }
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
