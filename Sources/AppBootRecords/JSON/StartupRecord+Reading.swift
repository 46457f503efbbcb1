public import AppBoot

extension StartupRecord {
  /// Reads a record from its JSON. Members and kinds that this version does not know are ignored.
  ///
  /// Derived members (`waiting`, `running`, `critical`, `slack`, `causes`) are not read. They are computed again.
  ///
  /// - Throws: An error whose description has the mistake and its place.
  public init(json text: String) throws {
    try self.init(json: SourceText(name: "record", text: text))
  }

  /// Reads a record from its JSON.
  ///
  /// - Throws: ``RecordError``.
  package init(json source: SourceText) throws(RecordError) {
    var reader = try RecordReader(source)
    self = try reader.record()
  }
}

/// A reader of a record's JSON. It has a function for each part.
struct RecordReader {
  private let root: RecordObject
  private let source: SourceText
  /// The indices of the steps, by step id.
  private(set) var indices: [String: Int] = [:]
  /// The name of the run if its object does not contain the name; otherwise `nil`.
  private var runName: String?
  /// The object of the launch if this reads event handlers; otherwise `nil`.
  private var launch: RecordObject?

  /// Creates a reader of a record or of a journal's first line.
  ///
  /// - Parameter name: The expected value of `format`. A record and a journal's first line have different values.
  init(_ source: SourceText, format name: String = StartupRecord.formatName) throws(RecordError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: source)
    } catch {
      throw RecordError(error)
    }
    self.source = source
    let format = document.root["format"]?.string
    guard format == name else { throw .notARecord(file: source.name, format: format) }
    root = try RecordObject(document.root)
    let version: Int = try root.required("version", in: 1...Int.max)
    guard version <= StartupRecord.formatVersion else {
      throw .newerVersion(version, file: source.name)
    }
  }

  /// Creates a reader of event handlers, which have no header.
  private init(_ root: RecordObject, of launch: RecordReader, name: String) {
    self.root = root
    self.launch = launch.root
    source = launch.source
    runName = name
  }

  mutating func record() throws(RecordError) -> StartupRecord {
    var record = try run()
    for event in try root.objects("events") { record.events.append(try self.event(event).record) }
    return record
  }

  /// Returns the record of an event's handlers, and a reader for the events of the handlers' run.
  func event(_ object: RecordObject) throws(RecordError) -> (record: EventRecord, reader: RecordReader) {
    let name = try object.string("event")
    var reader = RecordReader(object, of: self, name: name)
    let record = EventRecord(
      event: name, scene: try object.optionalString("scene"), time: try object.requiredTime("at"),
      record: try reader.run())
    return (record, reader)
  }

  private mutating func run() throws(RecordError) -> StartupRecord {
    let steps = try root.objects("steps")
    indices = try Self.indices(of: steps)
    return try record(of: steps)
  }

  private static func indices(of steps: [RecordObject]) throws(RecordError) -> [String: Int] {
    var indices: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      let id = try step.string("id")
      guard indices.updateValue(index, forKey: id) == nil else {
        throw step.damaged("two steps have the id \"\(id)\"")
      }
    }
    return indices
  }

  private func record(of steps: [RecordObject]) throws(RecordError) -> StartupRecord {
    var record = StartupRecord(outline: try outline(of: steps), startedAt: try root.string("startedAt"))
    record.header = try root.members()
    record.elapsedTime = try root.time("duration") ?? 0
    record.healthyTime = try root.time("healthyAt")
    record.outcome = try outcome()
    record.cancellation = try root.object("cancellation").map { object throws(RecordError) in
      try cancelReason(object)
    }
    for (index, step) in steps.enumerated() {
      record.executions[index] = try execution(of: step)
      let details: StepDetails = try step.members()
      if details != StepDetails() { record.details[index] = details }
    }
    return record
  }

  // MARK: - The launch

  /// Returns the object `process` of a journal's first line; `nil` if it is absent.
  func processObject() throws(RecordError) -> RecordObject? { try root.object("process") }

  private func outcome() throws(RecordError) -> LaunchOutcome {
    try outcome(in: root)
  }

  /// Returns the outcome in an object; `running` if it is absent, as in the first line of a journal.
  func outcome(in object: RecordObject) throws(RecordError) -> LaunchOutcome {
    switch try object.optionalString("outcome") {
    case nil, "running": return .running
    case "succeeded": return .succeeded
    case "timedOut": return .timedOut
    case "failed": return .failed(step: try stepIndex("failedStep", of: object))
    case "cancelled": return .cancelled(try object.object("reason")?.string("text") ?? "")
    case let name?: throw object.damaged("there is no outcome \"\(name)\"", at: "outcome")
    }
  }

  // MARK: - The outline

  private func outline(of steps: [RecordObject]) throws(RecordError) -> LaunchOutline {
    var planned: [PlannedStep] = []
    for step in steps { planned.append(try step.members()) }
    let name: String
    if let runName { name = runName } else { name = try root.string("name") }
    var outline = LaunchOutline(
      name: name, options: try root.part("launch") ?? LaunchOptions(), steps: planned.map(\.outline),
      graph: try graph(of: planned, steps),
      manifest: try manifest(of: steps))
    outline.budgetTime = try root.span("budget")
    outline.timeoutTime = try root.span("timeout")
    outline.safeMode = try root.part("safeMode")
    return outline
  }

  private func manifest(of steps: [RecordObject]) throws(RecordError) -> ManifestReference? {
    guard let manifest = try (launch ?? root).object("manifest") else { return nil }
    var locations: [SourceLocation?] = []
    for step in steps { locations.append(try location(of: step)) }
    return ManifestReference(
      name: try manifest.string("path"), digest: try manifest.optionalString("digest"), locations: locations)
  }

  private func location(of step: RecordObject) throws(RecordError) -> SourceLocation? {
    guard let line: Int = try step.integer("line", in: 1...Int(UInt32.max)) else { return nil }
    var location = SourceLocation(
      line: line, column: try step.integer("column", in: 1...Int(UInt32.max)) ?? 1)
    location.file = try step.optionalString("file")
    return location
  }

  private func graph(
    of planned: [PlannedStep], _ steps: [RecordObject]
  ) throws(RecordError) -> DependencyGraph {
    var builder = DependencyGraph.Builder(capacity: steps.count)
    for (step, object) in zip(planned, steps) {
      for id in step.after {
        guard let target = indices[id] else {
          throw object.damaged("it comes after \"\(id)\", and no step has that id", at: "after")
        }
        builder.addEdge(from: target)
      }
      builder.endStep()
    }
    let graph = builder.graph()
    guard let cycle = graph.cycles(atMost: 1).first, let first = cycle.first else { return graph }
    throw steps[first].damaged("it comes after itself", at: "after")
  }

  // MARK: - What happened to a step

  private func execution(of step: RecordObject) throws(RecordError) -> StepExecution {
    var execution = StepExecution()
    execution.state = try state(of: step)
    execution.readyTime = try step.time("ready")
    execution.startTime = try step.time("start", notBefore: execution.readyTime)
    execution.endTime = try step.time("end", notBefore: execution.startTime ?? execution.readyTime)
    return execution
  }

  func state(of step: RecordObject) throws(RecordError) -> StepState {
    switch try step.optionalString("state") {
    case nil, "waiting": return .waiting
    case "ready": return .ready
    case "running": return .running
    case "succeeded": return .succeeded
    case "failed": return .failed(try step.part("failure") ?? Failure(message: "", type: ""))
    case "timedOut": return .timedOut(try step.part("failure") ?? Failure(message: "", type: ""))
    case "cancelled": return .cancelled(try step.object("reason").map(cancelReason) ?? .requested(""))
    case "skipped": return .skipped(try step.object("reason").map(skipReason) ?? .condition(""))
    case let name?: throw step.damaged("there is no state \"\(name)\"", at: "state")
    }
  }

  /// Returns the reason in an object. A reason of a kind that this version does not know is read as a condition.
  private func skipReason(_ object: RecordObject) throws(RecordError) -> SkipReason {
    let text = try object.string("text")
    switch try object.string("kind") {
    case "excluded": return .excluded(text)
    case "unnecessary": return .unnecessary(text)
    case "safeMode": return .safeMode(text)
    case "dependency": return .dependency(try stepIndex("step", of: object))
    case "stopped": return .stopped(by: try stepIndex("step", of: object))
    default: return .condition(text)
    }
  }

  func cancelReason(_ object: RecordObject) throws(RecordError) -> CancelReason {
    switch try object.string("kind") {
    case "deadline": return .deadline
    case "selfCancelled": return .selfCancelled
    default: return .requested(try object.string("text"))
    }
  }

  func stepIndex(_ key: String, of object: RecordObject) throws(RecordError) -> Int {
    let id = try object.string(key)
    guard let index = indices[id] else { throw object.damaged("no step has the id \"\(id)\"", at: key) }
    return index
  }
}
