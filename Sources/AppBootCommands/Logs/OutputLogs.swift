import AppBoot
import AppBootRecords
package import AppBootSystem

/// The logs of the steps' output: files in the state directory, for each launch and step, of bounded size.
///
/// Another thread writes them, so a slow disk delays neither timeouts nor signals. While more than ``capacity`` bytes
/// wait for it, reading the processes' output pauses (``isBehind``). What is still read beyond ``mostWaiting``, from
/// processes that are ending, is dropped.
package final class OutputLogs: StepLogs {
  /// The number of waiting bytes above which reading pauses.
  package static let capacity = 1 << 21
  /// The number of waiting bytes at which more output is dropped.
  static let mostWaiting = 1 << 24
  /// The nanoseconds that a reader of output waits for the disk before it pauses.
  private static let shortWait: Int64 = 5_000_000

  /// The log of a step, for ``append(_:from:to:)``.
  package struct Log: Sendable {
    fileprivate let index: Int
  }

  /// The location and the limits of a log, for another process that writes to it.
  package struct Location: Sendable {
    package let directory: String
    package let name: String
    package let launch: String
    package let limits: LogLimits
    /// The stream that printed the unfinished line at the end; `nil` if the last line is finished.
    package let open: CapturedStream?
  }

  private struct State: Sendable {
    var buffers = LogBuffers()
    /// The bytes that were dropped and not reported.
    var dropped = 0
    /// True while the writing thread runs.
    var hasWriter = false
    /// True if the last wait for the disk was too short.
    var isSlow = false
    /// True if nothing is logged any more.
    var isOff = false

    /// Returns true if the writing thread has to start.
    mutating func mustStart() -> Bool {
      guard !hasWriter, buffers.needsWriter else { return false }
      hasWriter = true
      return true
    }
  }

  /// The directory of the logs.
  package let directory: String
  private let store: DirectoryStateStore
  private let limits: LogLimits
  private let warn: @Sendable (String) -> Void
  private let willWrite: @Sendable () -> Void
  private let state = Condition(State())
  /// The files by the indices of their buffers; only the writing thread uses them.
  private let files = Lock<[Int: RotatingFile]>([:])
  /// Held while the writing thread uses a file.
  private let writing = Lock(())
  /// The files of earlier launches by the names of the logs; `nil` until the directory exists and was checked.
  private let older = Lock<[String: [LogFile]]?>(nil)
  /// The lock of the launch's directory, which keeps other launches from replacing its files.
  private let launchLock = Lock<FileLock?>(nil)
  private let job = BackgroundJob(name: "appboot-logs")

  /// - Parameters:
  ///   - state: The path of the state directory.
  ///   - willWrite: Called on the writing thread before each write, for tests.
  ///   - warn: Receives the first error.
  package init(
    state: String, limits: LogLimits = LogLimits(),
    willWrite: @escaping @Sendable () -> Void = {}, warn: @escaping @Sendable (String) -> Void
  ) {
    directory = Self.directory(in: state)
    store = DirectoryStateStore(path: state)
    (self.limits, self.willWrite, self.warn) = (limits, willWrite, warn)
  }

  /// Stops logging, because another launch uses the directory.
  package func turnOff() {
    state.withLock { state in
      state.isOff = true
      state.buffers.discard()
    }
  }

  // MARK: - Output

  /// Returns the log of a step for the output of a process. The first bytes of a launch begin a new file.
  package func begin(ofStep id: String, launch: String) -> Log {
    state.withLock { state in
      let index = state.buffers.index(ofStep: id, launch: launch)
      state.buffers.begin(index)
      return Log(index: index)
    }
  }

  /// Appends output of a process without waiting for the disk.
  ///
  /// The first error of a write is reported, and stops the logging of all steps.
  package func append(_ bytes: UnsafeRawBufferPointer, from stream: CapturedStream, to log: Log) {
    let now = MonotonicClock.now()
    change { state in
      guard state.buffers.count < Self.mostWaiting else {
        state.dropped += bytes.count
        return
      }
      state.buffers.append(bytes, from: stream, to: log.index, at: now, Self.time)
    }
  }

  /// Ends the output of a process: its last line is written without its end, and the files are closed.
  package func end(_ log: Log) { change { $0.buffers.end(log.index, at: Self.time) } }

  /// Calls a function with the location of a step's log once its output is written. The log is then another process's.
  ///
  /// The location is `nil` if logging has stopped.
  package func handOver(
    ofStep id: String, launch: String, to receiver: @escaping @Sendable (Location?) -> Void
  ) {
    let isOn = change { state in
      state.buffers.add(receiver, to: state.buffers.index(ofStep: id, launch: launch))
    }
    if !isOn { receiver(nil) }
  }

  /// True if the disk is so slow that output must not be read now.
  ///
  /// Waits for the disk for a few milliseconds; it then waits again only after the disk has caught up.
  package var isBehind: Bool {
    let (isBehind, isSlow) = state.withLock { state in
      let isBehind = state.buffers.count > Self.capacity
      if !isBehind { state.isSlow = false }
      return (isBehind, state.isSlow)
    }
    guard isBehind, !isSlow else { return isBehind }
    let deadline = MonotonicClock.now() + Self.shortWait
    if state.wait(until: deadline, for: { $0.buffers.count > Self.capacity ? nil : () }) != nil {
      return false
    }
    state.withLock { $0.isSlow = true }
    return true
  }

  /// Calls a function while all log files are closed, because it needs their descriptors.
  ///
  /// Later output opens the files again. If no descriptor is left then, logging stops with a warning. The wait for the
  /// writing thread may take a second.
  package func withFilesClosed<Result>(_ body: () throws -> Result) rethrows -> Result {
    try writing.withLock { _ in
      files.withLock { files in
        for index in files.keys { files[index]?.close() }
      }
      return try body()
    }
  }

  /// Waits until all output is written, and reports what is not in the logs.
  ///
  /// - Parameter most: The longest wait in nanoseconds; `nil` for no limit.
  package func settle(within most: Int64? = nil) {
    change { $0.buffers.flush(at: Self.time) }
    let deadline = most.map(MonotonicClock.deadline)
    let isWritten = state.wait(until: deadline) { $0.buffers.isSettled ? () : nil } != nil
    let lost = state.withLock { state in
      defer { state.dropped = 0 }
      return state.dropped + (isWritten ? 0 : state.buffers.count)
    }
    guard lost > 0 else { return }
    warn(
      "\(lost) bytes of the steps' output are missing from the logs in \"\(directory)\": "
        + "the disk was too slow; use a state directory on a faster disk")
  }

  /// The time of the day in microseconds.
  private static var time: Int64 { WallClock.now() / 1000 }

  /// Changes the buffers, and wakes the writing thread. Returns false, and changes nothing, if logging has stopped.
  @discardableResult
  private func change(_ body: (inout State) -> Void) -> Bool {
    let (isOn, mustStart) = state.withLock { state in
      guard !state.isOff else { return (false, state.mustStart()) }
      body(&state)
      return (true, state.mustStart())
    }
    if mustStart { job.request { [self] in writeAll() } } else { state.broadcast() }
    return isOn
  }

  // MARK: - The writing thread

  private func writeAll() {
    while let works = nextWorks() {
      for work in works { perform(work) }
      state.withLock { $0.buffers.finishAll() }
      state.broadcast()
    }
  }

  /// Returns the next work; waits while only the beginnings of lines are held back. Returns `nil` if there is none.
  private func nextWorks() -> [LogWork]? {
    while true {
      let now = MonotonicClock.now()
      let (works, due) = state.withLock { state in
        let (works, due) = state.buffers.take(at: now, Self.time)
        state.hasWriter = !works.isEmpty || due != nil
        return (works, due)
      }
      if !works.isEmpty { return works }
      guard let due else { return nil }
      _ = state.wait(until: due) { $0.buffers.hasWork ? () : nil }
    }
  }

  private func perform(_ work: LogWork) {
    if !state.withLock(\.isOff) {
      do { try writing.withLock { _ in try write(work) } } catch { stop(because: error) }
    }
    if !work.receivers.isEmpty { handOver(work) }
    state.withLock { $0.buffers.finish(work) }
    state.broadcast()
  }

  private func handOver(_ work: LogWork) {
    var location: Location?
    if !state.withLock(\.isOff) {
      location = Location(
        directory: directory, name: Self.name(ofStep: work.step), launch: work.launch, limits: limits,
        open: work.open)
    }
    for receiver in work.receivers { receiver(location) }
  }

  private func write(_ work: LogWork) throws {
    willWrite()
    // Taken out, so that the file is changed in place.
    var file = files.withLock { $0.removeValue(forKey: work.index) }
    defer { files.withLock { $0[work.index] = file } }
    if file == nil, !work.bytes.isEmpty || !work.receivers.isEmpty { file = try newFile(for: work) }
    if !work.bytes.isEmpty {
      try work.bytes.withUnsafeBytes { bytes throws in try file?.append(bytes, work.marks) }
    }
    if !work.receivers.isEmpty { file?.share() }
    if work.isEnding { file?.close() }
  }

  private func stop(because error: any Error) {
    let isFirst = state.withLock { state in
      defer {
        state.isOff = true
        state.buffers.discard()
      }
      return !state.isOff
    }
    if isFirst { warn("the steps' output is no longer logged: \(error)") }
  }

  private func newFile(for work: LogWork) throws -> RotatingFile {
    let name = Self.name(ofStep: work.step)
    return RotatingFile(
      launch: work.launch, name: name, in: directory, limits: limits,
      older: try prepare(work.launch)[name] ?? [])
  }

  /// The first part of the id of the oldest launch whose logs are kept; empty for all.
  private var oldestLaunch: String {
    guard let days = limits.maxDays else { return "" }
    return LaunchID.compact(
      WallClock.timestamp(nanoseconds: WallClock.now() - Int64(days) * 86_400_000_000_000))
  }

  /// Creates the directories of the logs and of the launch. Returns the files of earlier launches.
  private func prepare(_ launch: String) throws -> [String: [LogFile]] {
    if let older = older.withLock(\.self) { return older }
    try store.prepare()
    try FileSystem.checkOwn(directory: directory, followingLinks: false)
    try FileSystem.createDirectory(directory, mode: 0o700)
    // If there are too few descriptors now, a later launch removes the files of earlier launches.
    let files = (try? LogFile.replaceable(in: directory, since: oldestLaunch)) ?? [:]
    try LogFile.createDirectory(ofLaunch: launch, in: directory)
    older.withLock { $0 = files }
    launchLock.withLock { $0 = LogFile.lock(launch: launch, in: directory) }
    return files
  }
}

