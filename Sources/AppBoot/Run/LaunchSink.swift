package import AppBootBase

/// A destination for the events of a launch, and for those of the services and event handlers after it: a journal.
package protocol LaunchSink: AnyObject, Sendable {
  /// The thread for writes that must not delay their callers: a disk can be slow.
  var thread: BackgroundJob { get }
  /// True if the sink takes every line of output.
  var takesOutput: Bool { get }
  /// True if events wait to be written.
  var hasBatch: Bool { get }
  /// Opens the sink before the run. Returns the plan, which is in safe mode if earlier launches require that.
  func open(for plan: StartupPlan, header: RecordHeader) -> StartupPlan
  /// Begins the run.
  func begin(startedAt: String)
  /// Adds an event to the batch.
  func add(_ event: StartupEvent, in outline: LaunchOutline)
  /// Writes the batch, and reports an error. Call it with no lock held, because the error's handler may cancel the
  /// launch.
  func write()
  /// Ends the run, and reports an error as ``write()`` does.
  func finish()
  /// Makes the sink stay open after the launch, because event handlers or services will follow.
  func expectEvents()
  /// Adds the beginning of a run of event handlers after the launch. Another thread writes it.
  ///
  /// Returns the number of the run; `nil` if the sink does not record the run.
  func begin(_ handlers: EventRecord) -> Int?
  /// Adds the record of a run of event handlers, which has ended. Another thread writes it.
  func end(_ handlers: EventRecord, run: Int)
  /// Adds an event of a launch that has ended: for example the end of a service. Another thread writes it.
  func add(late event: StartupEvent, in outline: LaunchOutline)
  /// Waits until the events are written, at the end of an app. The wait is at most 10 s: a disk can hang.
  func settle()
}
