/// The launch as a command sees it; valid during the execution of that command's step.
public struct LaunchContext: Sendable {
  let host: any CommandHost
  let step: Int
  package let attempt: Int

  /// The reason for which the app was launched, and the data that came with it.
  public var launch: LaunchOptions { host.options }

  /// The id of the step that the command runs as.
  public var stepID: String { host.id(ofStep: step) }

  /// The window that the app set, if any.
  public var window: (any AppWindow)? { host.environment.window }

  /// The state that survives launches.
  public var state: any StateStore { host.environment.state }

  /// True if this is the first launch: no earlier one with this state succeeded.
  public var isFirstLaunch: Bool { host.environment.isFirstLaunch }

  /// Returns the value of an environment variable; `nil` if it is not set.
  public func environment(_ name: String) -> String? { host.environment.variable(name, ofStep: step) }

  /// The directory that relative paths in the manifest are relative to.
  public var directory: String { host.environment.directory }

  /// The id of the launch: its start and its process.
  package var launchID: String { host.launchID }

  /// True if another step inserts the standard output of this one.
  package var isOutputInserted: Bool {
    let steps = host.environment.insertedOutputs
    return !steps.isEmpty && steps.contains(stepID)
  }

  /// Provides the standard output of the step, without its final newline, to the steps that insert it.
  package func provideOutput(_ text: String) {
    let name = ContextKey<String>.output(ofStep: stepID).name
    host.outputs.provide(text, as: name)
    host.record(.valueProvided(step: step, name: name), from: step, attempt: attempt)
  }

  /// Returns a step's standard output; `nil` if there is none.
  ///
  /// If this plan inserts the output of its own step with the id, that step counts; otherwise the launch's step.
  package func output(ofStep id: String) -> String? {
    let outputs = host.environment.insertedOutputs.contains(id) ? host.outputs : host.values
    return outputs[ContextKey<String>.output(ofStep: id).name] as? String
  }

  /// The variables that a process of the step adds to its environment: those of files, `APPBOOT_STEP`,
  /// `APPBOOT_ATTEMPT` and `APPBOOT_LAUNCH`.
  package var processVariables: [String: String] {
    let environment = host.environment
    var variables = environment.fileVariables
    if let own = environment.stepVariables[step] { variables.merge(own) { $1 } }
    variables["APPBOOT_STEP"] = stepID
    variables["APPBOOT_ATTEMPT"] = String(attempt)
    variables["APPBOOT_LAUNCH"] = host.launchID
    return variables
  }

  package var thirdParties: [String: ThirdPartyInitializer] { host.environment.thirdParties }

  // MARK: - Secrets

  /// Adds a secret, for example a token that the command obtained: the launch shows `***` in its place from now on.
  ///
  /// A value of fewer than four bytes is not hidden. Text that was recorded or printed before stays as it is.
  public func addSecret(_ value: String) { secrets.add(value) }

  /// The secrets that the launch knows.
  package var secrets: Secrets { host.environment.secrets }

  /// Adds the values of secret variables to the secrets.
  package func learnSecrets(in variables: [String: String]) {
    host.environment.learnSecrets(in: variables)
  }

  // MARK: - Telling

  /// Sets the one-line result that is shown next to the command; the last one counts.
  public func note(_ text: String) {
    host.record(.noted(step: step, text: text), from: step, attempt: attempt)
  }

  /// Sets the text that is shown at the end of a launch that succeeds, for example a URL to open; the last one counts.
  public func announce(_ text: String) {
    host.record(.announced(step: step, text: text), from: step, attempt: attempt)
  }

  /// Records a line that the command's work printed.
  ///
  /// - Parameter stream: The stream it was printed on.
  public func output(_ line: String, stream: StartupEvent.OutputStream = .stdout) {
    host.record(
      .output(step: step, attempt: attempt, stream: stream, line: line), from: step, attempt: attempt)
  }

  /// Records lines that the command's process printed, in order.
  package func output(_ lines: [OutputLine]) {
    if !lines.isEmpty { host.record(lines, from: step, attempt: attempt) }
  }

  /// True if every line of output is used: by an observer or the journal. Otherwise the last one is enough.
  package var usesEveryLine: Bool { host.usesEveryLine }

