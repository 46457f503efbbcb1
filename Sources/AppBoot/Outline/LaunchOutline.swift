import AppBootBase

/// A launch as data: its steps with their predecessors, timeouts and places in the manifest.
///
/// A ``LaunchPlan`` and a ``LaunchRecord`` share it. It contains no commands. It can be stored and read, but not run.
public struct LaunchOutline: Sendable, RandomAccessCollection {
  /// The launch's name.
  public let name: String
  /// The time budget of the launch; `nil` for none.
  public var budget: Duration? { budgetTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``budget``.
  package var budgetTime: Int64?
  /// The timeout of the launch; `nil` for none.
  public var timeout: Duration? { timeoutTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``timeout``.
  package var timeoutTime: Int64?
  /// The reason for the launch, and the data that came with it.
  public package(set) var options: LaunchOptions
  /// The safe mode in which the launch runs; `nil` for a normal launch.
  package var safeMode: SafeMode?

  package var steps: [StepOutline]
  package var graph: DependencyGraph
  package let manifest: ManifestReference?

  package init(
    name: String, options: LaunchOptions, steps: [StepOutline], graph: DependencyGraph,
    manifest: ManifestReference? = nil
  ) {
    self.name = name
    self.options = options
    self.steps = steps
    self.graph = graph
    self.manifest = manifest
  }

  /// The index of the first step, which is 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { steps.count }
  /// The step at an index.
  public subscript(position: Int) -> StepOutline { steps[position] }

  /// Returns the index of the step with an id; `nil` if there is none. Takes O(steps).
  public func index(ofStep id: String) -> Int? { steps.firstIndex { $0.id == id } }

  /// Returns the indices of a step's predecessors, in the order of the manifest's `after`.
  ///
  /// A predecessor is a step that must end before the step starts.
  public func predecessors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.predecessors(of: step)
  }

  /// Returns the indices of the steps of which a step is a predecessor, in manifest order.
  public func successors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.successors(of: step)
  }
}

extension LaunchOutline {
  /// The path of the manifest, or the name that was given for its text; `nil` for a launch that was created in code.
  public var manifestName: String? { manifest?.name }

}

/// A step as data: its id, the name of its command, and its attributes from the manifest.
public struct StepOutline: Sendable {
  /// The id of the step. It is unique in its launch.
  public let id: String
  /// The name of the step's command in the manifest.
  public let commandName: String
  /// The lane and the kind of the step.
  package var placement: StepPlacement
  /// The values of the step's optional keys.
  package var attributes: StepAttributes {
    get { values?.attributes ?? StepAttributes() }
    set { values = Values(newValue) }
  }
  /// The object with ``attributes``, which copies of the outline share; `nil` until one of them is set.
  private var values: Values?
  /// The reason why the step is skipped; `nil` for a step that will run.
  public package(set) var skip: SkipReason?
  /// The place of the command's name in the manifest; `nil` for a step that was created in code or read from a record.
  package var range: SourceRange?

  private final class Values: Sendable {
    let attributes: StepAttributes

    init(_ attributes: StepAttributes) { self.attributes = attributes }
  }

  package init(id: String, commandName: String, lane: Lane) {
    self.id = id
    self.commandName = commandName
    placement = StepPlacement(lane: lane)
  }

  /// The lane that the step runs on.
  public var lane: Lane { placement.lane }

  /// The kind of execution that the command needs. A step that was read from a record is not `polled`.
  package var kind: StepKind {
    get { placement.kind }
    set { placement.kind = newValue }
  }

  /// The effect of a failure on the other steps.
  public package(set) var onFailure: FailurePolicy {
    get { values?.attributes.onFailure ?? .stop }
    set { attributes.onFailure = newValue }
  }

  /// The number of attempts and the delays between them; `nil` for one attempt.
  public package(set) var retry: RetryPolicy? {
    get { values?.attributes.retry }
    set { attributes.retry = newValue }
  }

  /// The manifest's comment on the step; `nil` for none.
  public package(set) var comment: String? {
    get { values?.attributes.comment }
    set { attributes.comment = newValue }
  }

  /// The condition that makes the step unnecessary; `nil` for none.
  package var unless: UnlessCondition? { values?.attributes.unless }

