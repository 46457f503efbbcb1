/// The context in which a command runs: the launch, its values and its events. Use it only while the command runs.
public struct LaunchContext: Sendable {
  package let session: LaunchSession
  package let step: Int
  /// The number of the attempt.
  package let attempt: Int
  /// True if the command is being undone.
  package let isUndo: Bool

  @inline(__always)
  init(session: LaunchSession, step: Int, attempt: Int, isUndo: Bool = false) {
    (self.session, self.step, self.attempt, self.isUndo) = (session, step, attempt, isUndo)
  }

  /// The reason why the app was launched, and the data that came with it.
  public var launch: LaunchOptions { session.outline.options }

  /// The id of the command's step.
  public var stepID: String { session.outline.steps[step].id }

  /// The app's window, an `AppWindow` of `AppBootLifecycle`; `nil` if there is none.
  package var windowObject: (any AnyObject & Sendable)? { session.environment.window }

  /// The state store, whose content is available to later launches.
  public var state: any StateStore { session.environment.state }

  /// True if this is the first launch: no earlier launch with this state has succeeded.
  public var isFirstLaunch: Bool { session.environment.isFirstLaunch }

  /// True if the rules of the step allow another attempt after this one.
  package var hasFurtherAttempt: Bool { attempt < session.outline[step].retry?.attempts ?? 1 }

  /// True if another attempt of the step follows, or has begun. Call it with no lock held.
  package var isTriedAgain: Bool { hasFurtherAttempt && !session.recorder.state(ofStep: step).hasEnded }

  /// Returns the value of an environment variable; `nil` if it is not set.
  public func environment(_ name: String) -> String? { session.environment.variable(name, ofStep: step) }

  /// The clock of the launch. A command waits with it, for example `try await context.clock.sleep(for: .seconds(5))`.
  public var clock: LaunchClock { LaunchClock(source: session.environment.host.clock) }

  /// The directory to which relative paths in the manifest are relative.
  public var directory: String { session.environment.directory }

  /// The id of the launch, made from its start time and its process.
  package var launchID: String { session.launchID }

  // MARK: - Secrets

  /// Adds a secret, for example a token that the command received. From now on the launch shows `***` in its place.
  ///
  /// A value of fewer than four bytes is not hidden. Text that was recorded or printed before does not change.
  public func addSecret(_ value: String) { secrets.add(value) }

  /// The secrets of the launch.
  package var secrets: Secrets { session.environment.secrets }

  // MARK: - Telling

  /// Records an event of this attempt. If the attempt has ended, the event is dropped.
  package func record(_ kind: LaunchEvent.Kind) {
    session.recorder.record(kind, from: step, attempt: attempt)
  }

  /// Sets the step's note, a one-line result that is shown next to the step. If it is set twice, the last text counts.
  public func note(_ text: String) {
    record(.noted(step: step, text: text))
  }

  /// Sets the step's announcement, a text that is shown at the end of a successful launch, for example a URL to open.
  ///
  /// If it is set twice, the last text counts.
  public func announce(_ text: String) {
    record(.announced(step: step, text: text))
  }

  /// Records a line that the command printed. It does not print the line.
  ///
  /// - Parameter stream: The stream of the line.
  public func output(_ line: String, stream: LaunchEvent.OutputStream = .stdout) {
    record(.output(.init(step: step, attempt: attempt, stream: stream, line: line)))
  }

  /// Emits a lifecycle event. The event is recorded, and a `LifecycleHost` handles it after the launch.
  ///
  /// A task that the command started can emit events after the command has ended. Once the launch has ended too, the
  /// host handles the event at once, or after the current one.
  ///
  /// - Throws: ``EmitError`` if the launch has ended and no host handles its events.
  public func emit(_ event: EventName, payload: String? = nil) throws(EmitError) {
    try emit(event.name, payload: payload)
  }

  /// Emits an event whose name is known only at run time, as ``emit(_:payload:)-(EventName,_)`` does.
  public func emit(_ event: String, payload: String? = nil) throws(EmitError) {
    try session.emit(event, payload: payload, from: step)
  }

  /// Declines the event whose handler the command is, for example a URL of another app.
  ///
  /// The step still succeeds. If all steps that ran decline the event, the event counts as not handled.
  public func decline() {
    record(.declined(step: step))
  }

  // MARK: - Values

  /// Provides a value to later commands. A second value for the key replaces the first one.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    session.values.provide(value, as: key.name)
    record(.valueProvided(step: step, name: key.name))
  }

  /// Returns the value for a key; `nil` if no step has provided a value of the key's type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    let value = session.values[key.name] as? Value
    record(.valueRead(.init(step: step, name: key.name, found: value != nil)))
    return value
  }

  /// Returns the value for a key.
  ///
  /// - Throws: ``ContextValueError`` if no step has provided the value, or if it has another type.
  public func require<Value>(_ key: ContextKey<Value>) throws -> Value {
    record(.valueRead(.init(step: step, name: key.name, found: session.values[key.name] != nil)))
    return try session.values.require(key) { session.providers(of: key.name) }
  }

  /// Returns the value with a name as text, for `{placeholders}`; `nil` if no step has provided it.
  ///
  /// Unlike ``value(for:)``, it does not record that the value was read.
  public func text(of name: String) -> String? {
    session.values[name].map { String(describing: $0) }
  }

  /// The names of the values that were provided so far, sorted.
  public var valueNames: [String] { session.values.all.keys.sorted() }

  // MARK: - Spans

  /// Runs a part of the command's work, and records its duration as a span with a name. Spans can nest.
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

  /// Runs a part of the command's work that suspends, and records its duration as a span with a name. Spans can nest.
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

  /// Begins a span; returns a function that ends it.
  package func startSpan(_ name: String) -> @Sendable () -> Void {
    let span = beginSpan(name)
    return { if let span { endSpan(span, nil) } }
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
    record(.spanEnded(.init(step: step, span: span, error: text)))
  }

  // MARK: - The launch guard

  /// True if this launch runs in safe mode, after crashes or on request.
  ///
  /// A culprit with the policy `stop` still runs, because the launch needs it. It can then avoid work that may have
  /// caused the crash.
  public var isSafeMode: Bool { session.outline.safeMode != nil }

  /// The id of the step in which the last launches crashed; `nil` for a normal launch, or if the step is unknown.
  public var safeModeCulprit: String? { session.outline.safeMode?.culprits.first }

  /// Reports that the app is healthy. A later crash then does not count as a crash of the launch.
  ///
  /// A launch that reaches its end is healthy without this call.
  public func markHealthy() { session.recorder.markHealthy() }

  // MARK: - Cancellation

  /// True if the command was cancelled, because the launch was cancelled or the step timed out.
  ///
  /// The timeout of a synchronous command on the main lane does not cancel the command.
  /// During an undo it is true if the undo timed out.
  public var isCancelled: Bool { session.isCancelled(step: step, attempt: attempt, isUndo: isUndo) }

  /// Throws an error if the command was cancelled, so that the command can end early.
  ///
  /// - Throws: `CancellationError`.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
}

/// The innermost open span of the running code. With it, spans nest correctly in tasks and on threads.
struct SpanScope: Sendable {
  let session: ObjectIdentifier
  let step: Int
  let span: Int

  @TaskLocal static var current: SpanScope?
}
