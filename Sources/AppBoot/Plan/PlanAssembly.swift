import AppBootSystem

/// Assembles a plan from a manifest's entries, and collects everything that is wrong on the way.
struct PlanAssembly {
  private let builder: StartupCommandsBuilder
  private let facts: LaunchCondition.Facts
  private(set) var problems: [Diagnostic]
  /// Commands without parameters are decoded once: they are values.
  private var defaults: [String: any Command] = [:]

  init(builder: StartupCommandsBuilder) {
    self.builder = builder
    problems = builder.manifest.problems
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
    plan.timeout = (builder.timeout ?? manifest.timeout)?.nanoseconds
    plan.budget = manifest.budget?.nanoseconds
    for event in manifest.events { plan.events[event.name] = self.plan(of: event) }
    return plan
  }

  private mutating func plan(of event: ManifestEvent) -> StartupPlan? {
    let known = LifecycleEventName.all + builder.registry.events
    if event.name == LifecycleEventName.didFinishLaunching {
      problems.append(
        .error(
          "the list for didFinishLaunching is \"commands\"", at: event.range, help: "move the entries there"))
    } else if !known.contains(event.name) {
      let closest = ClosestName.to(event.name, among: known).map { "did you mean \"\($0)\"?" }
      problems.append(
        Diagnostic(
          .error, "unknown event \"\(event.name)\"", at: event.range,
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
    step.timeout = entry.timeout?.nanoseconds
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
    let names = builder.registry.names
    let closest = ClosestName.to(entry.command, among: names).map { "did you mean \"\($0)\"?" }
    let help = closest ?? "the commands are \(names.joined(separator: ", "))"
    problems.append(.error("unknown command \"\(entry.command)\"", at: entry.commandRange, help: help))
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

  // MARK: - Order

  /// The graph; `nil` where ids are doubled or unknown, or where the entries wait for each other.
  private mutating func resolve(_ entries: [ManifestEntry]) -> DependencyGraph? {
    guard let indices = indices(of: entries) else { return nil }
    if entries.allSatisfy({ $0.after == nil }) { return DependencyGraph(sequenceOf: entries.count) }
    guard let graph = graph(of: entries, indices) else { return nil }
    let cycles = graph.shortestCycles()
    for cycle in cycles { reportCycle(cycle, entries) }
    return cycles.isEmpty ? graph : nil
  }

  private mutating func indices(of entries: [ManifestEntry]) -> [String: Int]? {
    var indices: [String: Int] = [:]
    indices.reserveCapacity(entries.count)
    var isUnique = true
    for (index, entry) in entries.enumerated() {
      guard let first = indices.updateValue(index, forKey: entry.id) else { continue }
      indices[entry.id] = first
      isUnique = false
      problems.append(
        Diagnostic.error(
          "two entries have the id \"\(entry.id)\"", at: entry.idRange,
          help: "give one of them an \"id\" of its own"
        ).noting("the first one", at: entries[first].idRange))
    }
    return isUnique ? indices : nil
  }

  private mutating func graph(of entries: [ManifestEntry], _ indices: [String: Int]) -> DependencyGraph? {
    var offsets: [Int32] = [0]
    var edges: [Int32] = []
    offsets.reserveCapacity(entries.count + 1)
    edges.reserveCapacity(entries.count)
    var isKnown = true
    for (index, entry) in entries.enumerated() {
      if let after = entry.after {
        for reference in after {
          if let target = indices[reference.id] {
            edges.append(Int32(target))
          } else {
            isKnown = false
            reportUnknownReference(reference, indices)
          }
        }
      } else if index > 0 {
        edges.append(Int32(index - 1))
      }
      offsets.append(Int32(edges.count))
    }
    return isKnown ? DependencyGraph(offsets: offsets, edges: edges) : nil
  }

  private mutating func reportUnknownReference(_ reference: ManifestEntry.Reference, _ indices: [String: Int])
  {
    let names = indices.sorted { $0.value < $1.value }.map(\.key)
    let closest = ClosestName.to(reference.id, among: names).map { "did you mean \"\($0)\"?" }
    let list = "the ids here are \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : "")"
    problems.append(
      .error("no entry has the id \"\(reference.id)\"", at: reference.range, help: closest ?? list))
  }

  private mutating func reportCycle(_ cycle: [Int], _ entries: [ManifestEntry]) {
    let ids = cycle.map { entries[$0].id }
    let path = (ids + ids.prefix(1)).joined(separator: " → ")
    var problem = Diagnostic.error(
      "these entries wait for each other: \(path)", at: entries[cycle[0]].idRange,
      help: "each comes after the next; take one id out of an \"after\"")
    for index in cycle where entries[index].after == nil {
      problem = problem.noting(
        "\"\(entries[index].id)\" has no \"after\", so it comes after the entry above it",
        at: entries[index].idRange)
    }
    problems.append(problem)
  }
}

/// Finds the place in the manifest that a type's own decoding refused.
enum DecodingFailure {
  static func diagnostic(_ error: any Error, in entry: ManifestEntry) -> Diagnostic {
    guard let error = error as? DecodingError else {
      return .error("\(entry.command): \(error)", at: entry.commandRange)
    }
    let (context, message) = facts(of: error)
    let path = context.codingPath
    let name = path.map(\.stringValue).reduce(into: "") { name, key in
      name += name.isEmpty || key.hasPrefix("[") ? key : ".\(key)"
    }
    let place = value(at: path, in: entry.parameters)?.range ?? entry.commandRange
    return .error(name.isEmpty ? "\(entry.command): \(message)" : "\"\(name)\": \(message)", at: place)
  }

  private static func facts(of error: DecodingError) -> (context: DecodingError.Context, message: String) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      (context, context.debugDescription)
    case .keyNotFound(let key, let context): (context, "\"\(key.stringValue)\" is missing")
    @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "\(error)")
    }
  }

  private static func value(at path: [any CodingKey], in root: JSONValue?) -> JSONValue? {
    var current = root
    for key in path {
      guard let value = current else { return root }
      if let index = key.intValue, value.kind == .array {
        current = value.elements.dropFirst(index).first
      } else {
        current = value[key.stringValue]
      }
    }
    return current
  }
}
