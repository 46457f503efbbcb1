/// What a command may touch while it executes; it is good for that command's own step only.
public struct LaunchContext: Sendable {
  let host: any CommandHost
  let step: Int
  let attempt: Int

  /// Why and with what the app was launched.
  public var launch: LaunchOptions { host.options }

  /// The id of the step that the command runs as.
  public var stepID: String { host.id(ofStep: step) }

  /// The window that the app set, if any.
  public var window: (any AppWindow)? { host.environment.window }

  /// What survives launches.
  public var state: any StateStore { host.environment.state }

  /// Whether no earlier launch with this state booted.
  public var isFirstLaunch: Bool { host.environment.isFirstLaunch }

  /// The value of an environment variable.
  public func environment(_ name: String) -> String? { host.environment.variable(name) }

  /// The directory that relative paths in the manifest are relative to.
  public var directory: String { host.environment.directory }

  package var thirdParties: [String: ThirdPartyInitializer] { host.environment.thirdParties }

  // MARK: - Telling

  /// Leaves the one-line result that is shown beside the command; the last one counts.
  public func note(_ text: String) {
    host.record(.noted(step: step, text: text), from: step, attempt: attempt)
  }

  /// Records a line that the command's work printed.
  ///
  /// - Parameter stream: The stream it was printed on; `nil` if that is not known.
  public func output(_ line: String, stream: StartupEvent.OutputStream? = .stdout) {
    host.record(
      .output(step: step, stream: stream, line: line), from: step, attempt: attempt)
  }

  /// Emits a lifecycle event: it is recorded, and a `LifecycleHost` handles it after the launch.
  public func emit(_ event: String, payload: String? = nil) {
    host.record(
      .emitted(step: step, event: event, payload: payload), from: step, attempt: attempt)
  }

  /// Says that what the command was run for is none of its business: a URL of somebody else's, for instance.
  ///
  /// The step succeeds all the same. A list for an event of which every step that ran declined answers as one of which nothing ran.
  public func decline() {
    host.record(.declined(step: step), from: step, attempt: attempt)
  }

  // MARK: - Values

  /// Provides a value to the commands that come after; a second one takes the first one's place.
  public func provide<Value>(_ value: Value, for key: ContextKey<Value>) {
    host.values.provide(value, as: key.name)
    host.record(.valueProvided(step: step, name: key.name), from: step, attempt: attempt)
  }

  /// The value, or `nil` where nobody has provided one of this type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? {
    let value = host.values[key.name] as? Value
    host.record(
      .valueRead(step: step, name: key.name, found: value != nil), from: step, attempt: attempt)
    return value
  }

  /// The value.
  ///
  /// - Throws: ``MissingContextValue``, which names who could provide it; ``ContextValueMismatch``.
  public func require<Value>(_ key: ContextKey<Value>) throws -> Value {
    let found = host.values[key.name]
    host.record(
      .valueRead(step: step, name: key.name, found: found != nil), from: step, attempt: attempt)
    guard let found else {
      throw MissingContextValue(name: key.name, providers: host.providers(of: key.name))
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
    host.values[name].map { String(describing: $0) }
  }

  /// The names of the values that were provided so far.
  public var valueNames: [String] { host.values.all.keys.sorted() }

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

  /// Whether this launch is careful: the last ones died, or somebody asked for it.
  ///
  /// A culprit whose policy is `stop` runs all the same; it can do without what may have killed it.
  public var isSafeMode: Bool { host.safeMode != nil }

  /// The id of the step in which the last launches died; `nil` where there is none, or nobody knows.
  public var safeModeCulprit: String? { host.safeMode?.culprits.first }

  /// Says that the app is up: what happens to it from now on does not count against the launch.
  ///
  /// A launch that reaches its end is healthy without it.
  public func markHealthy() { host.markHealthy() }

  // MARK: - Cancellation

  /// Whether the command was told to stop: the launch was cancelled, or the step passed its limit.
  public var isCancelled: Bool { host.isCancelled(step: step, attempt: attempt) }

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
