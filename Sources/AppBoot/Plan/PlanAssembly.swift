import AppBootSystem

/// Assembles a plan from a manifest's entries, and collects everything that is wrong on the way.
struct PlanAssembly {
  private let builder: StartupCommandsBuilder
  private let facts: LaunchCondition.Facts
  var problems: [Diagnostic]
  private var commands: NameSuggestions
  /// Commands without parameters are decoded once: they are values.
  private var defaults: [String: any Command] = [:]

  init(builder: StartupCommandsBuilder) {
    self.builder = builder
    problems = builder.manifest.problems
    commands = NameSuggestions(among: builder.registry.names, called: "commands")
    let environment = builder.environment
    facts = LaunchCondition.Facts(
      platform: Host.platform, options: builder.options, isFirstLaunch: environment.isFirstLaunch,
      variable: environment.variable)
  }

  /// The plan; `nil` where the manifest does not allow one. What is wrong is in ``problems``.
  mutating func plan() -> StartupPlan? {
    let manifest = builder.manifest
    guard let launch = plan(of: manifest.commands, named: manifest.name) else {
      for event in manifest.events { _ = plan(of: event) }
      return nil
    }
    var plan = launch
    plan.timeout = (builder.timeout ?? manifest.timeout).map { max(1, $0.nanoseconds) }
    plan.budget = manifest.budget?.nanoseconds
    for event in manifest.events { plan.events[event.name] = self.plan(of: event) }
    return plan
  }

  private mutating func plan(of event: ManifestEvent) -> StartupPlan? {
    let known = builder.registry.listedEvents
    if event.name == LifecycleEventName.didFinishLaunching {
      problems.append(
        .error(
          "the list for didFinishLaunching is \"commands\"", at: event.range, help: "move the entries there"))
    } else if !known.contains(event.name) {
      let closest = ClosestName.to(event.name, among: known).map { "did you mean \"\($0)\"?" }
      problems.append(
        Diagnostic(
          .error, "unknown event \"\(event.name.excerpt)\"", at: event.range,
          help: [closest, "the events are \(known.joined(separator: ", "))"].compactMap(\.self)))
    }
    return plan(of: event.entries, named: event.name)
  }

  private mutating func plan(of entries: [ManifestEntry], named name: String) -> StartupPlan? {
    let before = problems.count
    var steps: [StartupStep] = []
    steps.reserveCapacity(entries.count)
    for entry in entries {
      if let step = step(of: entry) { steps.append(step) }
    }
    let graph = resolve(entries)
    guard problems.count == before, let graph else { return nil }
    return StartupPlan(
      name: name, options: builder.options, source: builder.manifest.source, steps: steps, graph: graph,
      environment: builder.environment)
  }

  // MARK: - Steps

  private mutating func step(of entry: ManifestEntry) -> StartupStep? {
    guard let description = builder.registry[entry.command] else {
      reportUnknownCommand(entry)
      return nil
    }
    guard let command = command(of: entry, description) else { return nil }
    var step = StartupStep(command, id: entry.id, description: description)
    step.onFailure = entry.onFailure
    // A limit below a nanosecond is still a limit.
    step.timeout = entry.timeout.map { max(1, $0.nanoseconds) }
    step.budget = entry.budget?.nanoseconds
    step.retry = entry.retry
    step.note = entry.note
    step.range = entry.commandRange
    step.skip =
      builder.selection.reason(for: entry.id)
      ?? entry.condition?.obstacle(facts).map { .condition($0) }
    return step
  }

  private mutating func reportUnknownCommand(_ entry: ManifestEntry) {
    // What names no command at all is reported already.
    guard !entry.command.isEmpty else { return }
    problems.append(
      .error(
        "unknown command \"\(entry.command.excerpt)\"", at: entry.commandRange,
        help: commands.help(for: entry.command)))
  }

  private mutating func command(of entry: ManifestEntry, _ description: CommandDescription) -> (any Command)?
  {
    if entry.parameters == nil, let command = defaults[description.name] { return command }
    let before = problems.count
    ParameterSchema.validate(
      description.parameters, of: entry.parameters, at: entry.commandRange, as: description.name, prefix: "",
      into: &problems)
    guard problems.count == before else { return nil }
    do {
      let command = try description.decode(from: entry.parameters)
      if entry.parameters == nil { defaults[description.name] = command }
      return command
    } catch {
      problems.append(DecodingFailure.diagnostic(error, in: entry))
      return nil
    }
  }
}
