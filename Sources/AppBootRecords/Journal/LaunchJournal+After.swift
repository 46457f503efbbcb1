package import AppBoot
import AppBootSystem

/// The part of a journal that follows the end of the launch: events of services, and runs of event handlers.
///
/// A thread of the journal writes it. Services never wait for the disk; a run of handlers waits at most 100 ms for its
/// first line.
extension LaunchJournal {
  /// The lines after the end of the launch.
  struct After: Sendable {
    /// The number of bytes of handlers' lines at which the next run, if no other runs, removes the earlier ones.
    static let limit = 1 << 20

    /// The stored record; `nil` before the launch has ended, and if nothing follows.
    var file: ExclusiveFile?
    /// The length of the record of the launch.
    var start = 0
    /// The lines that are not written yet.
    var batch: [UInt8] = []
    /// True if the file is truncated to ``start`` before ``batch`` is written.
    var restarts = false
    /// The lines of services. They stay.
    var services: [UInt8] = []
    /// The bytes of event handlers so far.
    var length = 0
    /// The number of runs of event handlers so far.
    var runs = 0
    /// The runs that have not ended.
    var running: Set<Int> = []
  }

  package func expectEvents() { state.withLock { $0.isFollowed = true } }

  package func add(late event: LaunchEvent, in outline: LaunchOutline) {
    var writer = JSONWriter()
    event.withShortOutput.write(to: &writer, in: outline)
    write(after: &writer) { $0.services += $1 }
  }

  package func begin(_ handlers: EventRecord) -> Int? {
    let run = state.withLock { state -> Int? in
      guard state.after.file != nil else { return nil }
      if state.after.length >= After.limit, state.after.running.isEmpty {
        (state.after.batch, state.after.length, state.after.restarts) = (state.after.services, 0, true)
      }
      state.after.runs += 1
      state.after.running.insert(state.after.runs)
      return state.after.runs
    }
    guard let run else { return nil }
    write(handlers, Journal.handlersStarted, run) { writer in
      writer.members(of: RecordedPlan(handlers.record.outline))
      writer.member("startedAt", handlers.record.startedAt)
      writer.plannedSteps(of: handlers.record.outline)
    }
    return run
  }

  package func end(_ handlers: EventRecord, run: Int) {
    write(handlers, Journal.handlersEnded, run) { $0.members(of: RecordedRun(handlers.record)) }
    state.withLock { _ = $0.after.running.remove(run) }
  }

  private func write(
    _ handlers: EventRecord, _ kind: String, _ run: Int, members: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", kind)
      writer.member("run", run)
      writer.members(of: RecordedEvent.Head(handlers))
      members(&writer)
    }
    write(after: &writer) { $0.length += $1.count }
  }

  private func write(after writer: inout JSONWriter, _ count: (inout After, [UInt8]) -> Void) {
    writer.endLine()
    let isOpen = state.withLock { state in
      guard state.after.file != nil else { return false }
      state.after.batch += writer.bytes
      count(&state.after, writer.bytes)
      return true
    }
    guard isOpen else { return }
    thread.request { [self] in write() }
  }

  /// Writes the lines after the end of the launch. Returns the problem if that fails.
  func write(_ after: After, to file: ExclusiveFile) -> String? {
    do throws(SystemError) {
      if after.restarts { try file.truncate(to: after.start) }
      try file.append(after.batch)
      return nil
    } catch {
      state.withLock { $0.after.file = nil }
      file.close()
      return "services and event handlers are no longer recorded: \(error.description)"
    }
  }

  package func settle() { thread.settle(within: 10_000_000_000) }
}
