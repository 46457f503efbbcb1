import AppBootSystem

/// Runs a plan once, and records what happens.
///
/// The synchronous ``run()`` works on the calling thread; the asynchronous one on the caller's actor.
/// Both behave alike and share one coordinator.
public final class StartupRunner: Sendable {
  /// What a runner goes by, beside its plan.
  public struct Configuration: Sendable {
    /// How many steps run at once beside the main lane; the number of processors that this process may use where it is `nil`.
    public var jobs: Int?
    /// Who hears of the events.
    public var observers: [any StartupObserver] = []
    /// How long steps took in earlier launches, in nanoseconds by id: what to start first goes by it.
    public var history: [String: Int64] = [:]
    /// Where the launch is written down while it runs; without one, nothing is left of a launch that is killed.
    public var journal: LaunchJournal?
    /// What the record says of the tool and the machine; with a journal, the machine is asked for where it is missing.
    public var header = RecordHeader()
    /// Whether the processor time of each step is measured: two system calls a step.
    public var measuresCPUTime = false
    /// How long what is told to stop may go on, in nanoseconds; 2 s by default.
    public var grace: Int64 = 2_000_000_000
    /// Called where the main lane hangs past its limit, or past a cancellation, and `grace`.
    ///
    /// It gets the complete record and is for a program that can only exit now. It is called on a thread
    /// of the engine's own, once.
    public var onHang: (@Sendable (StartupRecord) -> Void)?
    /// What the service of the launch looks after beside its limits.
    package var watch: (any LaunchWatcher)?

    /// Creates a configuration with its defaults.
    public init() {}
  }

  /// The plan; with a journal, as the launch guard lets it run.
  public let plan: StartupPlan
  private let configuration: Configuration
  private let recorder: LaunchRecorder
  private let session: LaunchSession
  private let engine: LaunchEngine?

  /// Prepares a run of the plan.
  public init(_ plan: StartupPlan, configuration: Configuration = Configuration()) {
    var header = configuration.header
    if configuration.journal != nil, header.host == nil { header.host = .current() }
    let plan = configuration.journal?.open(for: plan, header: header) ?? plan
    self.plan = plan
    self.configuration = configuration
    let isInline = InlineSequence.canRun(plan, configuration)
    recorder = LaunchRecorder(
      plan: plan, observers: configuration.observers, journal: configuration.journal, header: header,
      keepsExecutions: !isInline)
    session = LaunchSession(plan: plan, recorder: recorder, measuresCPU: configuration.measuresCPUTime)
    engine =
      isInline
      ? nil
      : LaunchEngine(plan: plan, configuration: configuration, recorder: recorder, session: session)
  }

  /// Runs the plan on the calling thread, and returns when every step has ended.
  ///
  /// Asynchronous commands run as tasks meanwhile; one that needs the main actor cannot go on while the
  /// main thread is in here: give it to the asynchronous form.
  public func run() -> StartupRecord {
    engine?.run() ?? InlineSequence.run(session, grace: configuration.grace)
  }

  /// Runs the plan; main-lane steps run on the caller's actor, and cancelling the task cancels the launch.
  public func run(isolation: isolated (any Actor)? = #isolation) async -> StartupRecord {
    guard let engine else {
      return await withTaskCancellationHandler {
        InlineSequence.run(session, grace: configuration.grace)
      } onCancel: {
        cancel("the task was cancelled")
      }
    }
    return await withTaskCancellationHandler {
      await engine.run(isolation: isolation)
    } onCancel: {
      cancel("the task was cancelled")
    }
  }

  /// Tells the launch to stop: what runs is told, what waits is cancelled, and `run()` returns soon.
  ///
  /// - Parameter reason: Who or what asks for it, for the record.
  public func cancel(_ reason: String) {
    session.stop(.requested(reason))
    engine?.cancel(.requested(reason))
  }

  /// Says that the app is up: what happens to it from now on does not count against the launch.
  ///
  /// A launch that reaches its end is healthy without it.
  public func markHealthy() { recorder.markHealthy() }

  /// Ends every process of the launch by force: for a program that exits without waiting for it.
  package func endProcesses() { engine?.board?.stopAll() }

  /// What the record does not say of the processes under way.
  package var processes: RunningProcesses {
    RunningProcesses(
      stopping: engine?.monitor.withLock { $0.coordinator.stopping } ?? [],
      unfinishedLines: engine?.board?.unfinishedLines() ?? [:])
  }

  /// The record as it stands, while the launch is under way.
  public func snapshot() -> (record: StartupRecord, time: Int64) { (recorder.snapshot(), recorder.now()) }
}

/// Processes under way, by step.
package struct RunningProcesses: Sendable {
  /// Those that were told to stop and are not gone yet: each keeps its place until it is.
  package var stopping: [Int]
  /// What each has said since the last line that it ended.
  package var unfinishedLines: [Int: String]

  package init(stopping: [Int] = [], unfinishedLines: [Int: String] = [:]) {
    self.stopping = stopping
    self.unfinishedLines = unfinishedLines
  }
}
