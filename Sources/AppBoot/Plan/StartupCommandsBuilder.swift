import AppBootBase

/// A builder that makes a plan from a manifest.
///
/// It creates and orders the commands, and records the reason of each skipped step.
///
/// ```swift
/// try StartupCommandsBuilder(reading: "commands.json", registry: registry).build().runBlocking()
/// ```
public struct StartupCommandsBuilder: Sendable {
  package private(set) var manifest: Manifest
  private(set) var registry: CommandRegistry
  /// The plan as it is written in code; `nil` for a plan from a manifest.
  private(set) var code: CodedPlan?
  var options = LaunchOptions()
  package var environment = LaunchEnvironment()
  /// The steps of the plan that run. A skipped step may need a library that the app has not registered.
  package var selection = StepSelection()
  var timeout: Duration?

  /// Creates a builder for a manifest and the commands that it can use.
  package init(manifest: Manifest, registry: CommandRegistry) {
    self.manifest = manifest
    self.registry = registry
    environment.provided = registry.provided
    environment.directory = FileSystem.directory(of: manifest.source.name)
    environment.logLimits = manifest.logs
    environment.historyLimits = manifest.history
    environment.secretRules = manifest.secretRules
  }

  /// Creates a builder for the file of a manifest.
  ///
  /// - Throws: ``ManifestUnreadable`` if the file cannot be read; ``PlanError`` if it is not JSON.
  public init(reading path: String, registry: CommandRegistry) throws {
    self.init(manifest: try Manifest(reading: path), registry: registry)
  }

  /// Creates a builder for the text of a manifest. Reads the files that it includes, and its environment files.
  ///
  /// - Parameter name: The name of the file in errors. Relative paths in the manifest are relative to its directory.
  /// - Throws: ``PlanError`` if the text is not JSON.
  public init(
    parsing text: String, name: String = "commands.json", registry: CommandRegistry
  ) throws(PlanError) {
    self.init(manifest: try Manifest(parsing: SourceText(name: name, text: text)), registry: registry)
  }

  /// Creates a builder for a plan that is written in code.
  ///
  /// - Parameters:
  ///   - budget: The time budget of the launch; `nil` for none.
  ///   - timeout: The timeout of the launch, which is greater than zero; `nil` for none.
  public init(
    _ name: String = "launch", budget: Duration? = nil, timeout: Duration? = nil, fileID: String = #fileID,
    line: Int = #line, @PlanBuilder<PlanPart> steps: () throws -> [PlanPart]
  ) rethrows {
    let place = CodePlace(fileID: fileID, line: line)
    let code = CodedPlan(name: name, budget: budget, timeout: timeout, at: place, try steps())
    self.init(manifest: code.manifest, registry: CommandRegistry())
    for event in code.events { registry.declare(event) }
    self.code = code
  }

  /// Returns the builder with the reason for the launch, and the data that came with it.
  public func launchOptions(_ options: LaunchOptions) -> Self { with { $0.options = options } }

  /// Returns the builder with a state store. Without this call, state is stored in memory and lost at the end of the
  /// process.
  public func state(_ state: any StateStore) -> Self { with { $0.environment.state = state } }

  /// Returns the builder with the environment variables of the launch. Without this call, the process has them.
  public func environment(_ variables: [String: String]) -> Self {
    with { $0.environment.variables = variables }
  }

  /// Provides a value to all commands, before the first one runs.
  ///
  /// A command can provide another value for the key later. A second call with the same key replaces the value.
  public func providing<Value>(_ value: Value, for key: ContextKey<Value>) -> Self {
    with { $0.environment.provided[key.name] = value }
  }

  /// Returns the builder with a timeout of the launch. It replaces the manifest's timeout.
  public func timeout(_ timeout: Duration) -> Self { with { $0.timeout = timeout } }

  /// Returns the builder with a change.
  package func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns the plan, which is `nil` if it has mistakes, and all mistakes. It has no side effects.
  package func checked() -> (plan: LaunchPlan?, problems: Diagnostics) {
    var assembly = PlanAssembly(builder: prepared())
    let plan = assembly.plan()
    return (plan, assembly.problems)
  }

  /// Returns the builder with the variables of the manifest's environment files, and with the manifest's secrets.
  private func prepared() -> Self {
    let ready = with {
      $0.environment.fileVariables = environment.unset(in: manifest.variables)
      $0.environment.missingFiles = manifest.missingFiles
      for layer in manifest.setVariables {
        let filled = $0.environment.filled(layer, &$0.manifest.problems)
        $0.environment.setVariables.merge(filled) { $1 }
      }
    }
    ready.learnSecrets()
    return ready
  }

  /// Builds the plan. Reads from the state whether an earlier launch has succeeded, and has no other side effects.
  ///
  /// - Throws: ``PlanError`` with all mistakes.
  public func build() throws -> LaunchPlan {
    var ready = prepared()
    ready.environment.thirdParties = registry.thirdParties
    ready.environment.sceneEvents = registry.events.filter { $0.owner == .scene }
    ready.environment.readFirstLaunch(of: code == nil ? manifest.source.name : nil)
    var assembly = PlanAssembly(builder: ready)
    let plan = assembly.plan()
    guard assembly.problems.errorCount == 0, let plan else {
      let shown = assembly.problems.masked(by: environment.secrets).shown
      if let code { throw PlanError(shown, at: code.places) }
      throw PlanError(source: shownSource, diagnostics: shown)
    }
    let selected = try plan.selecting(selection)
    selected.learnSecrets()
    for handlers in selected.events.values { handlers.learnSecrets() }
    return selected
  }
}

extension StartupCommandsBuilder {
  /// The manifest's text with each byte of a secret replaced by `*`, for errors. Call ``checked()`` before.
  package var shownSource: SourceText {
    let source = manifest.source
    guard !environment.secrets.isEmpty else { return source }
    var shown = SourceText(name: source.name, bytes: environment.secrets.maskingInPlace(source.bytes))
    shown.included = source.included.map { text in
      var masked = SourceText(name: text.name, bytes: environment.secrets.maskingInPlace(text.bytes))
      masked.isShown = text.isShown
      return masked
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
    environment.learnSecrets(in: environment.fixedVariables)
    for layer in manifest.setVariables { environment.learnSecrets(in: layer) }
    for entries in [manifest.commands] + manifest.events.map(\.entries) {
      for entry in entries {
        if let variables = entry.parameters?["environment"], variables.kind == .object {
          for (name, value) in variables.members where rules.match(name.string) {
            if let text = value.string { environment.secrets.add(text) }
          }
        }
        if let variables = entry.attributes.variables { environment.learnSecrets(in: variables) }
        environment.learnSecrets(in: entry.attributes.environment.variables)
        environment.learnDefaults(in: entry.parameters?.text ?? "")
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

extension LaunchPlan {
  /// Adds the values of the variables that the steps use as secrets, for example in a header field.
  package func learnSecrets() {
    for index in steps.indices where steps[index].kind.isPolled {
      let names = polledCommand(index)?.secretVariables ?? []
      for name in names { environment.learnSecret(of: VariablePlaceholder(name), ofStep: index) }
    }
  }
}
