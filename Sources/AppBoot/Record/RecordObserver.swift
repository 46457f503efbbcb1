/// An observer of one launch that also needs the record so far, or a clock that launches share.
///
/// Calls follow the rules of ``StartupObserver``.
package protocol RecordObserver: Sendable {
  /// True if it uses every line of output; without a user, only the last line of each read is recorded.
  var usesOutput: Bool { get }

  /// Receives an event that the record already contains.
  ///
  /// - Parameter clockTime: The time of the event on the monotonic clock, in nanoseconds.
  func observe(_ event: StartupEvent, in record: StartupRecord, at clockTime: Int64)
}