  /// Records the process that the command's work runs in.
  package func processStarted(_ pid: Int32) {
    host.record(.processStarted(step: step, attempt: attempt, pid: pid), from: step, attempt: attempt)
  }

  /// Records that SIGKILL ended the process of the command's work, because it did not stop.
  ///
  /// - Parameter time: The nanoseconds since it was asked to stop.
  package func processKilled(after time: Int64) { host.recordKill(of: step, after: time) }

  /// The logs of the steps' output; `nil` if the launch keeps none.
  package var logs: OutputLogs? { host.environment.logs }

  /// The keeper of the launch's services; `nil` if there is none.
  package var services: (any ServiceHost)? { host.environment.services }

  /// Takes over the open output of a process that a step left running; `nil` outside the command-line tool.
  package var drain: OutputDrain? { host.environment.drain }

  /// True while the reader of the launch's output is behind. Do not read a process's output then: the process waits
  /// at its full pipe.
  package var isReaderBehind: Bool { host.environment.isReaderBehind() }

  /// Emits a lifecycle event: it is recorded, and a `LifecycleHost` handles it after the launch.
  public func emit(_ event: String, payload: String? = nil) {
    host.record(
      .emitted(step: step, event: event, payload: payload), from: step, attempt: attempt)
  }

  /// Declines the event that the command was run for, for example another app's URL.
  ///
  /// The step still succeeds. If every step that ran declines, the event counts as not handled.
  public func decline() {
    host.record(.declined(step: step), from: step, attempt: attempt)
  }

  // MARK: - Values

  /// Provides a value to the commands that run later; a second value for the key replaces the first.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    host.values.provide(value, as: key.name)
    host.record(.valueProvided(step: step, name: key.name), from: step, attempt: attempt)
  }

  /// Returns the value for a key; `nil` if no step has provided a value of this type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    let value = host.values[key.name] as? Value
    host.record(
      .valueRead(step: step, name: key.name, found: value != nil), from: step, attempt: attempt)
    return value
  }

  /// Returns the value for a key.
  ///
  /// - Throws: ``ContextValueError`` if no step has provided it, or if it has another type.
  public func require<Value>(_ key: ContextKey<Value>) throws -> Value {
    let found = host.values[key.name]
    host.record(
      .valueRead(step: step, name: key.name, found: found != nil), from: step, attempt: attempt)
    guard let found else {
      throw ContextValueError.missing(name: key.name, providers: host.providers(of: key.name))
    }
    guard let value = found as? Value else {
      throw ContextValueError.mismatch(
        name: key.name, expected: "\(Value.self)", found: "\(type(of: found))")
    }
    return value
  }

  /// Returns the value of that name as text, for `{placeholders}`; `nil` if no step has provided it.
  ///
  /// Unlike ``value(for:)``, this records no read.
  public func text(of name: String) -> String? {
    host.values[name].map { String(describing: $0) }
  }

  /// The names of the values that were provided so far.
  public var valueNames: [String] { host.values.all.keys.sorted() }

  // MARK: - Spans

  /// Runs a part of the command's work and records its duration as a named span; spans may nest.
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

  /// Runs a part of the command's work that suspends, and records its duration as a named span; spans may nest.
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
  /// A culprit whose policy is `stop` runs all the same; it can do without what may have killed it.
  public var isSafeMode: Bool { host.safeMode != nil }

  /// The id of the step in which the last launches crashed; `nil` without safe mode, or if the step is unknown.
  public var safeModeCulprit: String? { host.safeMode?.culprits.first }

  /// Reports that the app is up: a later crash does not count as a crash of the launch.
  ///
  /// A launch that reaches its end is healthy without this call.
  public func markHealthy() { host.markHealthy() }

  // MARK: - Cancellation

  /// True if the command was cancelled: the launch was cancelled, or the step timed out.
  public var isCancelled: Bool { host.isCancelled(step: step, attempt: attempt) }

  /// Throws if the command was cancelled, to end it early.
  ///
  /// - Throws: `CancellationError`.
  public func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
}

/// The innermost open span of the running code, so that spans nest in tasks and on threads.
struct SpanScope: Sendable {
  let session: ObjectIdentifier
  let step: Int
  let span: Int

  @TaskLocal static var current: SpanScope?
}
