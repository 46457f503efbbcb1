import AppBootSystem

/// Runs a plan once, and records what happens.
///
/// The synchronous ``run()`` works on the calling thread; the asynchronous one on the caller's actor.
/// Both behave alike and share one coordinator.
public final class StartupRunner: Sendable {
  /// Options for a run.
  public struct Configuration: Sendable {
    /// The number of steps that run at once off the main lane; `nil` for the number of processors that this process
    /// may use.
    public var jobs: Int?
    /// The receivers of the events.
    public var observers: [any StartupObserver] = []
    /// Recorded durations of the steps in nanoseconds by id: the step with the longest remaining path starts first.
    public var history: [String: Int64] = [:]
    /// The journal to write during the launch; without one, a killed launch leaves no record.
    public var journal: LaunchJournal?
    /// The tool and the machine for the record; with a journal, a missing machine is filled in.
    package var header = RecordHeader()
    /// True to measure the CPU time of each step, at two system calls a step.
    public var measuresCPUTime = false
    /// The default grace period in nanoseconds.
    package static let defaultGrace: Int64 = 2_000_000_000

    /// The grace period of a cancelled step in nanoseconds; 2 s by default.
    public var grace: Int64 = Self.defaultGrace
    /// Called once if the main lane hangs for longer than `grace` after its timeout or a cancellation.
    ///
    /// It receives the complete record, on a thread of the engine. The program can only exit then.
    public var onHang: (@Sendable (StartupRecord) -> Void)?
    /// The receivers of the events that also read the record.
    package var recordObservers: [any RecordObserver] = []
    /// A hook into the service of the launch.
    package var watch: (any LaunchWatcher)?
    /// Called once the journal is open and before the first step starts, with the launch as it will run.
    package var onOpen: (@Sendable (LaunchOutline) -> Void)?

    /// Creates a configuration with its defaults.
    public init() {}
  }

  private let plan: StartupPlan
  private let configuration: Configuration
  private let stage = Lock(Stage.idle(nil))

  /// The stage of the runner: it waits for `run()`, opens the journal, or drives its one launch.
  ///
  /// A reason to cancel that comes before the launch is stored until then.
  private enum Stage: Sendable {
    case idle(CancelReason?)
    case opening(CancelReason?)
    case launched(Launch)
  }

  /// A launch, from the moment at which its journal is open.
  private struct Launch: Sendable {
    let session: LaunchSession
    /// `nil` for a launch that runs inline.
    let engine: LaunchEngine?

    func cancel(_ reason: CancelReason) {
      session.stop(reason)
      engine?.cancel(reason)
    }
  }

  /// Creates a runner for one launch of the plan; nothing is opened or started before `run()`.
  public init(_ plan: StartupPlan, configuration: Configuration = Configuration()) {
    self.plan = plan
    self.configuration = configuration
  }

  /// Opens the journal and creates the driver of the launch; `nil` if the launch has begun before.
  ///
  /// The launch guard may put the launch into safe mode.
  private func launch() -> Launch? {
    let isFirst = stage.withLock { stage -> Bool in
      guard case .idle(let reason) = stage else { return false }
      stage = .opening(reason)
      return true
    }
    guard isFirst else { return nil }
    var header = configuration.header
    if configuration.journal != nil, header.host == nil { header.host = .current() }
    plan.learnSecrets()
    let plan = configuration.journal?.open(for: plan, header: header) ?? plan
    configuration.onOpen?(plan.outline)
    let isInline = InlineSequence.canRun(plan, configuration)
    let recorder = LaunchRecorder(
      outline: plan.outline, observers: configuration.observers,
      recordObservers: configuration.recordObservers, journal: configuration.journal, header: header,
      secrets: plan.environment.secrets, keepsExecutions: !isInline)
    let session = LaunchSession(plan: plan, recorder: recorder, measuresCPU: configuration.measuresCPUTime)
    let engine =
      isInline
      ? nil : LaunchEngine(plan: plan, configuration: configuration, recorder: recorder, session: session)
    let launch = Launch(session: session, engine: engine)
    let reason = stage.withLock { stage -> CancelReason? in
      defer { stage = .launched(launch) }
      if case .opening(let reason) = stage { return reason }
      return nil
    }
    if let reason { launch.cancel(reason) }
    return launch
  }

  /// Runs the plan on the calling thread and returns when every step has ended.
  ///
  /// A runner runs its plan once: a second call returns the record so far. Asynchronous commands run as tasks
  /// meanwhile. A command that needs the main actor cannot make progress while this call blocks the main thread: run
  /// the plan with the asynchronous form.
  public func run() -> StartupRecord {
    guard let launch = launch() else { return snapshot().record }
    return launch.engine?.run() ?? InlineSequence.run(launch.session, grace: configuration.grace)
  }

  /// Runs the plan; main-lane steps run on the caller's actor, and cancelling the task cancels the launch.
  ///
  /// A runner runs its plan once: a second call returns the record so far.
  public func run(isolation: isolated (any Actor)? = #isolation) async -> StartupRecord {
    guard let launch = launch() else { return snapshot().record }
    return await withTaskCancellationHandler {
      if let engine = launch.engine { return await engine.run(isolation: isolation) }
      return InlineSequence.run(launch.session, grace: configuration.grace)
    } onCancel: {
      launch.cancel(.requested("the task was cancelled"))
    }
  }

  /// Cancels the launch: running steps are cancelled, waiting steps never start, and `run()` returns soon.
  ///
  /// - Parameter reason: The reason for the record; the first one counts.
  public func cancel(_ reason: String) {
    let launch = stage.withLock { stage -> Launch? in
      switch stage {
      case .idle(let earlier): stage = .idle(earlier ?? .requested(reason))
      case .opening(let earlier): stage = .opening(earlier ?? .requested(reason))
      case .launched(let launch): return launch
      }
      return nil
    }
    launch?.cancel(.requested(reason))
  }

  private var current: Launch? {
    stage.withLock { if case .launched(let launch) = $0 { launch } else { nil } }
  }

  /// Records that the app is up: what happens from now on does not count against the launch.
  ///
  /// A launch that reaches its end is healthy without this call.
  public func markHealthy() { current?.session.recorder.markHealthy() }

  /// Kills every process of the launch, for a program that exits without waiting for the launch. Then waits for the
  /// journal, at most for half a second.
  package func endProcesses() {
    current?.engine?.operations?.stopAll()
    current?.session.recorder.settleJournal(within: 500_000_000)
  }

  /// Facts about the running processes that the record does not contain.
  package var processes: RunningProcesses {
    let engine = current?.engine
    return RunningProcesses(
      stopping: engine?.monitor.withLock { $0.coordinator.stopping } ?? [],
      unfinishedLines: engine?.operations?.unfinishedLines() ?? [:])
  }

  /// Returns the record so far and the nanoseconds since the launch began; an empty record and 0 before `run()`.
  public func snapshot() -> (record: StartupRecord, time: Int64) {
    guard let recorder = current?.session.recorder else {
      return (StartupRecord(outline: plan.outline.masked(by: plan.environment.secrets), startedAt: ""), 0)
    }
    return (recorder.snapshot(), recorder.now())
  }
}
