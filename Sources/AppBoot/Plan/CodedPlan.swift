/// A plan as it is written in code: a manifest without text, and the commands of its entries.
///
/// The places in the manifest are positions in ``places`` instead of offsets in a text. The assembly of a plan thus
/// checks both in the same way.
package struct CodedPlan: Sendable {
  /// The commands of a list's entries, in the same order, and the names of the list's groups.
  struct List: Sendable {
    fileprivate(set) var steps: [StartupStep] = []
    fileprivate(set) var groups: [String] = []
  }

  package private(set) var manifest = Manifest(empty: SourceText(name: "", bytes: []))
  /// The commands of the launch.
  private(set) var launch = List()
  /// The commands of the event handlers, by the name of the event.
  private(set) var handlers: [String: List] = [:]
  /// The events with handlers.
  private(set) var events: [EventName] = []
  /// The lines of code that declare the plan and its parts.
  package private(set) var places: [CodePlace] = []
  private var environmentFiles = EnvironmentFileReader()

  init(name: String, budget: Duration?, timeout: Duration?, at place: CodePlace, _ parts: [PlanPart]) {
    manifest.name = name
    (manifest.budget, manifest.timeout) = (budget, timeout)
    let range = range(of: place)
    manifest.budgetRange = range
    checkDurations(timeout, budget, at: range)
    var steps: [StepPart] = []
    var handlers: [On] = []
    for part in parts {
      switch part.kind {
      case .steps(let part): steps.append(part)
      case .handlers(let on): handlers.append(on)
      case .files(let files):
        let variables = variables(of: files.paths, at: self.range(of: files.place))
        manifest.variables.merge(variables) { $1 }
      case .secrets(let secrets): add(secrets)
      }
    }
    (launch, manifest.commands) = list(of: steps)
    for on in handlers {
      let range = self.range(of: on.place)
      check(on.event, at: range)
      guard self.handlers[on.event.name] == nil else { continue }
      let parts = handlers.filter { $0.event.name == on.event.name }.flatMap(\.parts)
      let (list, entries) = list(of: parts)
      self.handlers[on.event.name] = list
      manifest.events.append(ManifestEvent(name: on.event.name, range: range, entries: entries))
      events.append(on.event)
    }
  }

  private mutating func range(of place: CodePlace) -> SourceRange {
    places.append(place)
    return SourceRange(places.count - 1, places.count)
  }

  private mutating func add(_ secrets: SecretVariables) {
    let range = range(of: secrets.place)
    for name in secrets.names {
      manifest.secretRules.add(name: name, of: "SecretVariables", at: range, &manifest.problems)
    }
    if let pattern = secrets.pattern {
      manifest.secretRules.add(pattern: pattern, of: "matching", at: range, &manifest.problems)
    }
  }

  private mutating func variables(of paths: [String], at range: SourceRange) -> [String: String] {
    var variables: [String: String] = [:]
    for (index, path) in paths.enumerated() {
      let key = "files[\(index)]"
      guard checkText(path, key, isEmptyAllowed: false, at: range) else { continue }
      let read = environmentFiles.variables(
        of: path, named: key, beside: "", at: range, &manifest.problems)
      variables.merge(read) { $1 }
    }
    return variables
  }

  // MARK: - Lists

  /// A list while its parts are added.
  private struct Draft {
    var list = List()
    var entries: [ManifestEntry] = []
    var order = CodedOrder()
    /// The nodes of the steps in the order.
    var nodes: [Int] = []
    var groups: [(name: String, range: SourceRange)] = []
  }

  private mutating func list(of parts: [StepPart]) -> (list: List, entries: [ManifestEntry]) {
    var draft = Draft()
    add(parts, in: CodedOrder.root, to: &draft)
    for index in draft.entries.indices {
      draft.entries[index].order = Self.order(of: index, in: draft)
    }
    checkGroups(of: draft)
    draft.list.groups = draft.groups.map(\.name)
    return (draft.list, draft.entries)
  }

  private mutating func add(_ parts: [StepPart], in parent: Int, to draft: inout Draft) {
    for part in parts {
      switch part.kind {
      case .step(let step): add(step, in: parent, to: &draft)
      case .group(let group):
        let range = range(of: group.place)
        if let name = group.name { draft.groups.append((name, range)) }
        checkRepeated(group.predecessors, at: range)
        let node = draft.order.add(
          group: group.name, isParallel: group.isParallel, after: group.predecessors, in: parent)
        add(group.parts, in: node, to: &draft)
      }
    }
  }

  private mutating func add(_ step: Step, in parent: Int, to draft: inout Draft) {
    let range = range(of: step.place)
    let outline = step.step.outline
    var entry = ManifestEntry(command: outline.commandName, range: range)
    if outline.id.isEmpty {
      report("\"id\" must not be empty", range)
    } else {
      entry.identify(outline.id, at: range)
    }
    checkRepeated(step.predecessors, at: range)
    check(step.attributes, at: range)
    var attributes = step.attributes.located(at: range)
    if !attributes.environmentFiles.isEmpty {
      attributes.variables = variables(of: attributes.environmentFiles.map(\.value), at: range)
    }
    entry.attributes = attributes
    draft.nodes.append(
      draft.order.add(step: draft.entries.count, id: entry.id, after: step.predecessors, in: parent))
    draft.entries.append(entry)
    var started = step.step
    started.startNeedCheck = step.attributes.startNeedCheck
    draft.list.steps.append(started)
  }

  private static func order(of index: Int, in draft: Draft) -> ManifestEntry.Order {
    let predecessors = draft.order.predecessors(of: draft.nodes[index])
    let above = index == 0 ? [] : [CodedOrder.Predecessor.step(index - 1)]
    if predecessors == above, draft.order.isAfterAbove(draft.nodes[index]) { return .above }
    let range = draft.entries[index].commandRange
    return .named(
      predecessors.map { predecessor in
        switch predecessor {
        case .step(let step): ManifestEntry.Reference(id: draft.entries[step].id, range: range)
        case .unknown(let id): ManifestEntry.Reference(id: id, range: range)
        }
      })
  }

  // MARK: - Checks

  private mutating func report(_ message: String, _ range: SourceRange, help: String? = nil) {
    manifest.problems.append(.error(message, at: range, help: help))
  }

  private mutating func checkGroups(of draft: Draft) {
    var first = Dictionary(draft.entries.map { ($0.id, $0.idRange) }) { first, _ in first }
    for (name, range) in draft.groups {
      guard !name.isEmpty else {
        report("the name of a group must not be empty", range, help: "leave it out, or write a name")
        continue
      }
      guard let other = first[name] else {
        first[name] = range
        continue
      }
      manifest.problems.append(
        .error(
          "a group has the name \"\(name.excerpt)\", which is the id of another step or group", at: range,
          help: "give one of them another name"
        ).noting("the other one", at: other))
    }
  }

  private mutating func check(_ event: EventName, at range: SourceRange) {
    if event.name.isEmpty { report("the name of an event must not be empty", range) }
    guard let first = events.first(where: { $0.name == event.name }), first.owner != event.owner,
      !EventName.standardNames.contains(event.name)
    else { return }
    report(
      "the event \"\(event.name.excerpt)\" belongs to the process and to a scene", range,
      help: "declare it once, as a constant of EventName")
  }

  private mutating func checkRepeated(_ ids: [String]?, at range: SourceRange) {
    var seen: Set<String> = []
    for id in ids ?? [] where !seen.insert(id).inserted {
      report("\"after\" names \"\(id.excerpt)\" twice", range)
    }
  }

  private mutating func checkDurations(_ timeout: Duration?, _ budget: Duration?, at range: SourceRange) {
    if let timeout, timeout <= .zero {
      report("\"timeout\" must be greater than zero", range, help: "remove it for no timeout")
    }
    if let budget, budget < .zero { report("\"budget\" must not be negative", range) }
  }

  private mutating func check(_ attributes: StepAttributes, at range: SourceRange) {
    checkDurations(attributes.timeout, attributes.budget, at: range)
    if let retry = attributes.retry {
      if !(1...1000).contains(retry.attempts) {
        report("\"attempts\" must be a whole number from 1 to 1000, not \(retry.attempts)", range)
      }
      if retry.backoffTime < 0 { report("\"backoff\" must not be negative", range) }
      if retry.maximumBackoffTime < 0 { report("\"maximumBackoff\" must not be negative", range) }
    }
    if let condition = attributes.condition {
      for mistake in condition.mistakes { report(mistake, range) }
      if let key = condition.keyOfRecordedLaunches, manifest.recordedLaunches == nil {
        manifest.recordedLaunches = (key, range)
      }
    }
    switch attributes.unless {
    case .file(let path): checkText(path, "file", isEmptyAllowed: false, at: range)
    case .command(let texts):
      for (index, text) in texts.enumerated() {
        checkText(text, "command[\(index)]", isEmptyAllowed: index > 0, at: range)
      }
    case nil: break
    }
  }

  /// Reports a text that no system call accepts. Returns true for any other text.
  @discardableResult
  private mutating func checkText(
    _ text: String, _ key: String, isEmptyAllowed: Bool, at range: SourceRange
  ) -> Bool {
    if text.isEmpty, !isEmptyAllowed {
      report("\"\(key)\" must not be empty", range)
    } else if text.utf8.contains(0) {
      report("\"\(key)\" must not contain a zero byte", range)
    } else {
      return true
    }
    return false
  }
}
