public import AppBoot
import AppBootBase

extension StartupCommandsBuilder {
  /// Returns the mistakes in the manifest, and the warnings if its commands have no mistakes.
  ///
  /// It has no side effects.
  package func problems() -> Diagnostics {
    var (plan, problems) = checked()
    if let plan { problems.append(contentsOf: PlanWarnings(manifest, plan).all) }
    return problems.masked(by: environment.secrets)
  }
}

extension LaunchPlan {
  /// The warnings about a plan in code: values without effect. For a manifest, `appboot validate` shows the warnings.
  ///
  /// ```swift
  /// #expect(try shopPlan(client: Client()).warnings.isEmpty)
  /// ```
  public var warnings: [PlanError.Mistake] {
    guard let code else { return [] }
    var found = Diagnostics()
    found.append(contentsOf: PlanWarnings(code.manifest, self).all)
    return PlanError(found.masked(by: environment.secrets).shown, at: code.places).warnings
  }
}

/// The warnings about a valid plan: values that cannot have the intended effect.
struct PlanWarnings {
  private let manifest: Manifest
  private let plan: LaunchPlan
  /// The maximum number of steps that are visited. It limits the time for a manifest with 100,000 rollbacks.
  private static let visits = 2_000_000

  init(_ manifest: Manifest, _ plan: LaunchPlan) {
    self.manifest = manifest
    self.plan = plan
  }

  /// All warnings.
  var all: [Diagnostic] {
    var warnings = launchBudget.map { [$0] } ?? []
    if plan.code != nil { warnings += emptyPlan + similarEvents + neverEmitted }
    warnings += eventsOfServices
    warnings += manifest.defaults.flatMap(self.warnings)
    let lists =
      [(manifest.commands, plan)]
      + manifest.events.compactMap { event in
        plan.events[event.name].map { (event.entries, $0) }
      }
    var ports: [UInt16: TakenPort] = [:]
    for (entries, plan) in lists {
      warnings +=
        entries.compactMap(budget) + entries.flatMap(foreignVariables) + entries.compactMap(condition)
      warnings += rollbacks(entries, plan)
      warnings += doubleProviders(entries, plan) + samePorts(entries, plan, &ports)
    }
    return warnings + manifest.commands.compactMap(timeout) + unsetSecrets
  }

  private var launchBudget: Diagnostic? {
    Self.budget(manifest.budget, above: manifest.timeout, of: "the launch", at: manifest.budgetRange)
  }

  // MARK: - Plans in code

  private var emptyPlan: [Diagnostic] {
    guard manifest.commands.isEmpty, manifest.events.isEmpty else { return [] }
    return [.warning("the plan has no steps", at: SourceRange(0, 1))]
  }

  /// A warning for each event of the app with almost the name of a standard event. A manifest would not know the event.
  private var similarEvents: [Diagnostic] {
    let known = EventName.standardNames
    return manifest.events.compactMap { event in
      guard !known.contains(event.name),
        let closest = ClosestName.to(event.name, among: known, differingAtMost: 2)
      else { return nil }
      return .warning(
        "\"\(event.name.excerpt)\" is an event of the app: only the app can emit it", at: event.range,
        help: "did you mean the standard event \"\(closest)\"?")
    }
  }

  /// A warning for handlers of the first screen in a plan without windows.
  private var neverEmitted: [Diagnostic] {
    let (screen, scene) = (EventName.didShowFirstScreen.name, EventName.sceneWillConnect.name)
    guard plan.environment.window == nil, plan.events[scene] == nil else { return [] }
    return manifest.events.filter { $0.name == screen }.map { event in
      .warning(
        "nothing can emit \"\(screen)\": the plan has no window", at: event.range,
        help: "call window(_:) on the plan, or handle \(scene); the event then follows the first screen")
    }
  }

