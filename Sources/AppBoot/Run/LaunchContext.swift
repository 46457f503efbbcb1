/// The context in which a command runs: the launch, its values and its events. Use it only while the command runs.
public struct LaunchContext: Sendable {
  package let host: any CommandHost
  package let step: Int
  /// The number of the attempt.
  package let attempt: Int
  /// True if the command is being undone.
  package let isUndo: Bool

  @inline(__always)
  init(host: any CommandHost, step: Int, attempt: Int, isUndo: Bool = false) {
    (self.host, self.step, self.attempt, self.isUndo) = (host, step, attempt, isUndo)
  }

  /// The reason why the app was launched, and the data that came with it.
  public var launch: LaunchOptions { host.options }

  /// The id of the command's step.
  public var stepID: String { host.id(ofStep: step) }

  /// The app's window, an `AppWindow` of `AppBootLifecycle`; `nil` if there is none.
  package var windowObject: (any AnyObject & Sendable)? { host.environment.window }

  /// The state store, whose content is available to later launches.
  public var state: any StateStore { host.environment.state }

  /// True if this is the first launch: no earlier launch with this state has succeeded.
  public var isFirstLaunch: Bool { host.environment.isFirstLaunch }

  /// Returns the value of an environment variable; `nil` if it is not set.
  public func environment(_ name: String) -> String? { host.environment.variable(name, ofStep: step) }

  /// The clock of the launch. A command waits with it, for example `try await context.clock.sleep(for: .seconds(5))`.
  public var clock: LaunchClock { LaunchClock(source: host.environment.clock) }

  /// The directory to which relative paths in the manifest are relative.
  public var directory: String { host.environment.directory }

  /// The id of the launch, made from its start time and its process.
  package var launchID: String { host.launchID }

  // MARK: - Secrets

  /// Adds a secret, for example a token that the command received. From now on the launch shows `***` in its place.
  ///
  /// A value of fewer than four bytes is not hidden. Text that was recorded or printed before does not change.
  public func addSecret(_ value: String) { secrets.add(value) }

  /// The secrets of the launch.
  package var secrets: Secrets { host.environment.secrets }

  // MARK: - Telling

  /// Sets the step's note, a one-line result that is shown next to the step. If it is set twice, the last text counts.
  public func note(_ text: String) {
    host.record(.noted(step: step, text: text), from: step, attempt: attempt)
  }

  /// Sets the step's announcement, a text that is shown at the end of a successful launch, for example a URL to open.
  ///
  /// If it is set twice, the last text counts.
  public func announce(_ text: String) {
    host.record(.announced(step: step, text: text), from: step, attempt: attempt)
  }

  /// Records a line that the command printed. It does not print the line.
  ///
  /// - Parameter stream: The stream of the line.
  public func output(_ line: String, stream: LaunchEvent.OutputStream = .stdout) {
    host.record(
      .output(step: step, attempt: attempt, stream: stream, line: line), from: step, attempt: attempt)
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
    try host.emit(event, payload: payload, from: step)
  }

  /// Declines the event whose handler the command is, for example a URL of another app.
  ///
  /// The step still succeeds. If all steps that ran decline the event, the event counts as not handled.
  public func decline() {
    host.record(.declined(step: step), from: step, attempt: attempt)
  }

  // MARK: - Values

