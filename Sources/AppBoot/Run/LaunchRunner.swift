package import AppBootBase

/// A runner that runs a plan once, and records the launch.
///
/// Main-lane steps run on the main thread. The asynchronous `run` suspends its caller meanwhile, and ``runBlocking()``
/// blocks it. Otherwise both behave in the same way.
public final class LaunchRunner: Sendable {
  /// Options for a run.
  public struct Configuration: Sendable {
    /// The maximum number of threads and processes off the main lane; `nil` for the number of usable processors.
    ///
    /// Asynchronous commands do not count, nor do steps that only wait, for example for a port.
    public var jobs: Int?
    /// The maximum number of asynchronous commands that run at the same time; `nil` for no limit.
    public var tasks: Int?
    /// The observers, which receive the events.
    public var observers: [any LaunchObserver] = []
    /// The recorded durations of the steps, by step id.
    ///
    /// The ready step with the longest remaining path starts first. Without durations, steps start in manifest order.
    public var history: [String: Duration] {
      get { historyTimes.mapValues(Duration.nanoseconds) }
      set { historyTimes = newValue.mapValues(\.nanoseconds) }
    }
    /// The nanoseconds of ``history``.
    package var historyTimes: [String: Int64] = [:]
    /// The rank of each step, in place of the longest path. With one job, one step runs at a time, over all lanes.
    package var ranks: [Int32]?
    /// True if one step runs at a time, over all lanes, in the order of the ranks.
    var isSerial: Bool { ranks != nil && slots == 1 }
    /// The number of threads and processes that run at once off the main lane.
    var slots: Int { max(1, jobs ?? Host.usableProcessorCount) }
    /// The destination of the events; `nil` for none. `AppBootRecords` adds `journal`, which sets it.
    package var sink: (any LaunchSink)?
    /// The thread that writes to the launch's sink, for a run of event handlers; `nil` for a launch.
    ///
    /// A handler's process starts after this thread has written, or after 100 ms.
    package var sinkThread: BackgroundJob?
    /// The tool and the machine for the record. `journal` sets the machine.
    package var header = RecordHeader()
    /// True to measure the CPU time of each step. It costs two system calls for each step.
    public var measuresCPUTime = false
    /// The default grace period in nanoseconds.
    package static let defaultGrace: Int64 = 2_000_000_000

    /// The grace period of a cancelled step; 2 s by default.
    public var grace = Duration.nanoseconds(Self.defaultGrace)
    /// A function that is called once if the main lane hangs for longer than ``grace`` after a timeout or a
    /// cancellation.
    ///
    /// It receives the complete record, and runs on a thread of the engine. The program must exit then. `nil` makes
    /// the launch wait.
    public var onHang: (@Sendable (LaunchRecord) -> Void)?
    /// A function that returns whether synchronous background steps can use the main actor. The synchronous `run` then
    /// serves it for them.
    package var servesMainActor: @Sendable () -> Bool = { true }
    /// The observers that receive the events together with the record.
    package var recordObservers: [any RecordObserver] = []
    /// A function that makes the operations of the launch; `nil` to use the function that its commands declare.
    package var makeOperations: LaunchOperationsMaker?
    /// True to store that a launch has succeeded: a later launch with the same state is then not the first one.
    package var marksFirstLaunch = true
    /// A function that is called once after the sink was opened, and before the first step starts; `nil` for none.
    ///
    /// It receives the outline of the launch as it will run, which may be in safe mode.
    package var onOpen: (@Sendable (LaunchOutline) -> Void)?

    /// Creates a configuration with default values.
    public init() {}
  }

  private let plan: LaunchPlan
  private let configuration: Configuration
  private let state = Lock(State())

  private struct State: Sendable {
    var hasBegun = false
    /// The reason to cancel that arrived before the launch.
    var earlyReason: CancelReason?
    /// The engine of the launch; `nil` until the sink is open.
    var engine: LaunchEngine?
  }

  /// Creates a runner for one launch of a plan. Nothing is opened or started before it runs.
  public init(_ plan: LaunchPlan, configuration: Configuration = Configuration()) {
    self.plan = plan
    self.configuration = configuration
  }