  /// Warnings for handlers of the events of services in a plan without services.
  private var eventsOfServices: [Diagnostic] {
    let names = EventName.ofServices.map(\.name)
    let events = manifest.events.filter { names.contains($0.name) }
    guard !events.isEmpty, !([plan] + plan.events.values).contains(where: \.hasServices) else { return [] }
    return events.map { event in
      .warning(
        "nothing can emit \"\(event.name)\": the plan has no service", at: event.range,
        help: "start the program with RunService")
    }
  }

  // MARK: - Entries

  private func budget(of entry: ManifestEntry) -> Diagnostic? {
    let attributes = entry.attributes
    return Self.budget(
      attributes.budget, above: attributes.timeout, of: "\"\(entry.id.excerpt)\"",
      at: own(\.budgetRange, of: attributes) ?? own(\.timeoutRange, of: attributes))
  }

  private static func budget(
    _ budget: Duration?, above timeout: Duration?, of what: String, at range: SourceRange?
  ) -> Diagnostic? {
    guard let budget, let timeout, budget > timeout, let range else { return nil }
    return .warning(
      "the budget of \(what), \(DurationText.exact(budget)), is longer than its timeout, "
        + DurationText.exact(timeout), at: range, help: "the timeout comes first: lower the budget")
  }

  private func timeout(of entry: ManifestEntry) -> Diagnostic? {
    timeout(
      entry.attributes.timeout, of: "the timeout of \"\(entry.id.excerpt)\"",
      at: own(\.timeoutRange, of: entry.attributes))
  }

  private func timeout(_ timeout: Duration?, of what: String, at range: SourceRange?) -> Diagnostic? {
    guard let timeout, let launch = manifest.timeout, timeout > launch, let range else { return nil }
    return .warning(
      "\(what), \(DurationText.exact(timeout)), is longer than the launch's, \(DurationText.exact(launch))",
      at: range, help: "the launch times out first: lower this timeout, or raise the launch's")
  }

  // MARK: - Conditions

  /// Returns a warning for an entry whose `when` has a key such as `name` as if it were a variable.
  private func condition(of entry: ManifestEntry) -> Diagnostic? {
    let names = entry.attributes.condition?.comparedVariables ?? []
    guard let name = names.first(where: ["name", "variable", "value"].contains) else { return nil }
    return .warning(
      "\"when\" of \"\(entry.id.excerpt)\" looks for a variable that is called \"\(name)\"",
      at: entry.commandRange,
      help:
        "write { \"environment\": \"CI\" } for a variable CI, or { \"environment\": { \"CI\": \"true\" } }")
  }

  // MARK: - Arguments

  /// Returns a warning for each argument of a program with a variable in another tool's form, which stays as it is.
  private func foreignVariables(of entry: ManifestEntry) -> [Diagnostic] {
    guard ["RunProcess", "RunService"].contains(entry.command),
      let arguments = entry.parameters?["arguments"]?.elements
    else { return [] }
    let isCode = ForeignVariable.isCode(in: arguments.compactMap(\.string))
    return arguments.compactMap { argument in
      guard let variable = ForeignVariable(in: argument.string ?? "", isCode: isCode) else { return nil }
      return .warning(
        "\"\(entry.id.excerpt)\" passes \(variable.text.excerpt) to the program without expanding it",
        at: argument.range, help: variable.help)
    }
  }

  // MARK: - Context values

  /// Returns a warning for each context value that two steps without a condition provide.
  private func doubleProviders(_ entries: [ManifestEntry], _ plan: LaunchPlan) -> [Diagnostic] {
    var first: [String: Int] = [:]
    var warned: Set<String> = []
    var warnings: [Diagnostic] = []
    for (index, command) in plan.commands.enumerated()
    where entries[index].attributes.condition == nil && entries[index].attributes.unless == nil {
      for name in command.providedKeys.names {
        guard let other = first[name] else {
          first[name] = index
          continue
        }
        guard warned.insert(name).inserted else { continue }
        warnings.append(
          .warning(
            "\"\(entries[index].id.excerpt)\" provides \"\(name.excerpt)\", as \"\(entries[other].id.excerpt)\" does",
            at: entries[index].commandRange,
            help: "the value that is provided last counts: give one of the two a condition, or another key"))
      }
    }
    return warnings
  }

