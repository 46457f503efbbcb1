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
    switch event.kind {
    case .launchStarted:
      // The first line has said the rest.
      append("{\"kind\":\"launchStarted\",\"at\":")
      append(event.time)
      append("}\n")
    case .ready(let step):
      begin("{\"kind\":\"ready\",\"at\":", event.time, step, plan)
      append("}\n")
    case .started(let step, let attempt):
      begin("{\"kind\":\"started\",\"at\":", event.time, step, plan)
      append(",\"attempt\":")
      append(Int64(attempt))
      append("}\n")
    case .usedCPU(let step, let time):
      begin("{\"kind\":\"usedCPU\",\"at\":", event.time, step, plan)
      append(",\"time\":")
      append(time)
      append("}\n")
    case .ended(let step, .succeeded):
      begin("{\"kind\":\"ended\",\"at\":", event.time, step, plan)
      append(",\"state\":\"succeeded\"}\n")
    default:
      var writer = JSONWriter()
      event.write(to: &writer, in: plan)
      writer.endLine()
      batch += writer.bytes
    }
  }

  private mutating func begin(_ text: StaticString, _ time: Int64, _ step: Int, _ plan: StartupPlan) {
    append(text)
    append(time)
    append(",\"step\":")
    batch.append(quoted: plan.steps[step].id)
  }

  private mutating func append(_ text: StaticString) {
    batch.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ number: Int64) {
    if number < 0 { batch.append(UInt8(ascii: "-")) }
    batch.append(decimal: number.magnitude)
  }
}
