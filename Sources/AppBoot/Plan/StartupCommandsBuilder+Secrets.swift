extension StartupCommandsBuilder {
  /// The manifest's text with each byte of a secret replaced by `*`, for errors. Call ``checked()`` before.
  package var shownSource: SourceText {
    let source = manifest.source
    guard !environment.secrets.isEmpty else { return source }
    var shown = SourceText(name: source.name, bytes: environment.secrets.maskingInPlace(source.bytes))
    shown.included = source.included.map { text in
      SourceText(name: text.name, bytes: environment.secrets.maskingInPlace(text.bytes))
    }
    return shown
  }

  /// Adds the secrets that are known from the manifest.
  ///
  /// They are the values of secret variables in the environment, in environment files, in `environment` of entries, and
  /// in `when`.
  func learnSecrets() {
    let rules = environment.secretRules
    guard !rules.isEmpty else { return }
    environment.learnSecrets()
    environment.learnSecrets(in: manifest.variables)
    for entries in [manifest.commands] + manifest.events.map(\.entries) {
      for entry in entries {
        if let variables = entry.parameters?["environment"], variables.kind == .object {
          for (name, value) in variables.members where rules.match(name.string) {
            if let text = value.string { environment.secrets.add(text) }
          }
        }
        if let variables = entry.attributes.variables { environment.learnSecrets(in: variables) }
        for value in entry.attributes.condition?.secretValues(by: rules) ?? [] {
          environment.secrets.add(value)
        }
      }
    }
  }
}

extension Diagnostics {
  /// Returns the diagnostics with each secret in their texts replaced by `***`.
  package func masked(by secrets: Secrets) -> Diagnostics {
    guard !secrets.isEmpty else { return self }
    return map { diagnostic in
      var masked = diagnostic
      masked.message = secrets.masking(masked.message)
      masked.help = masked.help.map { secrets.masking($0) }
      for index in masked.notes.indices {
        masked.notes[index].message = secrets.masking(masked.notes[index].message)
      }
      return masked
    }
  }
}

extension LaunchOutline {
  /// Returns the outline with each secret in its texts replaced by `***`, for a record. Ids and names do not change.
  package func masked(by secrets: Secrets) -> LaunchOutline {
    guard !secrets.isEmpty else { return self }
    var masked = self
    masked.options.url = secrets.masking(options.url)
    // A device's token is shortened when it is written.
    if name != EventName.didRegisterForRemoteNotifications.name {
      masked.options.payload = secrets.masking(options.payload)
    }
    for index in steps.indices {
      if case .condition(let text) = steps[index].skip {
        masked.steps[index].skip = .condition(secrets.masking(text))
      }
      var attributes = steps[index].attributes
      attributes.comment = secrets.masking(attributes.comment)
      attributes.condition = attributes.condition?.masked(by: secrets)
      attributes.unless = attributes.unless?.masked(by: secrets)
      masked.steps[index].attributes = attributes
    }
    return masked
  }
}

extension StartupPlan {
  /// Adds the values of the variables that the steps use as secrets, for example in a header field.
  package func learnSecrets() {
    for index in steps.indices where steps[index].kind.isPolled {
      let names = polledCommand(index)?.secretVariables ?? []
      for name in names { environment.learnSecret(of: name, ofStep: index) }
    }
  }
}
