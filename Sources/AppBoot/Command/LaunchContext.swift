import AppBootSystem
import Synchronization

/// What a command may touch while it executes; it is good for that command's own step only.
public struct LaunchContext: Sendable {
  let session: LaunchSession
  let step: Int
  let attempt: Int

  /// Why and with what the app was launched.
  public var launch: LaunchOptions { session.plan.options }

  /// The id of the step that the command runs as.
  public var stepID: String { session.plan[step].id }

  /// The window that the app set, if any.
  public var window: (any AppWindow)? { session.plan.environment.window }

  /// What survives launches.
  public var state: any StateStore { session.plan.environment.state }

  /// Whether no earlier launch with this state booted.
  public var isFirstLaunch: Bool { session.plan.environment.isFirstLaunch }

  /// The value of an environment variable.
  public func environment(_ name: String) -> String? { session.plan.environment.variable(name) }

  /// The directory that relative paths in the manifest are relative to.
  public var directory: String { session.plan.environment.directory }

  package var thirdParties: [String: ThirdPartyInitializer] { session.plan.environment.thirdParties }

  // MARK: - Telling

  /// Leaves the one-line result that is shown beside the command; the last one counts.
  public func note(_ text: String) {
    session.recorder.record(.noted(step: step, text: text), from: step, attempt: attempt)
  }

  /// Passes on a line that the command's work printed.
  public func say(_ line: String) {
    session.recorder.record(.said(step: step, line: line), from: step, attempt: attempt)
  }

  /// Emits a lifecycle event: it is recorded, and a `LifecycleHost` handles it after the launch.
  public func emit(_ event: String, payload: String? = nil) {
    session.recorder.record(
      .emitted(step: step, event: event, payload: payload), from: step, attempt: attempt)
  }

  /// Says that what the command was run for is none of its business: a URL of somebody else's, for instance.
  ///
  /// The step succeeds all the same. A list for an event of which every step that ran declined answers as one of which nothing ran.
  public func decline() {
    session.recorder.record(.declined(step: step), from: step, attempt: attempt)
  }

  // MARK: - Values

  /// Provides a value to the commands that come after; a second one takes the first one's place.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    session.values.provide(value, as: key.name)
    session.recorder.record(.valueProvided(step: step, name: key.name), from: step, attempt: attempt)
  }

  /// The value, or `nil` where nobody has provided one of this type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    let value = session.values[key.name] as? Value
    session.recorder.record(
      .valueRead(step: step, name: key.name, found: value != nil), from: step, attempt: attempt)
    return value
  }

  /// The value.
  ///
  /// - Throws: ``MissingContextValue``, which names who could provide it; ``ContextValueMismatch``.
  public func require<Value>(_ key: ContextKey<Value>) throws -> Value {
    let found = session.values[key.name]
    session.recorder.record(
      .valueRead(step: step, name: key.name, found: found != nil), from: step, attempt: attempt)
    guard let found else {
      throw MissingContextValue(name: key.name, providers: session.plan.providers(of: key.name))
    }
    guard let value = found as? Value else {
      throw ContextValueMismatch(name: key.name, expected: "\(Value.self)", found: "\(type(of: found))")
    }
    return value
  }

  /// The value of that name as text, for `{placeholders}`; `nil` where nobody has provided one.
  ///
  /// It counts neither as read nor as missed.
  public func text(of name: String) -> String? {
    session.values[name].map { String(describing: $0) }
  }

  /// The names of the values that were provided so far.
  public var valueNames: [String] { session.values.all.keys.sorted() }

  // MARK: - Spans

  /// Times a part of the command's work; spans may nest.
  public func measure<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    guard let span = beginSpan(name) else { return try body() }
    do {
      let result = try SpanScope.$current.withValue(scope(span)) { try body() }
      endSpan(span, nil)
      return result
    } catch {
      endSpan(span, error)
      throw error
    }
  }

  /// Times a part of the command's work that suspends; spans may nest.
  public func measure<Result>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let span = beginSpan(name) else { return try await body() }
    do {
      let result = try await SpanScope.$current.withValue(scope(span)) { try await body() }
      endSpan(span, nil)
      return result
    } catch {
      endSpan(span, error)
      throw error
    }
  }

  private func beginSpan(_ name: String) -> Int? {
    let around = SpanScope.current
    let parent = around?.session == ObjectIdentifier(session) && around?.step == step ? around?.span : nil
    return session.recorder.beginSpan(name, parent: parent, in: step, attempt: attempt)
  }

  private func scope(_ span: Int) -> SpanScope {
    SpanScope(session: ObjectIdentifier(session), step: step, span: span)
  }

  private func endSpan(_ span: Int, _ error: (any Error)?) {
    let text = error.map { String(describing: $0) }
    session.recorder.record(.spanEnded(step: step, span: span, error: text), from: step, attempt: attempt)
  }

  // MARK: - The launch guard

  /// Whether this launch is careful: the last ones died, or somebody asked for it.
  ///
  /// A culprit whose policy is `stop` runs all the same; it can do without what may have killed it.
  public var isSafeMode: Bool { session.plan.safeMode != nil }

  /// The id of the step in which the last launches died; `nil` where there is none, or nobody knows.
  public var safeModeCulprit: String? { session.plan.safeMode?.culprits.first }

  /// Says that the app is up: what happens to it from now on does not count against the launch.
  ///
  /// A launch that reaches its end is healthy without it.
  public func markHealthy() { session.recorder.markHealthy() }

  // MARK: - Cancellation

  /// Whether the command was told to stop: the launch was cancelled, or the step passed its limit.
  public var isCancelled: Bool { session.isCancelled(step: step, attempt: attempt) }

  /// Ends the command early where it was told to stop.
  ///
  /// - Throws: `CancellationError`.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
}

