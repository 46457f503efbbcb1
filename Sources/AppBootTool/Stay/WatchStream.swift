import AppBoot
import AppBootRecords
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
      guard let entry = try RecordArchive.running(in: directory), entry.isUnfinished else { return nil }
      let file = try ReadFile(entry.path)
      let journal = try Self.read(file)
      let record = try RecordArchive.read(SourceText(name: entry.path, bytes: journal)).record
      if let manifest = source.manifest, !ManifestScope.isSame(manifest, record.outline.manifestName) {
        throw StayError.otherManifest(
          record.outline.manifestName ?? "a manifest without a file", asked: manifest, directory: directory)
      }
      (origin, isReadOnly) = (.journal(file, offset: journal.count), !client.isOwn)
      let start = WallClock.nanoseconds(of: record.startedAt) ?? WallClock.now()
      let expected = RecentDurations.medians(
        in: DirectoryStateStore(path: directory), of: record.outline.manifestName)
      first = [
        WatchLines.snapshot(of: record, at: max(0, WallClock.now() - start), status: nil, expected: expected)
      ]
      return
    }
    try readFirst(of: client, asked: source.manifest)
  }

  /// Reads the first line of an app, which may be an error.
  private func readFirst(of client: ControlClient, asked manifest: String?) throws {
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