  // MARK: - Ports

  /// A port that a service takes: the id of its entry, its step in the list that is looked at, and whether it searches.
  private typealias TakenPort = (id: String, step: Int?, isSearch: Bool)

  /// Returns a warning for each service that needs a port which another service takes, and keeps until the app ends.
  ///
  /// - Parameter taken: The ports of the services before.
  private func samePorts(
    _ entries: [ManifestEntry], _ plan: LaunchPlan, _ taken: inout [UInt16: TakenPort]
  ) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    for step in plan.indices
    where entries[step].attributes.condition == nil && entries[step].attributes.unless == nil {
      let id = entries[step].id
      for (_, port) in (plan.polledCommand(step)?.reservedPorts ?? [:]).sorted(by: { $0.key < $1.key }) {
        let isSearch = port.count > 1
        if !isSearch, let other = taken[port.lowerBound], other.id != id, !takesLater(other, than: step, plan)
        {
          warnings.append(
            .warning(
              "\"\(id.excerpt)\" needs port \(port.lowerBound), which \"\(other.id.excerpt)\" takes",
              at: entries[step].commandRange,
              help: "give \"\(id.excerpt)\" another port, or { \"from\": \(port.lowerBound) }"))
        }
        // A search takes the first port that is free.
        let number = isSearch ? port.first { taken[$0] == nil } : port.lowerBound
        if let number, taken[number] == nil { taken[number] = (id, step, isSearch) }
      }
    }
    taken = taken.mapValues { ($0.id, nil, $0.isSearch) }
    return warnings
  }

  /// Returns whether a service that searches a port begins after a step, and so finds that step's port taken.
  private func takesLater(_ other: TakenPort, than step: Int, _ plan: LaunchPlan) -> Bool {
    guard other.isSearch, let index = other.step else { return false }
    return plan.outline.graph.followers(of: [step])[index]
  }

  // MARK: - Secrets

  /// A warning for each name in `secrets` of a variable that is not set, if one with a similar name is set.
  ///
  /// Without one, the variable may be a secret that only other machines have.
  private var unsetSecrets: [Diagnostic] {
    let rules = manifest.secretRules
    let environment = plan.environment
    let unset = rules.listed.filter { name, _ in
      environment.variable(name) == nil && manifest.variables[name] == nil
        && !isSet(name, in: manifest.commands)
        && !manifest.events.contains { isSet(name, in: $0.entries) }
    }
    guard !unset.isEmpty else { return [] }
    var set = Set((environment.variables ?? ProcessEnvironment.all()).keys).union(manifest.variables.keys)
    set.formUnion(environment.changes(ofStep: nil).keys)
    for entry in manifest.commands { set.formUnion(entry.attributes.environment.names) }
    let search = ClosestName(among: set.filter { !rules.match($0) }.sorted())
    return unset.prefix(ClosestName.mostSearches).compactMap { name, range in
      guard let closest = search.match(for: name) else { return nil }
      return .warning(
        "the variable \"\(name.excerpt)\" is not set, so its value cannot be hidden", at: range,
        help: "did you mean \"\(closest.excerpt)\"?")
    }
  }

  /// Returns whether an entry gives a variable to its processes.
  private func isSet(_ name: String, in entries: [ManifestEntry]) -> Bool {
    entries.contains { entry in
      entry.attributes.variables?[name] != nil || entry.attributes.environment.has(name)
        || entry.parameters?["environment"]?[name] != nil
    }
  }

  // MARK: - Defaults

  /// Returns the place of a value that the entry itself has; `nil` for a default. A default has one warning of its own.
  private func own(
    _ place: KeyPath<StepAttributes, SourceRange?>, of attributes: StepAttributes
  ) -> SourceRange? {
    let range = attributes[keyPath: place]
    return manifest.defaults.contains { $0[keyPath: place] == range } ? nil : range
  }

  private func warnings(about defaults: StepAttributes) -> [Diagnostic] {
    var warnings = [
      Self.budget(defaults.budget, above: defaults.timeout, of: "each entry", at: defaults.budgetRange),
      timeout(defaults.timeout, of: "the default timeout", at: defaults.timeoutRange),
    ].compactMap(\.self)
    if defaults.onFailure == .rollback, let range = defaults.policyRange,
      ([plan] + plan.events.values).allSatisfy({ !$0.indices.contains(where: $0.hasUndo) })
    {
      warnings.append(
        .warning(
          "\"rollback\" rolls nothing back: no command can be undone", at: range, help: Self.helpForRollback))
    }
    return warnings
  }

  // MARK: - Rollbacks

  /// Returns a warning for each entry with `rollback` before which no step ends that can be undone, and for each
  /// `undo` that no failure causes.
  private func rollbacks(_ entries: [ManifestEntry], _ plan: LaunchPlan) -> [Diagnostic] {
    let rollbacks = entries.indices.filter { entries[$0].attributes.onFailure == .rollback }
    let undos = entries.indices.filter { entries[$0].parameters?["undo"] != nil }
    guard !rollbacks.isEmpty || !undos.isEmpty else { return [] }
    let undoable = plan.indices.map(plan.hasUndo)
    let count = undoable.count { $0 }
    /// The number of rollbacks that do not undo a step, because their step is the same or comes before.
    var sparing = [Int](repeating: 0, count: entries.count)
    var visitsLeft = Self.visits
    var warnings: [Diagnostic] = []
    for step in rollbacks where visitsLeft > 0 {
      let later = Self.followers(of: step, plan.outline.graph, &visitsLeft)
      for follower in later { sparing[follower] += 1 }
      guard visitsLeft > 0, later.count(where: { undoable[$0] }) == count,
        let range = own(\.policyRange, of: entries[step].attributes)
      else { continue }
      warnings.append(
        .warning(
          "a failure of \"\(entries[step].id.excerpt)\" rolls nothing back: no command before it can be undone",
          at: range, help: Self.helpForRollback))
    }
    guard visitsLeft > 0 else { return warnings }
    return warnings
      + undos.compactMap { step in
        guard undoable[step], sparing[step] == rollbacks.count, let undo = entries[step].parameters?["undo"]
        else { return nil }
        return .warning(
          "\"\(entries[step].id.excerpt)\" is never undone: no step after it rolls back", at: undo.range,
          help: "write \"onFailure\": \"rollback\" in the entries whose failure undoes it")
      }
  }

  private static let helpForRollback =
    "write \"stop\", or use commands that can be undone, such as RunProcess with \"undo\""

  /// Returns a step, and all steps that come after it directly or indirectly.
  private static func followers(of step: Int, _ graph: DependencyGraph, _ visitsLeft: inout Int) -> [Int] {
    var isKnown = [Bool](repeating: false, count: graph.count)
    isKnown[step] = true
    var found = [step]
    var next = 0
    visitsLeft -= graph.count / 64
    while next < found.count, visitsLeft > 0 {
      for follower in graph.successors(of: found[next]) where !isKnown[follower] {
        isKnown[follower] = true
        found.append(follower)
      }
      visitsLeft -= 1
      next += 1
    }
    return found
  }
}

extension LaunchPlan {
  fileprivate var hasServices: Bool { indices.contains { polledCommand($0)?.startsService == true } }
}

extension LaunchCondition {
  /// The names of the variables that the condition compares with a value.
  fileprivate var comparedVariables: [String] {
    switch self {
    case .environment(let name, .some): [name]
    case .all(let parts), .any(let parts): parts.flatMap(\.comparedVariables)
    case .not(let part): part.comparedVariables
    case .platform, .environment(_, nil), .launch, .firstLaunch: []
    }
  }
}

extension Diagnostic {
  /// Returns a warning with at most one line of help.
  fileprivate static func warning(_ message: String, at range: SourceRange, help: String? = nil) -> Diagnostic
  {
    Diagnostic(.warning, message, at: range, help: help.map { [$0] } ?? [])
  }
}