/// The span around the code that runs, so that spans nest in tasks and on threads alike.
struct SpanScope: Sendable {
  let session: ObjectIdentifier
  let step: Int
  let span: Int

  @TaskLocal static var current: SpanScope?
}

/// What the steps of one launch share.
final class LaunchSession: Sendable {
  let plan: StartupPlan
  let recorder: LaunchRecorder
  let values: ContextValues
  private let measuresCPU: Bool
  private let isStopped = Atomic<Bool>(false)
  private let stopReason = Lock<CancelReason?>(nil)
  private let interrupted = Lock(Interrupted())

  /// A type of its own, so that a launch makes no generic metadata for the set before it needs one (Docs/performance.md).
  private struct Interrupted { var works: Set<EngineWork> = [] }

  init(plan: StartupPlan, recorder: LaunchRecorder, measuresCPU: Bool = false) {
    self.plan = plan
    self.recorder = recorder
    values = plan.environment.values ?? ContextValues()
    self.measuresCPU = measuresCPU
  }

  func context(step: Int, attempt: Int) -> LaunchContext {
    LaunchContext(session: self, step: step, attempt: attempt)
  }

  /// Executes synchronous work on the calling thread.
  func execute(_ work: EngineWork) -> Result<Void, any Error> {
    guard measuresCPU else { return executeUnmeasured(work) }
    let start = ThreadClock.now()
    defer { recorder.addCPUTime(ThreadClock.now() &- start, of: work.step) }
    return executeUnmeasured(work)
  }

  /// Takes note of the processor time that was used elsewhere for a step.
  func addCPUTime(_ time: Int64?, of work: EngineWork) {
    if measuresCPU, let time { recorder.addCPUTime(time, of: work.step) }
  }

  private func executeUnmeasured(_ work: EngineWork) -> Result<Void, any Error> {
    let context = context(step: work.step, attempt: work.attempt)
    let command = plan.commands[work.step]
    return Result {
      try checkUse(of: work)
      if work.isUndo {
        try (command as? any UndoableCommand)?.undo(in: context)
      } else {
        try command.execute(in: context)
      }
    }
  }

  /// Refuses a command that was made in code without a parameter that it needs.
  func checkUse(of work: EngineWork) throws {
    if plan.stepTraits[work.step].isMisused, let misuse = plan[work.step].misuse { throw misuse }
  }

  /// Tells every step to stop; the first reason counts.
  func stop(_ reason: CancelReason) {
    stopReason.withLock { $0 = $0 ?? reason }
    isStopped.store(true, ordering: .releasing)
  }

  /// Why every step was told to stop; `nil` where none was.
  @inline(__always)
  var requestedStop: CancelReason? {
    isStopped.load(ordering: .acquiring) ? stopReason.withLock { $0 } : nil
  }

  /// Tells one attempt of a step to stop.
  func interrupt(_ work: EngineWork) {
    interrupted.withLock { _ = $0.works.insert(work) }
  }

  func isCancelled(step: Int, attempt: Int) -> Bool {
    if isStopped.load(ordering: .acquiring) { return true }
    let kind = plan[step].kind
    return interrupted.withLock {
      !$0.works.isEmpty && $0.works.contains(EngineWork(step: step, attempt: attempt, kind: kind))
    }
  }
}
