import AppBootSystem
import Synchronization

/// A journal as the recorder of one run writes it: of a launch, or of an event's handlers.
protocol RunJournal: Sendable {
  /// The thread for writes that must not delay their callers.
  var thread: JournalThread { get }
  /// True if only ``thread`` writes, because its callers must not wait for the disk.
  var isWrittenAside: Bool { get }
  /// True if the journal takes every line of output.
  var takesOutput: Bool { get }
  /// True if events wait to be written.
  var hasBatch: Bool { get }
  /// Receives each write error once, with no lock held.
  var warn: @Sendable (String) -> Void { get }
  /// Begins the run.
  func begin(startedAt: String)
  /// Adds an event to the batch.
  func add(_ event: StartupEvent, in outline: LaunchOutline)
  /// Writes the batch. After an error, returns a warning for the caller to report with no lock held; otherwise `nil`.
  func write() -> String?
  /// Ends the run; returns a warning as ``write()`` does.
  func finish() -> String?
}

/// The thread that writes a journal, so that a slow disk delays no other thread for long.
final class JournalThread: Sendable {
  private static let shortWait: Int64 = 100_000_000

  private let job = BackgroundJob(name: "appboot-journal")
  /// True if the last wait was too short (``settleShortly()``).
  private let isDiskSlow = Atomic(false)

  /// Requests a run of `body`; it replaces an earlier request that has not begun.
  func request(_ body: @escaping @Sendable () -> Void) { job.request(body) }

  /// Waits until all requests are done. Returns false if the nanoseconds pass first.
  @discardableResult
  func settle(within most: Int64) -> Bool { job.settle(until: MonotonicClock.now() + most) }

  /// Waits at most 100 ms. After a wait that was too short, does not wait again until all requests are done.
  func settleShortly() {
    let isSlow = isDiskSlow.load(ordering: .relaxed)
    isDiskSlow.store(!settle(within: isSlow ? 0 : Self.shortWait), ordering: .relaxed)
  }
}
