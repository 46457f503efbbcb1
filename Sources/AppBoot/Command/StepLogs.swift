/// The logs of the steps' output, as the engine knows them.
package protocol StepLogs: AnyObject, Sendable {
  /// Waits until all output is written, and reports what is not in the logs.
  ///
  /// - Parameter most: The longest wait in nanoseconds; `nil` for no limit.
  func settle(within most: Int64?)
  /// Calls a function while all log files are closed, because it needs their descriptors.
  func withFilesClosed<Result>(_ body: () throws -> Result) rethrows -> Result
}
