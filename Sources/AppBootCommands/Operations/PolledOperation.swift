/// Running work of a polled command. The poller of the launch advances it when a descriptor is readable, and at its
/// deadline.
package protocol PolledOperation: AnyObject, Sendable {
  /// The descriptors to watch now. They stay open until ``release()``.
  ///
  /// The poller reads it after the start and after each call of ``advance()``.
  var descriptors: [Int32] { get }

  /// The time of the monotonic clock at which the work continues even if no descriptor is readable; `nil` for none.
  ///
  /// The poller reads it after the start, and after each call of ``advance()`` and ``stop(isForced:)``.
  var nextDeadline: Int64? { get }

  /// Advances the work as far as possible without waiting. Returns the result; `nil` if the work has not ended.
  func advance() -> Result<Void, any Error>?

  /// Closes the descriptors. It is called after the work has ended and no descriptor is watched.
  func release()

  /// The CPU time of the work in nanoseconds; `nil` if it is unknown. It is known after ``release()``.
  var cpuTime: Int64? { get }

  /// The output after the last complete line, for example a question; `nil` if all lines are complete.
  var unfinishedLine: String? { get }

  /// The reason why the work has not ended; `nil` if it is unknown. The failure of a step that times out contains it.
  var obstacle: String? { get }

  /// True while the work waits for the system to have a place for its process.
  var isDelayed: Bool { get }

  /// Asks the work to end, or stops it by force. Afterwards ``advance()`` returns the result when the work has ended.
  ///
  /// - Parameter isForced: True to stop the work by force.
  func stop(isForced: Bool)
}

extension PolledOperation {
  package var nextDeadline: Int64? { nil }

  package var cpuTime: Int64? { nil }

  package var unfinishedLine: String? { nil }

  package var obstacle: String? { nil }

  package var isDelayed: Bool { false }
}
