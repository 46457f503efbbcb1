public import AppBoot
package import AppBootSystem

/// A log that is written while a launch runs, so that a crash leaves a record. It also guards the next launch.
///
/// ```swift
/// var configuration = LaunchRunner.Configuration()
/// configuration.journal = LaunchJournal(directory: "…/.appboot")
/// let record = LaunchRunner(plan, configuration: configuration).runBlocking()
/// ```
///
/// Each batch of events is one write to `journal.jsonl` in the directory. At the end of the launch the journal becomes
/// a file in `records/`, which has the last 20 launches. Event handlers that run later are added to the file. The
/// journal survives a crash of the process, but not a power failure: no write waits for the disk. A write error is a
/// warning, and the launch continues. A journal records only one launch.
public final class LaunchJournal: Sendable {
  /// The state of the journal.
  package enum Standing: Sendable, Hashable {
    /// No runner has opened the journal.
    case unopened
    /// A launch writes the journal.
    case writing
    /// Another launch uses the directory. The value is the identifier of its process; `nil` if it is unknown.
    case busy(process: Int32?)
    /// The journal cannot be written. The value is the system's message.
    case unavailable(String)
    /// The launch has ended. The journal was stored or abandoned.
    case finished
  }

  struct State: Sendable {
    var standing = Standing.unopened
    var file: ExclusiveFile?
    var encoder = JournalEncoder()
    /// The part of the first line that is known before the launch begins.
    ///
    /// It is `nil` before the journal is opened, and after the launch has begun.
    var header: JSONWriter?
    var startedAt = ""
    /// True if a runner has opened the journal.
    var isTaken = false
    /// True if event handlers or services follow the launch.
    var isFollowed = false
    var after = After()
    /// True if a launch has crashed since the last healthy launch. If this launch is healthy, it removes the markers.
    var hasCrashes = false

    /// Takes what is to be written: the events of the launch, or what follows its end.
    mutating func takeBatch() -> Batch? {
      if let file { return encoder.hasBatch ? .launch(encoder.takeBatch(), file) : nil }
      guard let file = after.file, !after.batch.isEmpty else { return nil }
      defer { (after.batch, after.restarts) = ([], false) }
      return .after(after, file)
    }
  }

  /// Bytes that one write appends to a file.
  enum Batch {
    case launch([UInt8], ExclusiveFile)
    case after(After, ExclusiveFile)
  }

  /// The path of the state directory.
  public let directory: String
  /// The path of the launch's manifest; `nil` before a runner has opened the journal, and for a launch without a file.
  let manifest = Lock<String?>(nil)
  let crashLimit: Int
  let forcesSafeMode: Bool
  let warn: @Sendable (String) -> Void
  let state = Lock(State())
  /// The lock for writes, which keeps batches in order. While the disk works, ``write()`` holds only this lock.
  let writing = Lock(())
  package let thread = BackgroundJob(name: "appboot-sink")

  /// Creates a journal. The runner opens it when the launch runs.
  ///
  /// - Parameters:
  ///   - directory: The path of the state directory. It is created if it is missing.
  ///   - crashLimit: The number of crashes in a row in the same step after which safe mode begins; at least 1.
  ///   - forcesSafeMode: True to run this launch in safe mode in any case.
  ///   - warn: A function that receives each read or write error once. It is called on any thread, with no lock held.
  public init(
    directory: String, crashLimit: Int = 2, forcesSafeMode: Bool = false,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.directory = directory
    self.crashLimit = crashLimit
    self.forcesSafeMode = forcesSafeMode
    self.warn = warn
  }

  var history: LaunchHistory {
    LaunchHistory(directory: directory, manifest: manifest.withLock(\.self))
  }

  /// The state of the journal.
  package var standing: Standing { state.withLock { $0.standing } }

  /// True if the journal has the launch, or had it before its record was stored.
  package var isRecorded: Bool { [.writing, .finished].contains(standing) }
}

// MARK: - The launch

extension LaunchJournal: LaunchSink {
  /// Begins the launch. Completes the first line, which is written together with the first events.
  package func begin(startedAt: String) {
    state.withLock { state in
      guard var header = state.header else { return }
      header.endOfJournalHeader(startedAt: startedAt)
      state.encoder.start(with: header.bytes)
      state.header = nil
      state.startedAt = startedAt
    }
  }

