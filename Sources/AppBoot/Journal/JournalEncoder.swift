/// Turns events into the lines of a journal, a batch at a time, into a buffer that is used again.
///
/// What every step has goes in by hand, and the rest by ``StartupEvent/write(to:in:)``: the same text either way.
struct JournalEncoder: Sendable {
  /// Bytes after which a journal holds back output: it then writes only each step's last line.
  static let outputLimit = 1 << 20

  /// The lines that were not written yet.
  private(set) var batch: [UInt8] = []
  private var written = 0
  private var heldBack: [Int: StartupEvent] = [:]

  var hasBatch: Bool { !batch.isEmpty }

  mutating func start(with header: [UInt8]) { batch = header }

  mutating func endBatch() {
    written += batch.count
    batch.removeAll(keepingCapacity: true)
  }

  mutating func add(_ event: StartupEvent, in outline: LaunchOutline) {
    if case .output(let step, _, _) = event.kind, written > Self.outputLimit {
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
    case .launchStarted: return appendStart(at: event.time)
    case .ready(let step):
      if appendLine("{\"kind\":\"ready\",\"at\":", event.time, step, outline, "") { return }
    case .started(let step, let attempt):
      let number = Int64(attempt)
      if appendLine("{\"kind\":\"started\",\"at\":", event.time, step, outline, ",\"attempt\":", number) {
        return
      }
    case .usedCPU(let step, let time):
      if appendLine("{\"kind\":\"usedCPU\",\"at\":", event.time, step, outline, ",\"time\":", time) { return }
    case .ended(let step, .succeeded):
      if appendLine("{\"kind\":\"ended\",\"at\":", event.time, step, outline, ",\"state\":\"succeeded\"") {
        return
      }
    default: break
    }
    var writer = JSONWriter()
    event.write(to: &writer, in: outline)
    writer.endLine()
    batch += writer.bytes
  }

  /// The first line has said the rest.
  private mutating func appendStart(at time: Int64) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("kind", "launchStarted")
      writer.member("at", time)
    }
    writer.endLine()
    batch += writer.bytes
  }

  /// An id of 64 bytes with its quotation marks, two numbers of 20, and 80 bytes of keys leave room.
  private static let longestLine = 256

  /// One line in one piece; false, and nothing is appended, where the step's id is no short and plain text.
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
