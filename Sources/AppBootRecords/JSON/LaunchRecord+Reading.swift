public import AppBoot

extension LaunchRecord {
  /// Reads a record from its JSON. Members and kinds that this version does not know are ignored.
  ///
  /// Derived members (`waiting`, `running`, `critical`, `slack`, `causes`) are computed again.
  ///
  /// - Throws: ``RecordUnreadable``.
  public init(json text: String) throws(RecordUnreadable) {
    do throws(RecordError) {
      try self.init(json: SourceText(name: "record", text: text))
    } catch {
      throw RecordUnreadable(error)
    }
  }

  /// Reads a record from its JSON.
  ///
  /// - Throws: ``RecordError``.
  package init(json source: SourceText) throws(RecordError) {
    self = try RecordReader(source).record
  }
}

/// A reader of a launch's record, or of a journal's first line.
struct RecordReader {
  /// The object of the whole record.
  let root: RecordObject
  /// The record.
  let record: LaunchRecord
  /// The steps of the launch.
  let steps: RecordedSteps

  /// Reads a record or a journal's first line.
  ///
  /// - Parameter name: The expected value of `format`. A record and a journal's first line have different values.
  init(_ source: SourceText, format name: String = LaunchRecord.formatName) throws(RecordError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: source)
    } catch {
      throw RecordError(error)
    }
    let format = document.root["format"]?.string
    guard format == name else { throw .notARecord(file: source.name, format: format) }
    root = try RecordObject(document.root)
    let version = try root.required("version", .integer(in: 1...Int.max))
    guard version <= LaunchRecord.formatVersion else {
      throw .newerVersion(version, file: source.name)
    }
    let launch: RecordedLaunch = try root.members()
    steps = try RecordedSteps(launch.run, in: root)
    var record = try steps.record(of: launch.run, name: launch.name, launch.manifest)
    record.header = launch.header
    let objects = try root.objects("events")
    for (event, object) in zip(launch.events, objects) {
      record.events.append(try RecordedSteps(event.run, in: object).record(of: event, launch.manifest))
    }
    self.record = record
  }

  /// Returns the record of an event's handlers, and the steps of their run.
  func event(_ object: RecordObject) throws(RecordError) -> (record: EventRecord, steps: RecordedSteps) {
    let event: RecordedEvent = try object.members()
    let steps = try RecordedSteps(event.run, in: object)
    let manifest = try root.optional("manifest", RecordForm<ManifestReference>.part)
    return (try steps.record(of: event, manifest), steps)
  }
}

/// The steps of a run, to which its record and its events refer by their ids.
struct RecordedSteps {
  private let run: RecordObject
  private let indices: [String: Int]

  /// - Parameter object: The object of the run, for the places of mistakes.
  init(_ run: RecordedRun, in object: RecordObject) throws(RecordError) {
    self.run = object
    var indices: [String: Int] = [:]
    for (index, step) in run.steps.enumerated() {
      guard indices.updateValue(index, forKey: step.planned.outline.id) == nil else {
        throw try object.objects("steps")[index]
          .damaged("two steps have the id \"\(step.planned.outline.id)\"")
      }
    }
    self.indices = indices
  }

  func record(of event: RecordedEvent, _ manifest: ManifestReference?) throws(RecordError) -> EventRecord {
    EventRecord(
      event: event.head.event, scene: event.head.scene, time: event.head.time,
      record: try record(of: event.run, name: event.head.event, manifest))
  }

  func record(
    of run: RecordedRun, name: String, _ manifest: ManifestReference?
  ) throws(RecordError) -> LaunchRecord {
    let objects = try self.run.objects("steps")
    let planned = run.steps.map(\.planned)
    var outline = LaunchOutline(
      name: name, options: run.plan.launch, steps: planned.map(\.outline),
      graph: try graph(of: planned, objects),
      manifest: manifest.map {
        ManifestReference(name: $0.name, digest: $0.digest, locations: planned.map(\.location))
      })
    (outline.budgetTime, outline.timeoutTime) = (run.plan.budget, run.plan.timeout)
    outline.safeMode = run.plan.safeMode
    var record = LaunchRecord(outline: outline, startedAt: run.startedAt)
    (record.elapsedTime, record.healthyTime) = (run.duration, run.healthyAt)
    record.outcome = try outcome(run.outcome, in: self.run)
    record.cancellation = run.cancellation?.cancellation
    for (index, step) in run.steps.enumerated() {
      record.executions[index] = step.execution
      record.executions[index].state = try state(step.state, in: objects[index])
      if step.details != StepDetails() { record.details[index] = step.details }
    }
    return record
  }

  private func graph(
    of steps: [RecordedStepPlan], _ objects: [RecordObject]
  ) throws(RecordError) -> DependencyGraph {
    var predecessors = [[Int]](repeating: [], count: steps.count)
    for (index, step) in steps.enumerated() {
      for id in step.after {
        guard let target = indices[id] else {
          throw objects[index].damaged("it comes after \"\(id)\", and no step has that id", at: "after")
        }
        predecessors[index].append(target)
      }
    }
    let graph = DependencyGraph(predecessors: predecessors)
    guard let cycle = graph.cycles(atMost: 1).first, let first = cycle.first else { return graph }
    throw objects[first].damaged("it comes after itself", at: "after")
  }

  // MARK: - Ids

  /// Returns the index of the step whose id is a member of an object.
  func index(at key: String, in object: RecordObject) throws(RecordError) -> Int {
    let id = try object.required(key, .text)
    guard let index = indices[id] else { throw object.damaged("no step has the id \"\(id)\"", at: key) }
    return index
  }

  func outcome(_ outcome: RecordedOutcome, in object: RecordObject) throws(RecordError) -> LaunchOutcome {
    switch outcome.kind {
    case .running: .running
    case .succeeded: .succeeded
    case .timedOut: .timedOut
    case .failed: .failed(step: try index(at: "failedStep", in: object))
    case .cancelled: .cancelled(outcome.reason?.text ?? "")
    }
  }

  func state(_ state: RecordedState, in object: RecordObject) throws(RecordError) -> StepState {
    switch state.kind {
    case .waiting: .waiting
    case .ready: .ready
    case .running: .running
    case .succeeded: .succeeded
    case .failed: .failed(state.failure ?? Failure(message: "", type: ""))
    case .timedOut: .timedOut(state.failure ?? Failure(message: "", type: ""))
    case .cancelled: .cancelled(state.reason?.cancellation ?? .requested(""))
    case .skipped: .skipped(try skipReason(state.reason, in: object))
    }
  }

  /// Returns the reason. A reason of a kind that this version does not know is read as a condition.
  private func skipReason(
    _ reason: RecordedReason?, in object: RecordObject
  ) throws(RecordError) -> SkipReason {
    guard let reason, let inner = try object.object("reason") else { return .condition("") }
    return switch reason.kind {
    case "excluded": .excluded(reason.text)
    case "unnecessary": .unnecessary(reason.text)
    case "safeMode": .safeMode(reason.text)
    case "dependency": .dependency(try index(at: "step", in: inner))
    case "stopped": .stopped(by: try index(at: "step", in: inner))
    default: .condition(reason.text)
    }
  }
}

extension RecordedReason {
  /// The reason of a cancellation.
  var cancellation: CancelReason {
    switch kind {
    case "deadline": .deadline
    case "selfCancelled": .selfCancelled
    default: .requested(text)
    }
  }
}
