/// An encoder that writes events as lines of a journal. It collects them in batches, in a buffer that is used again.
///
/// For the events that every step has, it has separate code. It writes the other events with
/// ``StartupEvent/write(to:in:)``. Both ways give the same text.
///
/// The fast path of the benchmark row "journal": without it each event needs a separate JSON writer.
struct JournalEncoder: Sendable {
  /// The number of bytes after which output is held back. Then only the last line of each step's output is written.
  static let outputLimit = 1 << 20

  /// The lines that were not written yet.
  private(set) var batch: [UInt8] = []
  /// The buffer of the next batch.
  private var spare: [UInt8] = []
  private var written = 0
  private var heldBack: [Int: StartupEvent] = [:]

  var hasBatch: Bool { !batch.isEmpty }

  /// True if output is held back: only the last line of each step's output is written from now on.
  var holdsOutputBack: Bool { written + batch.count > Self.outputLimit }

  mutating func start(with header: [UInt8]) { batch = header }

  /// Returns the current batch, and begins the next one.
  mutating func takeBatch() -> [UInt8] {
    written += batch.count
    swap(&batch, &spare)
    defer { spare = [] }
    return spare
  }

  /// Takes the buffer of a batch that was written, and uses it for a later batch.
  mutating func reuse(_ buffer: consuming [UInt8]) {
    // A batch that had to wait for a slow disk can be large.
    guard buffer.capacity <= Self.outputLimit else { return }
    buffer.removeAll(keepingCapacity: true)
    spare = buffer
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
    switch event.kind {
    case .launchStarted: return appendStart(at: event.moment)
    case .ready(let step):
      if appendLine("{\"kind\":\"ready\",\"at\":", event.moment, step, outline, "") { return }
    case .started(let step, let attempt):
      let number = Int64(attempt)
      if appendLine("{\"kind\":\"started\",\"at\":", event.moment, step, outline, ",\"attempt\":", number) {
        return
      }
    case .usedCPU(let step, let time):
      if appendLine(
        "{\"kind\":\"usedCPU\",\"at\":", event.moment, step, outline, ",\"time\":", time.nanoseconds)
      {
        return
      }
    case .ended(let step, .succeeded):
      if appendLine("{\"kind\":\"ended\",\"at\":", event.moment, step, outline, ",\"state\":\"succeeded\"") {
        return
      }
    default: break
    }
    var writer = JSONWriter()
    event.write(to: &writer, in: outline)
    writer.endLine()
    batch += writer.bytes
  }

  /// Appends the first event. It does not have the steps, because the journal's first line has them.
  private mutating func appendStart(at time: Int64) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", "launchStarted")
      writer.member("at", time)
    }
    writer.endLine()
    batch += writer.bytes
  }

  /// The maximum length of a line in bytes: an id of 64 bytes, two numbers of 20 digits, and 80 bytes of keys.
  private static let longestLine = 256

  /// Appends a line in one operation. Returns false and appends nothing if the step's id is long or needs escapes.
  @inline(__always)
  private mutating func appendLine(
    _ beginning: StaticString, _ time: Int64, _ step: Int, _ outline: LaunchOutline, _ end: StaticString,
    _ number: Int64? = nil
  ) -> Bool {
    var id = outline.steps[step].id
    return id.withUTF8 { id in
      batch.append(upTo: Self.longestLine) { line in
        line.write(beginning)
        line.write(time)
        line.write(",\"step\":")
        guard line.write(quoted: id) else {
          line.removeAll()
          return false
        }
        line.write(end)
        if let number { line.write(number) }
        line.write("}\n")
        return true
      }
    }
  }
}
