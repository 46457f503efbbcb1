package import AppBoot
import AppBootSystem

/// What the record of a launch gets after its end: events of its services, and the runs of event handlers.
///
/// Neither services nor handlers wait for the disk: a thread of the journal writes.
extension LaunchJournal {
  /// The lines after the end of the launch.
  struct After: Sendable {
    /// The bytes of event handlers above which no more handlers are added.
    static let limit = 1 << 20

    /// The stored record; `nil` before the launch has ended, and if nothing follows.
    var file: ExclusiveFile?
    /// The lines that are not written yet.
    var batch: [UInt8] = []
    /// The bytes of event handlers so far.
    var length = 0
    /// The number of runs of event handlers so far.
    var runs = 0
  }

  package func expectEvents() { state.withLock { $0.isFollowed = true } }

  package func add(late event: StartupEvent, in outline: LaunchOutline) {
    var writer = JSONWriter()
    event.withShortOutput.write(to: &writer, in: outline)
    write(after: &writer)
  }

  package func begin(_ handlers: EventRecord) -> Int? {
    let run = state.withLock { state -> Int? in
      guard state.after.file != nil, state.after.length < After.limit else { return nil }
      state.after.runs += 1
      return state.after.runs
    }
    if let run { write(handlers, Journal.handlersStarted, run) { handlers.record.writeBeginning(to: &$0) } }
    return run
  }

  package func end(_ handlers: EventRecord, run: Int) {
    write(handlers, Journal.handlersEnded, run) { handlers.record.writeRun(to: &$0) }
  }

  private func write(
    _ handlers: EventRecord, _ kind: String, _ run: Int, members: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", kind)
      writer.member("run", run)
      handlers.write(to: &writer, members)
    }
    state.withLock { $0.after.length += writer.bytes.count }
    write(after: &writer)
  }

  private func write(after writer: inout JSONWriter) {
    writer.endLine()
    let isOpen = state.withLock { state in
      guard state.after.file != nil else { return false }
      state.after.batch += writer.bytes
      return true
    }
    guard isOpen else { return }
    thread.request { [self] in
      if let problem = writing.withLock({ _ in writeAfter() }) { warn(problem) }
    }
  }

  private func writeAfter() -> String? {
    let taken = state.withLock { state in
      defer { state.after.batch = [] }
      return state.after.file.map { ($0, state.after.batch) }
    }
    guard let (file, batch) = taken, !batch.isEmpty else { return nil }
    do throws(SystemError) {
      try file.append(batch)
      return nil
    } catch {
      state.withLock { $0.after.file = nil }
      file.close()
      return "services and event handlers are no longer recorded: \(error.description)"
    }
  }

  package func settle() { thread.settle(within: 10_000_000_000) }
}
