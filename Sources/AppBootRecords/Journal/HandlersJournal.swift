package import AppBoot
import AppBootSystem

/// A journal of one run of a lifecycle event's handlers: a part of the launch's journal.
///
/// If the process crashes, the journal names the event and the running steps (``Journal/runningHandlers``). A slow disk
/// delays neither handlers nor signals: a thread of the journal writes, and the others wait for it at most 100 ms.
final class HandlersJournal: Sendable, LaunchSink {
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

  var thread: SinkThread { journal.thread }
  var isWrittenAside: Bool { true }
  var takesOutput: Bool { journal.tail.withLock(\.takesOutput) }
  var hasBatch: Bool { journal.tail.withLock(\.hasBatch) }
  var warn: @Sendable (String) -> Void { journal.warn }

  func begin(startedAt: String) {}

  func add(_ event: StartupEvent, in outline: LaunchOutline) {
    guard case .launchStarted = event.kind else {
      let sum = time.addingReportingOverflow(event.moment)
      return journal.tail.withLock {
        $0.add(event, to: number, in: outline, at: sum.overflow ? .max : sum.partialValue)
      }
    }
    let beginning = EventRecord(
      event: self.event, scene: scene, time: time,
      record: StartupRecord(outline: outline, startedAt: WallClock.timestamp(), executions: []))
    journal.tail.withLock { $0.begin(number, beginning) }
  }

  func write() -> String? { journal.writeTail() }

  func finish() -> String? { journal.writeTail() }
}

extension LaunchJournal {
  package func expectEvents() { tail.withLock { $0.expectHandlers() } }

  package func add(late event: StartupEvent, in outline: LaunchOutline) {
    tail.withLock { $0.add(event.withShortOutput, in: outline) }
    thread.request { [self] in
      if let problem = writeTail() { warn(problem) }
    }
  }

  package func sink(of event: String, scene: String?, at time: Int64) -> (any LaunchSink)? {
    tail.withLock { $0.number() }.map { HandlersJournal(self, event, of: scene, at: time, number: $0) }
  }

  package func settle() { thread.settle(within: 10_000_000_000) }

  /// Writes the lines of event handlers that wait; returns a warning as ``write()`` does.
  func writeTail() -> String? {
    writing.withLock { _ in
      guard let batch = tail.withLock({ $0.takeBatch() }) else { return nil }
      do throws(SystemError) {
        try batch.write()
        return nil
      } catch {
        tail.withLock { $0.close() }
        return "event handlers are no longer recorded: \(error.description)"
      }
    }
  }
}