  /// Provides a value to later commands. A second value for the key replaces the first one.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    host.values.provide(value, as: key.name)
    host.record(.valueProvided(step: step, name: key.name), from: step, attempt: attempt)
  }

  /// Returns the value for a key; `nil` if no step has provided a value of the key's type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    let value = host.values[key.name] as? Value
    host.record(
      .valueRead(step: step, name: key.name, found: value != nil), from: step, attempt: attempt)
    return value
  }

  /// Returns the value for a key.
  ///
  /// - Throws: ``ContextValueError`` if no step has provided the value, or if it has another type.
  public func require<Value>(_ key: ContextKey<Value>) throws -> Value {
    host.record(
      .valueRead(step: step, name: key.name, found: host.values[key.name] != nil), from: step,
      attempt: attempt)
    return try host.values.require(key) { host.providers(of: key.name, forStep: step) }
  }

  /// Returns the value with a name as text, for `{placeholders}`; `nil` if no step has provided it.
  ///
  /// Unlike ``value(for:)``, it does not record that the value was read.
  public func text(of name: String) -> String? {
    host.values[name].map { String(describing: $0) }
  }

  /// The names of the values that were provided so far, sorted.
  public var valueNames: [String] { host.values.all.keys.sorted() }

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
    let parent = around?.session == ObjectIdentifier(host) && around?.step == step ? around?.span : nil
    return host.beginSpan(name, parent: parent, in: step, attempt: attempt)
  }

  private func scope(_ span: Int) -> SpanScope {
    SpanScope(session: ObjectIdentifier(host), step: step, span: span)
  }

  private func endSpan(_ span: Int, _ error: (any Error)?) {
    let text = error.map { String(describing: $0) }
    host.record(.spanEnded(step: step, span: span, error: text), from: step, attempt: attempt)
  }

  // MARK: - The launch guard

  /// True if this launch runs in safe mode, after crashes or on request.
  ///
  /// A culprit with the policy `stop` still runs, because the launch needs it. It can then avoid work that may have
  /// caused the crash.
  public var isSafeMode: Bool { host.safeMode != nil }

  /// The id of the step in which the last launches crashed; `nil` for a normal launch, or if the step is unknown.
  public var safeModeCulprit: String? { host.safeMode?.culprits.first }

  /// Reports that the app is healthy. A later crash then does not count as a crash of the launch.
  ///
  /// A launch that reaches its end is healthy without this call.
  public func markHealthy() { host.markHealthy() }

  // MARK: - Cancellation

  /// True if the command was cancelled, because the launch was cancelled or the step timed out.
  ///
  /// The timeout of a synchronous command on the main lane does not cancel the command.
  /// During an undo it is true if the undo timed out.
  public var isCancelled: Bool { host.isCancelled(step: step, attempt: attempt, isUndo: isUndo) }

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

/// A running launch, as its commands use it through their ``LaunchContext``.
package protocol CommandHost: AnyObject, Sendable {
  /// The reason why the app was launched, and the data that came with it.
  var options: LaunchOptions { get }
  /// The window, the state, the variables and the libraries of the app.
  var environment: LaunchEnvironment { get }
  /// The context values that the launch's commands provide.
  var values: ContextValues { get }
  /// The outputs of steps that other steps of the same plan insert.
  var outputs: ContextValues { get }
  /// The launch's safe mode; `nil` for a normal launch.
  var safeMode: SafeMode? { get }

  /// The id of the launch, made from its start time and its process.
  var launchID: String { get }

  /// Returns the id of the step at an index.
  func id(ofStep step: Int) -> String

  /// Returns the timeout of a step in nanoseconds; `nil` for none.
  func timeout(ofStep step: Int) -> Int64?

  /// Returns the declared providers of a context value, which a step reads.
  func providers(of value: String, forStep step: Int) -> [ContextValueError.Provider]

  /// Records an event of an attempt. If the attempt has ended, the event is dropped.
  func record(_ kind: LaunchEvent.Kind, from step: Int, attempt: Int)

  /// Records an event that a command emits, or passes it to the host of the app after the launch.
  func emit(_ event: String, payload: String?, from step: Int) throws(EmitError)

  /// Records lines that an attempt printed.
  func record(_ lines: [OutputLine], from step: Int, attempt: Int)

  /// Records that the process of a step was killed with SIGKILL, even if the step has ended.
  ///
  /// - Parameter time: The nanoseconds since the process was asked to stop.
  func recordKill(of step: Int, after time: Int64)

  /// True if each line of output is used. Otherwise, it is enough to record the last line.
  var usesEveryLine: Bool { get }

  /// Begins a span. Returns its number within the step; `nil` if the attempt has ended.
  func beginSpan(_ name: String, parent: Int?, in step: Int, attempt: Int) -> Int?

  /// Returns a function that starts tasks for commands.
  func taskStart() -> TaskStart

  /// Records that the app is healthy, so that a later crash does not count as a crash of the launch.
  func markHealthy()

  /// Returns whether an attempt or an undo was cancelled.
  func isCancelled(step: Int, attempt: Int, isUndo: Bool) -> Bool
}

/// A function that starts a task, and returns a function that cancels it.
package typealias TaskStart =
  @Sendable (_ body: @escaping @Sendable () async -> Void) -> @Sendable () -> Void

/// A line of a process's output, with its stream.
package struct OutputLine: Sendable, Hashable {
  package let stream: LaunchEvent.OutputStream
  package let text: String

  package init(_ text: String, on stream: LaunchEvent.OutputStream) {
    (self.text, self.stream) = (text, stream)
  }
}
