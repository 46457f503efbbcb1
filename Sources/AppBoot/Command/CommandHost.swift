/// The running launch, as its commands reach it through their ``LaunchContext``.
protocol CommandHost: AnyObject, Sendable {
  /// The reason for which the app was launched, and the data that came with it.
  var options: LaunchOptions { get }
  /// The window, the state, the variables and the app's libraries.
  var environment: LaunchEnvironment { get }
  /// The context values that the commands provide.
  var values: ContextValues { get }
  /// The outputs of steps that other steps of the plan insert.
  var outputs: ContextValues { get }
  /// The launch's safe mode; `nil` without it.
  var safeMode: SafeMode? { get }

  /// The id of the launch: its start and its process.
  var launchID: String { get }

  /// Returns the id of the step at an index.
  func id(ofStep step: Int) -> String

  /// Returns the ids of the steps whose commands declare that they provide a context value.
  func providers(of value: String) -> [String]

  /// Records an event of an attempt; drops it if the attempt has ended.
  func record(_ kind: StartupEvent.Kind, from step: Int, attempt: Int)

  /// Records lines of an attempt's output.
  func record(_ lines: [OutputLine], from step: Int, attempt: Int)

  /// Records that SIGKILL ended a step's process, also after the step has ended.
  func recordKill(of step: Int, after time: Int64)

  /// True if every line of output is used; otherwise the last one is enough.
  var usesEveryLine: Bool { get }

  /// Begins a span and returns its number within the step; `nil` if the attempt has ended.
  func beginSpan(_ name: String, parent: Int?, in step: Int, attempt: Int) -> Int?

  /// Records that the app is up.
  func markHealthy()

  /// Returns whether an attempt was cancelled.
  func isCancelled(step: Int, attempt: Int) -> Bool
}

/// A line that a process printed.
package struct OutputLine: Sendable, Hashable {
  package let stream: StartupEvent.OutputStream
  package let text: String

  package init(_ text: String, on stream: StartupEvent.OutputStream) {
    (self.text, self.stream) = (text, stream)
  }
}
