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

  /// Returns the declared providers of a context value, which a step reads.
  func providers(of value: String, forStep step: Int) -> [ContextValueError.Provider]

  /// Records an event of an attempt. If the attempt has ended, the event is dropped.
  func record(_ kind: StartupEvent.Kind, from step: Int, attempt: Int)

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
  package let stream: StartupEvent.OutputStream
  package let text: String

  package init(_ text: String, on stream: StartupEvent.OutputStream) {
    (self.text, self.stream) = (text, stream)
  }
}
