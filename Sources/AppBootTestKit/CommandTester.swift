public import AppBoot
public import AppBootLifecycle
import AppBootSystem

/// A test of one command: it runs the command in a launch of its own, with state in memory.
///
/// A command without a required parameter, or with values that its `validate(_:)` rejects, fails.
///
/// ```swift
/// let result = await CommandTester(IndexNotes()).providing(notebook, for: .notebook).run()
/// #expect(result.value(for: .wordIndex)?.places["tea"] == [0])
/// ```
public struct CommandTester: Sendable {
  private let command: any Command
  private var environment = LaunchEnvironment()
  private var options = LaunchOptions()
  private var timeout: Duration?

  /// Creates a test of a command.
  public init(_ command: any Command) {
    self.command = command
    environment.variables = [:]
  }

  /// Provides a value to the command.
  public func providing<Value>(_ value: Value, for key: ContextKey<Value>) -> Self {
    with { $0.environment.provided[key.name] = value }
  }

  /// Returns the test with a state store. Without this call, each test has an empty one.
  public func state(_ state: any StateStore) -> Self { with { $0.environment.state = state } }

  /// Returns the test with a window.
  public func window(_ window: any AppWindow) -> Self { with { $0.environment.window = window } }

  /// Returns the test with environment variables. Without this call, there are none.
  public func environment(_ variables: [String: String]) -> Self {
    with { $0.environment.variables = variables }
  }

  /// Returns the test with the reason for the launch, and the data that came with it.
  public func launchOptions(_ options: LaunchOptions) -> Self { with { $0.options = options } }

  /// Returns the test with a virtual clock. The command's waits, its spans and its timeout use it, and no time passes.
  ///
  /// Processes use real time.
  public func clock(_ clock: VirtualClock) -> Self { with { $0.environment.host.clock = clock } }

  /// Returns the test with a timeout of the command.
  public func timeout(_ timeout: Duration) -> Self { with { $0.timeout = timeout } }

  /// Runs the command. A service runs until it is ready, and then shuts down.
  public func run() async -> Result { await run {} }

  /// Runs the command, and then a function if the command has succeeded. A service stays until the function returns.
  ///
  /// - Throws: The error of the function.
  public func run(
    isolation: isolated (any Actor)? = #isolation, whileReady: () async throws -> Void
  ) async rethrows -> Result {
    try await run(thenUndo: false, whileReady: whileReady)
  }

  /// Runs the command, and then undoes it, as if a later command of the launch had failed.
  public func runAndUndo() async -> Result { await run(thenUndo: true) {} }

  private func run(
    thenUndo: Bool, isolation: isolated (any Actor)? = #isolation, whileReady: () async throws -> Void
  ) async rethrows -> Result {
    let commands = thenUndo ? [command, LaterFailure()] : [command]
    var plan = LaunchPlan(name: "test", sequence: commands, options: options, environment: environment)
    plan.outline.steps[0].timeout = timeout
    if thenUndo { plan.outline.steps[1].onFailure = .rollback }
    let values = ContextValues()
    plan.environment.readFirstLaunch()
    plan.environment.values = values
    // Without a descriptor for a keeper, the record says that nothing keeps the service.
    let session = AppSession(timeout: nil)
    let keeper = plan.serviceStarter?.keepServices(of: &plan, LifecycleHost.Configuration(), session)
    session.begin(plan.outline, sink: nil)
    var configuration = LaunchRunner.Configuration()
    configuration.marksFirstLaunch = false
    let record = await LaunchRunner(plan, configuration: configuration).run()
    do {
      if record.succeeded { try await whileReady() }
    } catch {
      await Self.stop(keeper)
      throw error
    }
    await Self.stop(keeper)
    return Result(record: session.complete(record), values: values)
  }

  private static func stop(_ keeper: (any ServiceKeeping)?) async {
    guard let keeper else { return }
    keeper.beginToStop()
    await withCheckedContinuation { continuation in keeper.whenStopped { continuation.resume() } }
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  private struct LaterFailure: Command, Error {
    static let name = "later failure"

    func execute(in context: LaunchContext) throws { throw self }
  }

  /// The result of a command.
  public struct Result: Sendable {
    /// The record of the command's launch.
    public let record: LaunchRecord
    fileprivate let values: ContextValues

    /// The record of the command.
    public var step: StepRecord { record[0] }
    /// The reason why the command failed; `nil` if it did not fail.
    public var failure: Failure? { step.state.failure }
    /// The command's note; `nil` if it set none.
    public var note: String? { step.details.note }
    /// The names of the command's spans, in the order of their starts.
    public var spans: [String] { step.details.spans.map(\.name) }
    /// The names of the events that the command emitted, in order.
    public var emitted: [String] { step.details.emitted.map(\.name) }

    /// Returns the value for a key, from the command or from ``CommandTester/providing(_:for:)``; `nil` if there is no
    /// value of the key's type.
    public func value<Value>(for key: ContextKey<Value>) -> Value? { values[key.name] as? Value }
  }
}