  /// Opens the sink and creates the engine of the launch; returns `nil` if the launch has already begun, or if
  /// nothing keeps its services.
  ///
  /// The launch guard may put the launch into safe mode.
  private func open() -> LaunchEngine? {
    guard plan.unkeptService == nil else { return nil }
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return nil }
    var configuration = configuration
    if configuration.header.host != nil {
      configuration.header.processors = Host.usableProcessorCount
      configuration.header.jobs = configuration.slots
      configuration.header.isSerial = configuration.isSerial
    }
    plan.learnSecrets()
    let secrets = plan.environment.secrets
    configuration.header.labels = configuration.header.labels.map {
      LaunchLabel($0.name, secrets.masking($0.value))
    }
    var plan = plan
    if let sink = configuration.sink {
      plan.outline = sink.open(for: plan.outline, masking: secrets, header: configuration.header)
    }
    configuration.onOpen?(plan.outline)
    let engine = LaunchEngine(plan: plan, configuration: configuration)
    let reason = state.withLock { state in
      state.engine = engine
      return state.earlyReason
    }
    if let reason { engine.cancel(reason) }
    return engine
  }

  /// Runs the plan, and blocks the calling thread until all steps have ended. Returns the record.
  ///
  /// Main-lane steps run on the main thread. If another thread calls it, the main thread must be free for them. If a
  /// task calls it, in a function that is not asynchronous, they run on the calling thread, and asynchronous commands
  /// need another thread of Swift's pool.
  ///
  /// Asynchronous commands run as tasks meanwhile. A runner runs its plan once: a second call runs nothing, and returns
  /// a cancelled record with that reason.
  ///
  /// On the main thread this call also runs the jobs of the main actor while it waits, so that commands can use the
  /// main actor. Code of other tasks can therefore run before the call returns, as in the run loop of a modal window.
  ///
  /// In a task of the main actor, this call blocks that actor. If a command is asynchronous, it runs nothing, and
  /// returns a cancelled record with that reason. Use the asynchronous `run` instead. A block of the main queue that a
  /// run loop serves is not detected: a command that uses the main actor then waits until its timeout.
  @available(*, noasync, message: "use await run()")
  public func runBlocking() -> LaunchRecord {
    if plan.runsTasks, MainQueue.isBlockedByCaller { return refusal(Self.blockedMainActor) }
    return open().map { ended($0.run()) } ?? refusal()
  }

  /// Runs the plan, and returns the record when all steps have ended. Main-lane steps run on the main actor.
  ///
  /// The main thread must be free for main-lane steps. If it is blocked until this call returns, the call never does.
  ///
  /// Cancelling the task cancels the launch. A runner runs its plan once: a second call runs nothing, and returns a
  /// cancelled record with that reason.
  public func run(isolation: isolated (any Actor)? = #isolation) async -> LaunchRecord {
    guard let engine = open() else { return refusal() }
    return await withTaskCancellationHandler {
      ended(await engine.run(isolation: plan.hasMainWork ? MainActor.shared : isolation))
    } onCancel: {
      engine.cancel(.requested("the task was cancelled"))
    }
  }

  /// Stores that the launch has succeeded, and returns its record.
  private func ended(_ record: LaunchRecord) -> LaunchRecord {
    // A state that cannot be written only makes the next launch a first one.
    if record.succeeded, configuration.marksFirstLaunch { try? FirstLaunch.markSucceeded(plan) }
    return record
  }

  private static let blockedMainActor =
    "this synchronous call blocks the main actor, which asynchronous steps may need: use await run()"

  /// Returns the record of a launch that is refused.
  ///
  /// - Parameter reason: The reason. With `nil`, the reason is that nothing keeps the plan's services, or else that the
  ///   runner has already run its plan.
  private func refusal(_ reason: String? = nil) -> LaunchRecord {
    var coordinator = Coordinator(plan: plan, jobs: 1, grace: 0)
    let service = plan.unkeptService.map {
      "\"\($0)\" is a service, which this launch cannot keep: run the plan with ServiceRunner, LifecycleHost or "
        + "CommandLineTool"
    }
    let reason =
      reason ?? service ?? "this runner has already run its plan: create a LaunchRunner for each launch"
    _ = coordinator.cancel(.requested(reason), at: 0)
    coordinator.begin(at: 0)
    var record = LaunchRecord(
      outline: plan.outline.masked(by: plan.environment.secrets), startedAt: WallClock.timestamp())
    for event in coordinator.takeEvents() { record.apply(event) }
    return record
  }

  /// Runs the plan on the calling thread, as ``runBlocking()`` does. Returns the record with the values of the
  /// commands.
  ///
  /// - Throws: ``LaunchFailed`` if the launch did not succeed.
  @available(*, noasync, message: "use await launch()")
  public func launchBlocking() throws(LaunchFailed) -> CompletedLaunch { try completed(runBlocking()) }

  /// Runs the plan, as the asynchronous `run` does. Returns the record with the values of the commands.
  ///
  /// - Throws: ``LaunchFailed`` if the launch did not succeed.
  public func launch(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(LaunchFailed) -> CompletedLaunch {
    try completed(await run())
  }

  private func completed(_ record: LaunchRecord) throws(LaunchFailed) -> CompletedLaunch {
    guard record.succeeded, let launch = completed(with: record) else { throw LaunchFailed(record: record) }
    return launch
  }

  /// Returns a record of this launch together with the values of its commands; `nil` if it has not begun.
  package func completed(with record: LaunchRecord) -> CompletedLaunch? {
    current.map { CompletedLaunch(record, $0.session.values, of: plan) }
  }

  /// Cancels the launch. Running steps are cancelled, waiting steps never start, and `run()` returns soon.
  ///
  /// Do not call this from an observer of the launch: the call would wait for that observer, and never return.
  ///
  /// - Parameter reason: The reason for the record. If it is called twice, the first reason counts.
  public func cancel(_ reason: String) {
    let engine = state.withLock { state in
      if state.engine == nil { state.earlyReason = state.earlyReason ?? .requested(reason) }
      return state.engine
    }
    engine?.cancel(.requested(reason))
  }

  private var current: LaunchEngine? { state.withLock(\.engine) }

  /// Records that the app is healthy. A later crash then does not count as a crash of the launch.
  ///
  /// A launch that reaches its end is healthy without this call. Do not call this from an observer of the launch: the
  /// call would wait for that observer, and never return.
  public func markHealthy() { current?.session.recorder.markHealthy() }

  /// Kills all processes of the launch. Use it if the program exits without waiting for the launch.
  ///
  /// Then it waits until the sink is written, at most half a second, and the logs, at most 100 ms.
  ///
  /// - Parameter reason: The reason for the record of a running launch, for example a signal.
  package func endProcesses(_ reason: String? = nil) {
    if let reason { current?.session.recorder.recordEnd(by: reason) }
    current?.operations?.stopAll()
    current?.session.recorder.settleSink(within: 500_000_000)
    plan.environment.host.logs?.settle(within: 100_000_000)
  }

  /// The steps whose process was asked to stop and has not exited. Each occupies its slot until then.
  package var stoppingSteps: [Int] { current?.monitor.withLock { $0.coordinator.stopping } ?? [] }

  /// The output of each process after its last complete line, by step.
  package var unfinishedLines: [Int: String] { current?.operations?.unfinishedLines() ?? [:] }

  /// For each step whose process cannot start yet, the system limit that prevents it.
  package var delays: [Int: String] { current?.operations?.delays() ?? [:] }

  /// Returns the record so far, and the time since the launch began. Before `run()`, they are an empty record and zero.
  ///
  /// Do not call this from an observer of the launch: the call would wait for that observer, and never return.
  public func snapshot() -> (record: LaunchRecord, time: Duration) {
    guard let recorder = current?.session.recorder else {
      return (LaunchRecord(outline: plan.outline.masked(by: plan.environment.secrets), startedAt: ""), .zero)
    }
    return (recorder.snapshot(), .nanoseconds(recorder.now()))
  }

  /// Calls a function with the record so far. Observers receive later events after the call.
  package func withRecord(_ body: (LaunchRecord) -> Void) {
    guard let recorder = current?.session.recorder else { return body(snapshot().record) }
    recorder.withRecord(body)
  }
}

