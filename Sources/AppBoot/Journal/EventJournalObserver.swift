import AppBootSystem

/// Writes the list of an event down while it runs, behind the launch in its journal.
///
/// It observes the list's run. A process that dies leaves the name of the event and of the steps that ran
/// (``Journal/runningLists``).
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

  /// The list has run: warns of what could not be written.
  package func finish() {
    if let problem = journal.tail.withLock({ $0.takeProblem() }) { journal.warn(problem) }
  }
}

extension LaunchJournal {
  /// The lists of events will follow the launch: they are written down behind it.
  package func expectEvents() { tail.withLock { $0.expectLists() } }

  /// What writes the list of an event down; `nil` where the launch is not kept, or has not ended.
  ///
  /// - Parameter time: When the event came, in nanoseconds since the launch began.
  package func journal(of event: String, scene: String?, at time: Int64) -> EventJournalObserver? {
    tail.withLock { $0.number() }.map { EventJournalObserver(self, event, of: scene, at: time, number: $0) }
  }
}