extension OutputLogs {
  /// The directory of the logs in a state directory.
  package static func directory(in state: String) -> String { FileSystem.join(state, "logs") }

  /// The maximum number of bytes of a log's name. File systems allow 255, with the number and the ending of a file.
  private static let longestName = 200

  /// Returns the name of a step's log.
  ///
  /// It is the step's id, in which hidden characters and ASCII characters other than letters, digits, `-`, `_` and `~`
  /// are percent-encoded. The end of a long name is the id's hash.
  package static func name(ofStep id: String) -> String {
    let parts = id.unicodeScalars.map(encoded)
    let name = parts.joined()
    guard name.utf8.count > longestName else { return name }
    let end = "~" + SHA256.hexadecimal(of: Array(id.utf8)).prefix(16)
    var room = longestName - end.utf8.count
    let beginning = parts.prefix { part in
      room -= part.utf8.count
      return room >= 0
    }
    return beginning.joined() + end
  }

  private static func encoded(_ scalar: Unicode.Scalar) -> String {
    let character = Character(scalar)
    let isPlain =
      scalar.isASCII
      ? character.isLetter || character.isNumber || "-_~".contains(character) : !VisibleText.isHidden(scalar)
    return isPlain ? "\(scalar)" : "\(scalar)".utf8.map { "%" + Hexadecimal.text(of: [$0]) }.joined()
  }

  /// Returns the ids of the steps that have a log in a state directory, sorted; for a long id, its log's name.
  ///
  /// - Throws: `SystemError` if the directory exists and cannot be read.
  package static func steps(in state: String) throws(SystemError) -> [String] {
    try LogFile.all(in: directory(in: state)).keys.map { step(ofLog: $0) }.sorted()
  }

  /// Returns the id of the step with a log of a name; for a long id, the name.
  package static func step(ofLog name: String) -> String { name.percentDecoded }
}
