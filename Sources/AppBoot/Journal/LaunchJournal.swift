import AppBootSystem

/// A log that is written while a launch runs, so that a crash leaves a record; it also guards the next launch.
///
/// ```swift
/// var configuration = StartupRunner.Configuration()
/// configuration.journal = LaunchJournal(directory: "…/.appboot")
/// let record = StartupRunner(plan, configuration: configuration).run()
/// ```
///
/// Each batch of events is one write to `journal.jsonl` in the directory. When the launch ends, the journal moves to
/// `records/`, which holds the last 20. Event handlers that run afterwards are added to it. The journal survives the
/// process, not a power failure: nothing waits for the disk. A write error is a warning, and the launch continues. One
/// journal records one launch.
public final class LaunchJournal: Sendable {
  /// The state of the journal.
  package enum Standing: Sendable, Hashable {
    /// No runner has opened it.
    case unopened
    /// It is being written.
    case writing
    /// Another launch uses the directory; has its process if that is known.
    case busy(process: Int32?)
    /// It cannot be written; has the system's message.
    case unavailable(String)
    /// The launch ended; the journal was stored or abandoned.
    case finished
  }

  struct State: Sendable {
    var standing = Standing.unopened
    var file: ExclusiveFile?
    var encoder = JournalEncoder()
    /// The part of the first line that is known before the launch begins.
    var header: JSONWriter?
    var startedAt = ""
    /// True if a runner has opened it.
    var isTaken = false
    /// True if a launch crashed since the last healthy one; this launch resets that if it is healthy.
    var hasCrashes = false
  }

  /// The state directory.
  public let directory: String
  /// The manifest of the launch, once a runner has opened the journal.
  let manifest = Lock<String?>(nil)
  let launchGuard: LaunchGuard
  let forcesSafeMode: Bool
  let warn: @Sendable (String) -> Void
  let state = Lock(State())
  /// A lock for writes, so that batches stay in order. ``write()`` holds no other lock while the disk works.
  private let writing = Lock(())
  let tail = Lock(EventListLog())

  /// Creates a journal; a runner opens it when it runs.
  ///
  /// - Parameters:
  ///   - directory: The state directory; created if it is missing.
  ///   - crashLimit: The number of crashes in a row, in the same step, that lead to safe mode; at least 1.
  ///   - forcesSafeMode: Whether this launch runs in safe mode in any case.
  ///   - warn: Receives each read and write error once; called on any thread, with no lock held.
  public init(
    directory: String, crashLimit: Int = 2, forcesSafeMode: Bool = false,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.directory = directory
    launchGuard = LaunchGuard(crashes: crashLimit)
    self.forcesSafeMode = forcesSafeMode
    self.warn = warn
  }

  var history: LaunchHistory {
    LaunchHistory(directory: directory, manifest: manifest.withLock(\.self))
  }

  /// The state of the journal.
  package var standing: Standing { state.withLock { $0.standing } }

  // MARK: - The launch

  /// Begins the launch: completes the first line, which is written with the first events.
  func begin(startedAt: String) {
    state.withLock { state in
      guard var header = state.header else { return }
      header.endOfJournalHeader(startedAt: startedAt)
      state.encoder.start(with: header.bytes)
      state.header = nil
      state.startedAt = startedAt
    }
  }

  /// True if the journal takes every line of output.
  var takesOutput: Bool { state.withLock { $0.file != nil && !$0.encoder.holdsOutputBack } }

  /// True if events wait to be written.
  var hasBatch: Bool { state.withLock { $0.encoder.hasBatch } }

  /// Adds an event to the batch.
  func add(_ event: StartupEvent, in outline: LaunchOutline) {
    state.withLock { state in
      if state.file != nil { state.encoder.add(event, in: outline) }
    }
  }

  /// Writes the batch. After an error, returns a warning for the caller to report with no lock held; otherwise `nil`.
  func write() -> String? { writing.withLock { _ in writeBatch() } }

  private func writeBatch() -> String? {
    let taken = state.withLock { state in
      state.encoder.hasBatch ? state.file.map { ($0, state.encoder.takeBatch()) } : nil
    }
    guard let (file, batch) = taken else { return nil }
    do throws(SystemError) {
      try file.append(batch)
      state.withLock { $0.encoder.reuse(batch) }
      return nil
    } catch {
      // Half a journal would look like a crash at this point.
      file.remove()
      file.close()
      state.withLock { state in
        state.file = nil
        state.encoder = JournalEncoder()
        state.standing = .unavailable(error.description)
      }
      return "this launch is no longer recorded: \(error.description)"
    }
  }

  /// Ends the launch: stores the journal as a record; returns a warning as ``write()`` does.
  func finish() -> String? {
    writing.withLock { _ in writeBatch() ?? storeRecord() }
  }

  private func storeRecord() -> String? {
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
        try history.keep(file, stamp: stamp, process: Keeper.processIdentifier)
        isFollowed = tail.withLock { $0.follow(file) }
        return nil
      } catch {
        return "the record of this launch is not stored: \(error.description)"
      }
    }
  }
}
