/// An observer of the events of one launch.
///
/// Calls come one at a time and in order, on the thread on which the event happened. An observer must return quickly,
/// and must not call back into the launch that it observes: the call would wait for the observer, and never return.
public protocol StartupObserver: Sendable {
  /// Receives an event of a launch. The outline is that of the launch.
  func observe(_ event: StartupEvent, in outline: LaunchOutline)
}

/// An observer of one launch that also receives the record so far and the time of a clock that launches share.
///
/// Calls follow the rules of ``StartupObserver``.
package protocol RecordObserver: Sendable {
  /// True if the observer uses every line of output.
  ///
  /// If no observer and no sink uses them, only the last line of each read is recorded.
  var usesOutput: Bool { get }

  /// Receives an event. The record already contains it.
  ///
  /// - Parameter clockTime: The time of the event on the monotonic clock, in nanoseconds.
  func observe(_ event: StartupEvent, in record: StartupRecord, at clockTime: Int64)
}
