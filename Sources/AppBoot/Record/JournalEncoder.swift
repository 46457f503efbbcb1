/// Turns events into the lines of a journal, a batch at a time, into a buffer that is used again.
///
/// What every step has goes in by hand, and the rest by ``StartupEvent/write(to:in:)``: the same text either way.
struct JournalEncoder: Sendable {
  /// Bytes after which a journal holds back what processes print: the last line of each step will do.
  static let sayingLimit = 1 << 20

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

  mutating func add(_ event: StartupEvent, in plan: StartupPlan) {
    if case .said(let step, _) = event.kind, written > Self.sayingLimit {
      heldBack[step] = event
      return
    }
    if !heldBack.isEmpty, let step = event.kind.step, let said = heldBack.removeValue(forKey: step) {
      encode(said, in: plan)
    }
    encode(event, in: plan)
  }

  private mutating func encode(_ event: StartupEvent, in plan: StartupPlan) {
    let isWritten =
      switch event.kind {
      case .ready(let step):
        appendLine("{\"kind\":\"ready\",\"at\":", event.time, step, plan, "")
      case .started(let step, let attempt):
        appendLine("{\"kind\":\"started\",\"at\":", event.time, step, plan, ",\"attempt\":", Int64(attempt))
      case .usedCPU(let step, let time):
        appendLine("{\"kind\":\"usedCPU\",\"at\":", event.time, step, plan, ",\"time\":", time)
      case .ended(let step, .succeeded):
        appendLine("{\"kind\":\"ended\",\"at\":", event.time, step, plan, ",\"state\":\"succeeded\"")
      default: false
      }
    guard !isWritten else { return }
    var writer = JSONWriter()
    if case .launchStarted = event.kind {
      // The first line has said the rest.
      writer.object { writer in
        writer.member("kind", "launchStarted")
        writer.member("at", event.time)
      }
    } else {
      event.write(to: &writer, in: plan)
    }
    writer.endLine()
    batch += writer.bytes
  }

  /// One line in one piece; false, and nothing is appended, where the step's id is no short and plain text.
  @inline(__always)
  private mutating func appendLine(
    _ beginning: StaticString, _ time: Int64, _ step: Int, _ plan: StartupPlan, _ end: StaticString,
    _ number: Int64? = nil
  ) -> Bool {
    var id = plan.steps[step].id
    return id.withUTF8 { id in
      batch.append(upTo: 256) { line in
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
