import AppBootSystem

/// Writes a launch down while it runs, so that a crash loses nothing, and guards the next launch.
///
/// ```swift
/// var configuration = StartupRunner.Configuration()
/// configuration.journal = LaunchJournal(directory: "…/.appboot")
/// let record = StartupRunner(plan, configuration: configuration).run()
/// ```
///
/// Each batch of events is one write to `journal.jsonl` in the directory; a journal that reaches its end moves to
/// `records/`, which keeps the last 20, and what a ``LifecycleHost`` runs for events afterwards is written behind it.
/// It outlives the process, not a power cut: nothing waits for the disk. What cannot be written is a warning, and the
/// launch goes on. One journal serves one launch.
public final class LaunchJournal: Sendable {
  /// Whether the launch is written down.
  public enum Standing: Sendable, Hashable {
    /// No runner has opened it yet.
    case unopened
    /// It is written.
    case writing
    /// Another launch has the directory; its process, where it could be told.
    case busy(process: Int32?)
    /// It cannot be written; with the system's words.
    case unavailable(String)
    /// The launch ended, and its journal was kept or given up.
    case finished
  }

  struct State: Sendable {
    var standing = Standing.unopened
    var file: ExclusiveFile?
    var encoder = JournalEncoder()
    /// The first line, as far as it is known before the launch begins.
    var header: JSONWriter?
    var startedAt = ""
    /// Whether a runner has it, or had it.
    var isTaken = false
    /// Whether a launch died since the last healthy one: this one clears it, if it is healthy.
    var hasCrashes = false
  }

  /// The state directory.
  public let directory: String
  let history: LaunchHistory
  let launchGuard: LaunchGuard
  let forcesSafeMode: Bool
  let warn: @Sendable (String) -> Void
  let state = Lock(State())
  let tail = Lock(EventListLog())

  /// Prepares a journal; nothing is touched before a runner opens it.
  ///
  /// - Parameters:
  ///   - directory: The state directory; made where it is missing.
  ///   - launchGuard: When launches are careful.
  ///   - forcesSafeMode: Whether this launch is careful in any case.
  ///   - warn: Hears of what cannot be read or written, once each; from any thread, with no lock held.
  public init(
    directory: String, launchGuard: LaunchGuard = LaunchGuard(), forcesSafeMode: Bool = false,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.directory = directory
    history = LaunchHistory(directory: directory)
    self.launchGuard = launchGuard
    self.forcesSafeMode = forcesSafeMode
    self.warn = warn
  }

  /// Whether the launch is written down.
  public var standing: Standing { state.withLock { $0.standing } }

  // MARK: - The launch

  /// The launch begins: what is known of it becomes the first line, written with the first events.
  func begin(startedAt: String) {
    state.withLock { state in
      guard var header = state.header else { return }
      header.endOfJournalHeader(startedAt: startedAt)
      state.encoder.start(with: header.bytes)
      state.header = nil
      state.startedAt = startedAt
    }
  }

  /// Adds an event to the batch.
  func add(_ event: StartupEvent, in outline: LaunchOutline) {
    state.withLock { state in
      if state.file != nil { state.encoder.add(event, in: outline) }
    }
  }

  /// Writes the batch; answers with what to warn of, which is for the caller to do where no lock is held.
  func write() -> String? {
    state.withLock { state -> String? in
      guard let file = state.file, state.encoder.hasBatch else { return nil }
      do throws(SystemError) {
        try file.append(state.encoder.batch)
        state.encoder.endBatch()
        return nil
      } catch {
        // Half a journal would look like a launch that died here.
        file.remove()
        file.close()
        state.file = nil
        state.standing = .unavailable(error.description)
        return "this launch is not recorded any further: \(error.description)"
      }
    }
  }

  /// The launch has ended: its journal becomes a record; answers as ``write()`` does.
  func finish() -> String? {
    state.withLock { state -> String? in
      guard let file = state.file else { return nil }
      var isFollowed = false
      defer {
        if !isFollowed { file.close() }
        state.file = nil
        state.standing = .finished
      }
      guard let stamp = LaunchHistory.stamp(of: state.startedAt) else { return nil }
      if state.hasCrashes, file.isAtPath { history.noteJournal() }
      do throws(SystemError) {
        try history.keep(file, stamp: stamp, process: Host.processIdentifier)
        isFollowed = tail.withLock { $0.follow(file) }
        return nil
      } catch {
        return "this launch is not kept: \(error.description)"
      }
    }
  }
}