  /// The timeout of one attempt; `nil` for none. A timeout below a nanosecond is a nanosecond.
  public package(set) var timeout: Duration? {
    get { (values?.attributes.timeout).map { max(.nanoseconds(1), $0) } }
    set { attributes.timeout = newValue }
  }

  /// The time budget; `nil` for none.
  public package(set) var budget: Duration? {
    get { values?.attributes.budget }
    set { attributes.budget = newValue }
  }

  /// The nanoseconds of ``timeout``.
  package var timeoutTime: Int64? { timeout?.nanoseconds }

  /// The nanoseconds of ``budget``.
  package var budgetTime: Int64? { budget?.nanoseconds }
}

/// The lane of a step, and the kind of execution that its command needs.
package struct StepPlacement: Sendable, Hashable {
  package let lane: Lane
  package var kind = StepKind.synchronous

  /// True if the step only waits, for example for a port, and takes no slot of `jobs`.
  package var takesNoSlot: Bool { kind == .slotless }

  /// True if the step runs as a task, which takes no slot of `jobs` and does not occupy the main lane.
  package var isTask: Bool { kind == .asynchronous }

  /// True if the step occupies the main lane while it runs. A task does not: other steps run while it is suspended.
  package var usesMainLane: Bool { lane == .main && !isTask }

  /// True if the step counts as one of `jobs` while it runs.
  package var takesSlot: Bool { lane == .background && kind.takesSlot }

  /// True if the step runs on the main thread, where it cannot be interrupted.
  var isUninterruptible: Bool { kind == .synchronous && lane == .main }
}

extension StepOutline {
  /// Evaluates the step's condition again. Skips the step if the condition does not hold, and stops skipping it if it
  /// holds.
  ///
  /// A step that is skipped for another reason stays skipped.
  package mutating func applyCondition(_ facts: LaunchCondition.Facts) {
    switch skip {
    case nil, .condition: break
    case .excluded, .dependency, .stopped, .unnecessary, .safeMode: return
    }
    skip = attributes.condition?.obstacle(facts).map(SkipReason.condition)
  }
}

extension LaunchCondition.Facts {
  package init(options: LaunchOptions, environment: LaunchEnvironment) {
    self.init(
      platform: Host.platform, options: options, isFirstLaunch: environment.isFirstLaunch,
      firstLaunchProblem: environment.firstLaunchProblem, variable: { environment.variable($0) })
  }
}

/// The manifest of a launch: its name, and the locations of its steps.
///
/// A plan has the manifest's text. A record that was read has only the facts that it stores.
package struct ManifestReference: Sendable {
  package let name: String
  /// The text of the manifest of a plan; `nil` if a record was read.
  package let text: SourceText?
  /// The digest that a record stores; `nil` if it has none, or if this is a plan's reference.
  package let storedDigest: String?
  /// The locations of the steps that a record stores.
  package let storedLocations: [SourceLocation?]

  /// Creates a reference to the text of a manifest.
  package init(_ text: SourceText) {
    name = text.name
    self.text = text
    storedDigest = nil
    storedLocations = []
  }

  /// Creates a reference from the facts that a record stores.
  ///
  /// - Parameter locations: The locations of the steps, one element for each step.
  package init(name: String, digest: String?, locations: [SourceLocation?] = []) {
    self.name = name
    text = nil
    storedDigest = digest
    storedLocations = locations
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
      masked.steps[index].attributes = steps[index].attributes.masked(by: secrets)
    }
    return masked
  }
}

extension LaunchOutline {
  /// The number of steps and the ids of the first ones, for example `3 steps: database, sync, screen`.
  var stepList: String {
    isEmpty ? "no steps" : "\(count) \(count == 1 ? "step" : "steps"): \(map(\.id).listed(atMost: 20))"
  }
}

extension LaunchOutline {
  /// Returns whether two launches have the same steps with the same predecessors, at the same indices.
  package func hasSameSteps(as other: LaunchOutline) -> Bool {
    indices == other.indices
      && indices.allSatisfy { step in
        self[step].id == other[step].id && Set(predecessors(of: step)) == Set(other.predecessors(of: step))
      }
  }
}
