import AppBootBase

/// A destination for the events of a launch, and for those of the services and event handlers after it: a journal.
package protocol LaunchSink: Sendable {
  /// The thread for writes that must not delay their callers.
  var thread: SinkThread { get }
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

/// The thread that writes to a sink, so that a slow disk delays no other thread for long.
package final class SinkThread: Sendable {
  private static let shortWait: Int64 = 100_000_000

  private let job = BackgroundJob(name: "appboot-sink")
  /// True if the last wait was too short (``settleShortly()``).
  private let isDiskSlow = Lock(false)

  package init() {}

  /// Requests a run of `body`; it replaces an earlier request that has not begun.
  package func request(_ body: @escaping @Sendable () -> Void) { job.request(body) }

  /// Waits until all requests are done. Returns false if the nanoseconds pass first.
  @discardableResult
  package func settle(within most: Int64) -> Bool { job.settle(until: MonotonicClock.now() + most) }

  /// Waits at most 100 ms. After a wait that was too short, does not wait again until all requests are done.
  package func settleShortly() {
    let isSlow = isDiskSlow.withLock(\.self)
    let isDone = settle(within: isSlow ? 0 : Self.shortWait)
    isDiskSlow.withLock { $0 = !isDone }
  }
}
