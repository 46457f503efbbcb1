/// A plan as it is written in code: a manifest without text, whose entries have commands.
///
/// The places in the manifest are positions in ``places`` instead of offsets in a text. The assembly of a plan thus
/// checks both in the same way.
package struct CodedPlan: Sendable {
  /// The key of the launch in ``groups``.
  static let launch = EventName.didFinishLaunching.name

  package private(set) var manifest = Manifest(empty: SourceText(name: "", bytes: []))
  /// The names of the groups in the launch and in event handlers, by the name of the event.
  private(set) var groups: [String: [String]] = [:]
  /// The events with handlers.
  package private(set) var events: [EventName] = []
  /// The lines of code that declare the plan and its parts.
  package private(set) var places: [CodePlace] = []
  private var environmentFiles = EnvironmentFileReader()

  init(name: String, budget: Duration?, timeout: Duration?, at place: CodePlace, _ parts: [PlanPart]) {
    manifest.name = name
    (manifest.budget, manifest.timeout) = (budget, timeout)
    let range = range(of: place)
    manifest.budgetRange = range
    checkDurations(timeout, budget, at: range)
    var steps: [StepGroup] = []
    var handlers: [On] = []
    for part in parts {
      switch part.kind {
      case .steps(let parts): steps += parts
      case .handlers(let on): handlers.append(on)
      case .files(let files):
        let variables = variables(of: files.paths, at: self.range(of: files.place))
        manifest.variables.merge(variables) { $1 }
      case .secrets(let secrets): add(secrets)
      }
    }
    manifest.commands = entries(of: steps, at: Self.launch)
    for on in handlers {
      let range = self.range(of: on.place)
      check(on.event, at: range)
      guard !events.contains(where: { $0.name == on.event.name }) else { continue }
      let parts = handlers.filter { $0.event.name == on.event.name }.flatMap(\.parts)
      let entries = entries(of: parts, at: on.event.name)
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
    var entries: [ManifestEntry] = []
    var order = CodedOrder()
    var groups: [(name: String, range: SourceRange)] = []
  }

  private mutating func entries(of parts: [StepGroup], at event: String) -> [ManifestEntry] {
    var draft = Draft()
    add(parts, in: CodedOrder.root, to: &draft)
    for (index, entry) in draft.entries.enumerated() {
      guard let ids = draft.order.predecessors(ofStep: index) else { continue }
      draft.entries[index].after = ids.map { ManifestEntry.Reference(id: $0, range: entry.commandRange) }
    }
    checkGroups(of: draft)
    groups[event, default: []] += draft.groups.map(\.name)
    return draft.entries
  }

  private mutating func add(_ parts: [StepGroup], in parent: Int, to draft: inout Draft) {
    for part in parts {
      switch part.content {
      case .step(let step): add(step, in: parent, to: &draft)
      case .parts(let parts):
        let range = range(of: part.place)
        if let name = part.name { draft.groups.append((name, range)) }
        checkRepeated(part.predecessors, at: range)
        let node = draft.order.add(
          group: part.name, isParallel: part.isParallel, after: part.predecessors, in: parent)
        add(parts, in: node, to: &draft)
      }
    }
  }

  private mutating func add(_ step: Step, in parent: Int, to draft: inout Draft) {
    let range = range(of: step.place)
    var entry = ManifestEntry(command: type(of: step.command).name, range: range)
    entry.code = step.command
    if step.id.isEmpty {
      report("\"id\" must not be empty", range)
    } else {
      entry.identify(step.id, at: range)
    }
    checkRepeated(step.predecessors, at: range)
    check(step.attributes, at: range)
    entry.attributes = step.attributes.located(at: range)
    entry.startUnlessCheck = step.startUnlessCheck
    if !step.attributes.environment.files.isEmpty {
      let paths = step.attributes.environment.files.map(\.value)
      entry.attributes.variables = variables(of: paths, at: range)
    }
    draft.order.add(step: entry.id, after: step.predecessors, in: parent)
    draft.entries.append(entry)
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
      if retry.maxBackoffTime < 0 { report("\"maxBackoff\" must not be negative", range) }
    }
    if let condition = attributes.condition {
      for mistake in condition.mistakes { report(mistake, range) }
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

/// The order of the steps in one list of a plan that is written in code: of the launch, or of an event.
struct CodedOrder {
  private struct Node {
    /// The id of the step; `nil` for a group.
    var id: String?
    var parent: Int?
    /// The place among the children of the parent.
    var place = 0
    var children: [Int] = []
    var isParallel = false
    var after: [String]?
    /// True for a step, and for a group with a step or with `after`. Any other group does not change the order.
    var countsInOrder = false
  }

  /// The steps and groups. The first one is a group of all others.
  private var nodes = [Node()]
  /// The nodes of the steps.
  private var steps: [Int] = []
  /// The first node with each id or name.
  private var names: [String: Int] = [:]

  /// The node that contains all others.
  static let root = 0

  /// Adds a step.
  mutating func add(step id: String, after: [String]?, in parent: Int) {
    steps.append(add(Node(id: id, after: after), named: id, in: parent))
  }

  /// Adds a group, and returns its node.
  mutating func add(group name: String?, isParallel: Bool, after: [String]?, in parent: Int) -> Int {
    add(Node(isParallel: isParallel, after: after), named: name, in: parent)
  }

  private mutating func add(_ node: Node, named name: String?, in parent: Int) -> Int {
    let index = nodes.count
    nodes.append(node)
    nodes[index].parent = parent
    nodes[index].place = nodes[parent].children.count
    nodes[parent].children.append(index)
    var next = node.id != nil || node.after != nil ? index : nil
    while let node = next, !nodes[node].countsInOrder {
      nodes[node].countsInOrder = true
      next = nodes[node].parent
    }
    if let name, names[name] == nil { names[name] = index }
    return index
  }

  /// Returns the ids of the steps that must end before a step starts, without duplicates; `nil` if that is only the
  /// step above it. Unknown ids are included.
  func predecessors(ofStep step: Int) -> [String]? {
    let ids = ids(before: steps[step])
    let above = step == 0 ? [] : [nodes[steps[step - 1]].id]
    return ids == above && nodes[steps[step]].after == nil ? nil : ids
  }

  /// A part of a search for the steps that must end first.
  private enum Search: Hashable {
    /// The step with this id.
    case id(String)
    /// The steps that must end before a node starts.
    case predecessors(of: Int)
    /// The last steps of a node. Once they have ended, all its steps have ended.
    case ends(of: Int)
  }

  /// Returns the ids of the steps that must end before a node starts, without duplicates.
  ///
  /// A search with a list, because a recursion over many empty groups would overflow the stack. No part is searched
  /// twice: groups can wait for each other.
  private func ids(before node: Int) -> [String] {
    var found: Set<Search> = []
    var ids: [String] = []
    var rest = [Search.predecessors(of: node)]
    while let next = rest.popLast() {
      guard found.insert(next).inserted else { continue }
      switch next {
      case .id(let id): ids.append(id)
      case .predecessors(let node): rest += predecessors(of: node).reversed()
      case .ends(let node): rest += ends(of: node).reversed()
      }
    }
    return ids
  }

  private func predecessors(of node: Int) -> [Search] {
    guard let parent = nodes[node].parent else { return [] }
    if let after = nodes[node].after {
      return after.map { id in names[id].map { .ends(of: $0) } ?? .id(id) } + [.predecessors(of: parent)]
    }
    let above = nodes[parent].isParallel ? [] : nodes[parent].children.prefix(nodes[node].place)
    if let last = above.last(where: { nodes[$0].countsInOrder }) { return [.ends(of: last)] }
    return [.predecessors(of: parent)]
  }

  private func ends(of node: Int) -> [Search] {
    if let id = nodes[node].id { return [.id(id)] }
    let children = nodes[node].children
    if children.isEmpty { return [.predecessors(of: node)] }
    if nodes[node].isParallel { return children.map { .ends(of: $0) } }
    // A step that the next one waits for has ended when that one has.
    let uncovered = children.indices.filter { index in
      index + 1 == children.count || nodes[children[index + 1]].after != nil
    }
    return uncovered.map { .ends(of: children[$0]) }
  }
}

extension LaunchPlan {
  /// Creates a plan that is written in code.
  ///
  /// ```swift
  /// let plan = try LaunchPlan("Shop", budget: .milliseconds(400)) {
  ///   Step("database", OpenDatabase(client: client)).retry(attempts: 3)
  ///   Step("screen", ShowFirstScreen(window: window)).when(.launch(.normal, .url))
  ///   On(.didShowFirstScreen) { Step("index", IndexNotes()) }
  /// }
  /// ```
  ///
  /// To run a part of the plan, use ``selecting(_:)`` and ``skipping(_:)``. To pass values to commands that declare
  /// them in `requires`, make the plan with
  /// `StartupCommandsBuilder("Shop") { … }.providing(client, for: .client).build()`.
  ///
  /// - Parameters:
  ///   - budget: The time budget of the launch; `nil` for none.
  ///   - timeout: The timeout of the launch, which is greater than zero; `nil` for none.
  /// - Throws: ``PlanError`` with all mistakes; errors of the closure.
  public init(
    _ name: String = "launch", budget: Duration? = nil, timeout: Duration? = nil,
    options: LaunchOptions = LaunchOptions(), state: (any StateStore)? = nil,
    fileID: String = #fileID, line: Int = #line,
    @PlanBuilder<PlanPart> steps: () throws -> [PlanPart]
  ) throws {
    var builder = try StartupCommandsBuilder(
      name, budget: budget, timeout: timeout, fileID: fileID, line: line, steps: steps)
    builder.options = options
    builder.environment.givenState = state
    self = try builder.build()
  }
}