extension LaunchPlan {
  /// The id of the first step that starts a service which nothing keeps; `nil` if there is none.
  fileprivate var unkeptService: String? {
    guard environment.host.services == nil, slotlessCount > 0 else { return nil }
    return outline.indices.first {
      outline[$0].placement.takesNoSlot && outline[$0].skip == nil && polledCommand($0)?.startsService == true
    }.map { outline[$0].id }
  }
}

/// A launch that succeeded: its record, and the values that its commands provided.
///
/// ```swift
/// let launch = try await plan.launch()
/// let database = try launch.require(.database)
/// ```
public struct CompletedLaunch: Sendable {
  /// The record of the launch.
  public let record: LaunchRecord
  private let values: ContextValues
  private let plan: LaunchPlan

  package init(_ record: LaunchRecord, _ values: ContextValues, of plan: LaunchPlan) {
    (self.record, self.values, self.plan) = (record, values, plan)
  }

  /// Returns the value for a key; `nil` if no step has provided a value of the key's type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? { values[key.name] as? Value }

  /// Returns the value for a key.
  ///
  /// - Throws: ``ContextValueError`` if no step has provided the value, or if it has another type.
  public func require<Value>(_ key: ContextKey<Value>) throws(ContextValueError) -> Value {
    try values.require(key) { plan.providers(of: key.name) { record[$0].state } }
  }
}

