import AppBoot

/// An encoder that writes events as lines of a journal, and collects them in batches.
struct JournalEncoder: Sendable {
  /// The number of bytes after which output is held back. Then only the last line of each step's output is written.
  static let outputLimit = 1 << 20

  /// The lines that were not written yet.
  private(set) var batch: [UInt8] = []
  private var written = 0
  private var heldBack: [Int: StartupEvent] = [:]

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

  mutating func add(_ event: StartupEvent, in outline: LaunchOutline) {
    if case .output(let step, _, _, _) = event.kind, holdsOutputBack {
      heldBack[step] = event
      return
    }
    if !heldBack.isEmpty, let step = event.kind.step, let output = heldBack.removeValue(forKey: step) {
      encode(output, in: outline)
    }
    encode(event, in: outline)
  }

  private mutating func encode(_ event: StartupEvent, in outline: LaunchOutline) {
    var writer = JSONWriter()
    event.write(to: &writer, in: outline)
    writer.endLine()
    batch += writer.bytes
  }
}
