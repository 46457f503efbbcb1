import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The events of a running launch or app as lines of JSON: from its control socket, or from the journal of a launch
/// without one.
///
/// The first line is a snapshot. The lines have no `output`, because the logs have all of it.
final class WatchStream {
  private enum Origin {
    case socket(StreamSocket)
    case journal(ReadFile, offset: Int)
  }

  /// The nanoseconds between two looks at a journal.
  static let interval: Int64 = 250_000_000

  private let directory: String
  private var origin: Origin
  private var bytes: [UInt8] = []
  private var first: [String] = []
  /// True if the events are another user's, whose app can only be watched.
  let isReadOnly: Bool
  /// True if no more lines follow.
  private(set) var isOver = false

  /// Connects to the app, or opens the journal of the launch. Returns `nil` if nothing is running.
  ///
  /// - Throws: ``StayError``, ``ControlError``, ``ControlFailure``, `RecordError` or `SystemError`.
  init?(_ source: StateSource) throws {
    directory = source.directory
    let client = ControlClient(source)
    do {
      let socket = try client.watch(until: MonotonicClock.deadline(after: 10_000_000_000))
      (origin, isReadOnly) = (.socket(socket), !client.isOwn)
    } catch StayError.notRunning {
      guard let running = try RunningLaunch(of: source) else { return nil }
      let file = try ReadFile(running.path)
      let journal = try Self.read(file)
      let record = try RecordArchive.read(SourceText(name: running.path, bytes: journal)).record
      (origin, isReadOnly) = (.journal(file, offset: journal.count), !client.isOwn)
      first = [WatchLines.snapshot(of: record, at: running.time, status: nil, expected: running.medians)]
      return
    }
    try readFirst(asked: source.manifest)
  }

  /// Reads the first line of an app, which may be an error.
  private func readFirst(asked manifest: String?) throws {
    guard case .socket(let socket) = origin else { return }
    let deadline = MonotonicClock.deadline(after: 10_000_000_000)
    do {
      while first.isEmpty {
        let new = try socket.read(until: deadline)
        guard !new.isEmpty else { throw ControlFailure.ended }
        bytes += new
        first = takeLines()
      }
    } catch let error as SystemError {
      if error.isTimeout { throw ControlFailure.silent }
      throw error.isBrokenConnection ? ControlFailure.ended as any Error : error
    }
    do {
      _ = try ControlClient.parse(Array(first[0].utf8))
    } catch let error as ControlError where error.kind == .otherManifest {
      throw StayError.otherManifest(error.message, asked: manifest ?? "", directory: directory)
    }
  }

  /// The descriptor that is readable when there are lines; `nil` for a journal, at which the caller looks from time to
  /// time.
  var descriptor: Int32? { if case .socket(let socket) = origin { socket.pollDescriptor } else { nil } }

  /// Returns the lines that have arrived.
  func lines() -> [String] {
    defer { first = [] }
    guard !isOver else { return first }
    switch origin {
    case .socket(let socket):
      do throws(SystemError) {
        while !isOver, let new = try socket.readAvailable() {
          bytes += new
          isOver = new.isEmpty
        }
      } catch {
        isOver = true
      }
    case .journal(let file, let offset):
      // Before the read: the end of the launch comes after its last line.
      let isRunning = RecordArchive.isRunning(in: directory)
      let new = (try? Self.read(file, from: offset)) ?? []
      origin = .journal(file, offset: offset + new.count)
      bytes += new
      isOver = !isRunning
    }
    return first + takeLines().filter { !$0.hasPrefix(#"{"kind":"output""#) }
  }

  /// Takes the whole lines from the bytes.
  private func takeLines() -> [String] {
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    defer { bytes.removeFirst(end + 1) }
    return bytes[..<end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the whole lines of a journal that begin at an offset.
  private static func read(_ file: ReadFile, from offset: Int = 0) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let new = try file.read(from: offset + bytes.count, limit: 1 << 16)
      if new.isEmpty { break }
      bytes += new
    }
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Array(bytes[..<end])
  }
}

/// A launch that another process runs now, as its journal shows it.
struct RunningLaunch {
  private let entry: RecordArchive.Entry
  private let directory: String
  /// The record so far.
  var record: LaunchRecord { entry.record }

  /// Reads the journal of a state directory. Returns `nil` if no launch runs there.
  ///
  /// - Throws: ``StayError`` if the journal cannot be read, or if the launch has another manifest.
  init?(of source: StateSource) throws(StayError) {
    let running: RecordArchive.Entry?
    do throws(RecordError) {
      running = try RecordArchive.running(in: source.directory)
    } catch {
      throw .damagedJournal(reason: error.summary)
    }
    guard let entry = running, entry.isUnfinished else { return nil }
    let name = entry.record.outline.manifestName
    if let manifest = source.manifest, !ManifestScope.isSame(manifest, name) {
      throw .otherManifest(
        name ?? "a manifest without a file", asked: manifest, directory: source.directory)
    }
    (self.entry, directory) = (entry, source.directory)
  }

  /// The path of the journal.
  var path: String { entry.path }

  /// The nanoseconds since the start of the launch.
  var time: Int64 {
    let now = WallClock.now()
    return max(0, now - (WallClock.nanoseconds(of: record.startedAt) ?? now))
  }

  /// The median durations of the steps in earlier launches.
  var medians: [String: Int64] {
    RecentDurations.medians(in: DirectoryStateStore(path: directory), of: record.outline.manifestName)
  }

  /// Returns the running and the waiting steps as text, with the time that is left.
  func text(_ style: TextStyle) -> String {
    let time = time
    let left = RemainingTime(medians: medians).estimate(record, at: time)
    let text = LiveExplanation(style: style).text(of: record, at: time, left: left)
    guard let damage = entry.damage.words else { return text }
    return text
      + style.wrapped("  \(style.visible("\(path) is damaged; skipping \(damage)"))", indent: 4)
      + "\n"
  }

  /// The text without the times that change although no event happens.
  var timelessText: String { LiveExplanation(style: TextStyle()).text(of: record, at: 0) }

  /// The record so far as JSON.
  var json: String { record.json(pretty: false) }
}
