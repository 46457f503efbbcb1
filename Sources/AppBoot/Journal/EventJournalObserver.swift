import AppBootSystem

/// An observer that writes one run of event handlers to the launch's journal.
///
/// If the process crashes, the journal has the event and the running steps (``Journal/runningHandlers``).
package final class EventJournalObserver: StartupObserver {
  private let journal: LaunchJournal
  private let event: String
  private let scene: String?
  private let time: Int64
  private let number: Int

  fileprivate init(_ journal: LaunchJournal, _ event: String, of scene: String?, at time: Int64, number: Int)
  {
    self.journal = journal
    self.event = event
    self.scene = scene
    self.time = time
    self.number = number
  }

  package func observe(_ event: StartupEvent, in outline: LaunchOutline) {
    guard case .launchStarted = event.kind else {
      let sum = time.addingReportingOverflow(event.time)
      return journal.tail.withLock {
        $0.add(event, to: number, in: outline, at: sum.overflow ? .max : sum.partialValue)
      }
    }
    let beginning = EventRecord(
      event: self.event, scene: scene, time: time,
      record: StartupRecord(outline: outline, startedAt: WallClock.timestamp(), executions: []))
    journal.tail.withLock { $0.begin(number, beginning) }
  }

  /// Ends the run. If writing has failed, reports the error.
  package func finish() {
    if let problem = journal.tail.withLock({ $0.takeProblem() }) { journal.warn(problem) }
  }
}

extension LaunchJournal {
  /// Keeps the journal open after the launch, because event handlers will follow.
  package func expectEvents() { tail.withLock { $0.expectHandlers() } }

  /// Adds an event of a launch that has ended. The event is about a process that continued to run.
  package func add(late event: StartupEvent, in outline: LaunchOutline) {
    if let problem = tail.withLock({ tail in
      tail.add(event, in: outline)
      return tail.takeProblem()
    }) {
      warn(problem)
    }
  }

  /// Returns an observer for an event's handlers; `nil` unless the journal is open after the launch.
  ///
  /// - Parameter time: The nanoseconds from the start of the launch to the event.
  package func journal(of event: String, scene: String?, at time: Int64) -> EventJournalObserver? {
    tail.withLock { $0.number() }.map { EventJournalObserver(self, event, of: scene, at: time, number: $0) }
  }
}