  package var takesOutput: Bool { state.withLock { $0.file != nil && !$0.encoder.holdsOutputBack } }

  package var hasBatch: Bool { state.withLock { $0.encoder.hasBatch } }

  package func add(_ event: LaunchEvent, in outline: LaunchOutline) {
    state.withLock { state in
      if state.file != nil { state.encoder.add(event, in: outline) }
    }
  }

  package func write() {
    if let problem = writing.withLock({ _ in writeBatch() }) { warn(problem) }
  }

  /// Returns the problem if the write fails.
  private func writeBatch() -> String? {
    switch state.withLock({ $0.takeBatch() }) {
    case .launch(let batch, let file): write(batch, to: file)
    case .after(let after, let file): write(after, to: file)
    case nil: nil
    }
  }

  private func write(_ batch: [UInt8], to file: ExclusiveFile) -> String? {
    do throws(SystemError) {
      try file.append(batch)
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

  /// Ends the launch, and stores the journal as a record.
  package func finish() {
    if let problem = writing.withLock({ _ in writeBatch() ?? storeRecord() }) { warn(problem) }
  }

  private func storeRecord() -> String? {
    let (file, startedAt, hasCrashes) = state.withLock { state in
      let file = state.file
      // From now on, late events are collected. They are written after the record is stored.
      if state.isFollowed { state.after.file = file }
      if file != nil { (state.file, state.standing) = (nil, .finished) }
      return (file, state.startedAt, state.hasCrashes)
    }
    guard let file else { return nil }
    var problem: String?
    var length: Int?
    if let stamp = LaunchID.stamp(of: startedAt) {
      if hasCrashes, file.isAtPath { history.noteJournal() }
      do throws(SystemError) {
        try history.keep(file, stamp: stamp, process: Host.processIdentifier)
        length = file.length
      } catch {
        problem = "the record of this launch is not stored: \(error.description)"
      }
    }
    let isFollowed = state.withLock { state in
      state.after.start = length ?? 0
      if length == nil { state.after = After() }
      return state.after.file != nil
    }
    if !isFollowed { file.close() }
    return problem
  }
}

extension LaunchRunner.Configuration {
  /// The journal that is written during the launch; `nil` for none. Without it, a launch that is killed leaves no
  /// record.
  public var journal: LaunchJournal? {
    get { sink as? LaunchJournal }
    set {
      sink = newValue
      if newValue != nil, header.host == nil { header.host = .current() }
    }
  }
}

/// An encoder that writes events as lines of a journal, and collects them in batches.
struct JournalEncoder: Sendable {
  /// The number of bytes after which output is held back. Then only the last line of each step's output is written.
  static let outputLimit = 1 << 20

  /// The lines that were not written yet.
  private(set) var batch: [UInt8] = []
  private var written = 0
  private var heldBack: [Int: LaunchEvent] = [:]

  var hasBatch: Bool { !batch.isEmpty }

  /// True if output is held back: only the last line of each step's output is written from now on.
  var holdsOutputBack: Bool { written + batch.count > Self.outputLimit }

  mutating func start(with header: [UInt8]) { batch = header }

  /// Returns the current batch, and begins the next one.
  mutating func takeBatch() -> [UInt8] {
    written += batch.count
    defer { batch = [] }
    return batch
  }

  mutating func add(_ event: LaunchEvent, in outline: LaunchOutline) {
    if case .output(let output) = event.kind, holdsOutputBack {
      heldBack[output.step] = event
      return
    }
    if !heldBack.isEmpty, let step = event.kind.step, let output = heldBack.removeValue(forKey: step) {
      encode(output, in: outline)
    }
    encode(event, in: outline)
  }

  private mutating func encode(_ event: LaunchEvent, in outline: LaunchOutline) {
    var writer = JSONWriter()
    if case .launchStarted = event.kind {
      // Without the steps, because the journal's first line has them.
      writer.object { writer in
        writer.member("kind", "launchStarted")
        writer.member("at", event.moment)
      }
    } else {
      event.write(to: &writer, in: outline)
    }
    writer.endLine()
    batch += writer.bytes
  }
}
