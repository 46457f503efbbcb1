import AppBootSystem

/// An observer that writes one run of a lifecycle event's handlers into the launch's journal.
///
/// If the process crashes, the journal names the event and the running steps (``Journal/runningHandlers``).
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

  /// Ends the run: reports the write error, if there was one.
  package func finish() {
    if let problem = journal.tail.withLock({ $0.takeProblem() }) { journal.warn(problem) }
  }
}

extension LaunchJournal {
  /// Makes the journal stay open after the launch, because event handlers will follow.
  package func expectEvents() { tail.withLock { $0.expectHandlers() } }

  /// Adds an event of a launch that has ended: what happened to a process that stayed.
  package func add(late event: StartupEvent, in outline: LaunchOutline) {
    if let problem = tail.withLock({ tail in
      tail.add(event, in: outline)
      return tail.takeProblem()
    }) {
      warn(problem)
    }
  }

  /// Returns the observer for an event's handlers; `nil` unless the journal stayed open after the launch.
  ///
  /// - Parameter time: The time of the event, in nanoseconds since the launch began.
  package func journal(of event: String, scene: String?, at time: Int64) -> EventJournalObserver? {
    tail.withLock { $0.number() }.map { EventJournalObserver(self, event, of: scene, at: time, number: $0) }
  }
}