/// An error that reports that a launch did not succeed. It has the record of the launch.
public struct LaunchFailed: Error, CustomStringConvertible {
  /// The record of the launch.
  public let record: LaunchRecord

  /// Creates the error of a launch that did not succeed.
  public init(record: LaunchRecord) { self.record = record }

  /// The error message: the reason why the launch ended, and the failure of each step and of each undo.
  public var description: String {
    let failures = record.failures.compactMap { step in
      step.state.failure.map { "\"\(step.id)\": \($0.message)" }
    }
    let undos = record.compactMap { step in
      step.details.undo?.failure.map { "the undo of \"\(step.id)\": \($0.message)" }
    }
    return ([reason] + failures + cancellations + undos).joined(separator: "; ")
  }

  /// The steps whose commands cancelled themselves.
  private var cancellations: [String] {
    record.filter { $0.state == .cancelled(.selfCancelled) }.map {
      "\"\($0.id)\": \(CancelReason.selfCancelled.text): it threw CancellationError"
    }
  }

  /// The ids of the steps that the timeout of the launch has ended.
  private var interrupted: [String] {
    record.filter { $0.state == .cancelled(.deadline) && $0.execution.startTime != nil }.map(\.id)
  }

  private var reason: String {
    switch record.outcome {
    case .running: "the launch did not finish"
    case .succeeded, .failed: "the launch failed"
    case .timedOut:
      "the launch timed out\(interrupted.isEmpty ? "" : "; still running: \(interrupted.listed(atMost: 5))")"
    case .cancelled(let cause): "the launch was cancelled: \(cause)"
    }
  }
}

extension LaunchPlan {
  /// Runs the plan, and blocks the calling thread until all steps have ended. Returns the record.
  ///
  /// Main-lane steps run on the main thread. If a task calls it, they run on the calling thread: use the asynchronous
  /// `run` there. See ``LaunchRunner/runBlocking()``.
  @available(*, noasync, message: "use await run()")
  public func runBlocking() -> LaunchRecord { LaunchRunner(self).runBlocking() }

  /// Runs the plan, and returns the record when all steps have ended. Main-lane steps run on the main actor.
  public func run(isolation: isolated (any Actor)? = #isolation) async -> LaunchRecord {
    await LaunchRunner(self).run()
  }

  /// Runs the plan as ``runBlocking()`` does. Returns the record with the values that the commands provided.
  ///
  /// - Throws: ``LaunchFailed`` if the launch did not succeed.
  @available(*, noasync, message: "use await launch()")
  public func launchBlocking() throws(LaunchFailed) -> CompletedLaunch {
    try LaunchRunner(self).launchBlocking()
  }

  /// Runs the plan. Returns the record with the values that the commands provided. Main-lane steps run on the main
  /// actor.
  ///
  /// - Throws: ``LaunchFailed`` if the launch did not succeed.
  public func launch(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(LaunchFailed) -> CompletedLaunch {
    try await LaunchRunner(self).launch()
  }
}
