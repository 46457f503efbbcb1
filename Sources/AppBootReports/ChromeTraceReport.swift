package import AppBoot
import AppBootAnalysis
import AppBootRecords

/// A report that writes a record as Chrome's trace event JSON, which Perfetto and `chrome://tracing` open.
///
/// The main lane is one thread. The background lane has several threads if steps ran at the same time. A step is a
/// slice with its attempts, the pauses between them and its spans inside. Arrows lead from a step to its dependents. A
/// counter has the numbers of running and waiting steps. Times are in microseconds.
/// Format: "Trace Event Format", Google, 2016.
package struct ChromeTraceReport: Sendable {
  /// Creates a report in the format of Chrome traces.
  package init() {}

  /// Returns the record as JSON.
  package func text(of record: StartupRecord) -> String {
    let record = record.withEstimatedEnd
    let timeline = Timeline(record)
    var events = TraceEvents(record: record, timeline: timeline)
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("traceEvents")
      writer.array { writer in
        events.writeNames(to: &writer)
        for index in timeline.order { events.write(record[index], to: &writer) }
        for step in record { events.writeRest(of: step, to: &writer) }
        events.writeFlows(to: &writer)
        events.writeCounts(to: &writer)
      }
      writer.member("displayTimeUnit", "ms")
      writer.key("otherData")
      writer.object { writer in
        writer.member("launch", record.outline.name)
        writer.member("startedAt", record.startedAt)
        writer.member("outcome", record.outcome.name)
        if let safeMode = record.outline.safeMode { writer.member("safeMode", safeMode.reason) }
        if let tool = record.header.tool { writer.member("tool", "\(tool.name) \(tool.version)") }
      }
    }
    writer.endLine()
    return writer.text
  }
}

/// A writer of a record's trace events.
private struct TraceEvents {
  let record: StartupRecord
  let timeline: Timeline
  private let path: CriticalPath
  private let locations: [SourceLocation?]
  private var nextAsync = 1

  private static let process = 1

  init(record: StartupRecord, timeline: Timeline) {
    self.record = record
    self.timeline = timeline
    path = CriticalPath(of: record)
    locations = record.outline.locations()
  }

  /// The number of the first row's thread. Perfetto calls the thread with the number of the process the main thread, so
  /// only the main lane has it.
  private var firstThread: Int { timeline.rows.first?.lane == .background ? Self.process + 1 : Self.process }

  /// Returns the number of the thread that a step is drawn on.
  private func thread(of step: Int) -> Int { firstThread + (timeline.rowOfStep[step] ?? 0) }

  private func event(
    _ phase: String, _ name: String, _ category: String, at time: Int64, thread: Int,
    to writer: inout JSONWriter, _ more: (inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writer.member("ph", phase)
      writer.member("name", name)
      writer.member("cat", category)
      writer.key("ts")
      writer.raw(TimeNumbers.microseconds(time).utf8)
      writer.member("pid", Self.process)
      writer.member("tid", thread)
      more(&writer)
    }
  }

  private func slice(
    _ name: String, _ category: String, from start: Int64, to end: Int64, thread: Int,
    to writer: inout JSONWriter, arguments: (inout JSONWriter) -> Void
  ) {
    event("X", name, category, at: start, thread: thread, to: &writer) { writer in
      writer.key("dur")
      writer.raw(TimeNumbers.microseconds(end - start).utf8)
      writer.key("args")
      writer.object { arguments(&$0) }
    }
  }

  // MARK: - Names

  func writeNames(to writer: inout JSONWriter) {
    metadata("process_name", thread: 0, to: &writer) { $0.member("name", record.outline.name) }
    let rows = timeline.rows.isEmpty ? ["main"] : timeline.rows.map(\.name)
    for (index, row) in rows.enumerated() {
      metadata("thread_name", thread: firstThread + index, to: &writer) { $0.member("name", row) }
      metadata("thread_sort_index", thread: firstThread + index, to: &writer) {
        $0.member("sort_index", index)
      }
    }
  }

  private func metadata(
    _ name: String, thread: Int, to writer: inout JSONWriter, _ arguments: (inout JSONWriter) -> Void
  ) {
    writer.object { writer in
      writer.member("ph", "M")
      writer.member("name", name)
      writer.member("pid", Self.process)
      writer.member("tid", thread)
      writer.key("args")
      writer.object { arguments(&$0) }
    }
  }

  // MARK: - Steps

  mutating func write(_ step: StepRecord, to writer: inout JSONWriter) {
    guard let start = step.execution.startTime else { return }
    let thread = thread(of: step.index)
    let end = step.execution.endTime ?? timeline.end
    slice(step.id, "step", from: start, to: end, thread: thread, to: &writer) { writer in
      writeArguments(of: step, to: &writer)
    }
    writeParts(of: step, in: start...end, thread: thread, to: &writer)
  }

  private func writeArguments(of step: StepRecord, to writer: inout JSONWriter) {
    writer.member("command", step.step.commandName)
    writer.member("state", step.state.name)
    writer.member("waitingNanoseconds", step.execution.waitingTime)
    writer.member("runningNanoseconds", step.execution.runningTime)
    writer.member("critical", path.contains(step.index))
    if let slack = path.slack(of: step.index) { writer.member("slackNanoseconds", slack) }
    if let place = record.outline.place(of: locations[step.index]) { writer.member("place", place) }
    if let line = step.details.commandLine { writer.member("commandLine", line) }
    if let note = step.details.note { writer.member("note", note) }
    if let text = step.details.announcement { writer.member("announcement", text) }
    if let failure = step.state.failure { writer.member("failure", failure.description) }
    if let budget = step.step.budgetTime { writer.member("budgetNanoseconds", budget) }
    if !step.details.provides.isEmpty { writer.member("provides", step.details.provides) }
    if !step.details.reads.isEmpty { writer.member("reads", step.details.reads) }
  }

  /// Writes a step's attempts and spans.
  ///
  /// Slices of one thread must nest, so attempts and spans that overlap become asynchronous events.
  private mutating func writeParts(
    of step: StepRecord, in range: ClosedRange<Int64>, thread: Int, to writer: inout JSONWriter
  ) {
    var open = [range]
    for part in SlicePart.parts(of: step, until: range.upperBound) {
      while let last = open.last, last.upperBound <= part.start, open.count > 1 { open.removeLast() }
      if let around = open.last, around.lowerBound <= part.start, part.end <= around.upperBound {
        slice(part.name, part.category, from: part.start, to: part.end, thread: thread, to: &writer) {
          writer in
          if let error = part.error { writer.member("error", error) }
        }
        open.append(part.start...part.end)
      } else {
        writeAsync(part, thread: thread, to: &writer)
      }
    }
  }

  private mutating func writeAsync(_ part: SlicePart, thread: Int, to writer: inout JSONWriter) {
    let id = nextAsync
    nextAsync += 1
    for (phase, time) in [("b", part.start), ("e", part.end)] {
      event(phase, part.name, part.category, at: time, thread: thread, to: &writer) { writer in
        writer.member("id", id)
      }
    }
  }

  /// Writes the events of a step that are not inside its slice: its undo, and the reason why it never ran.
  func writeRest(of step: StepRecord, to writer: inout JSONWriter) {
    if let undo = step.details.undo {
      let end = undo.endTime ?? timeline.end
      slice(
        "undo \(step.id)", "undo", from: undo.startTime, to: end, thread: thread(of: step.index), to: &writer
      ) { writer in
        if let failure = undo.failure { writer.member("failure", failure.description) }
      }
    }
    guard step.execution.startTime == nil, let reason = record.reasonText(of: step.index) else { return }
    let time = step.execution.endTime ?? 0
    event("i", "\(step.id) \(step.state.verb)", "skip", at: time, thread: firstThread, to: &writer) {
      writer in
      writer.member("s", "t")
      writer.key("args")
      writer.object { $0.member("reason", reason) }
    }
  }

  // MARK: - Arrows

  func writeFlows(to writer: inout JSONWriter) {
    var id = 1
    for step in record {
      guard let start = step.execution.startTime else { continue }
      for before in record.outline.predecessors(of: step.index) {
        let other = record[before].execution
        guard let otherStart = other.startTime, let otherEnd = other.endTime else { continue }
        // An arrow belongs to the slice that is open at its time; at its end a slice is already closed.
        let tail = max(otherStart, min(otherEnd, start) - 1)
        event("s", "after", "after", at: tail, thread: thread(of: before), to: &writer) {
          $0.member("id", id)
        }
        event("f", "after", "after", at: start, thread: thread(of: step.index), to: &writer) { writer in
          writer.member("bp", "e")
          writer.member("id", id)
        }
        id += 1
      }
    }
  }

  // MARK: - Counters

  func writeCounts(to writer: inout JSONWriter) {
    for count in StepCounts(record, end: timeline.end).all {
      event("C", "steps", "counter", at: count.time, thread: firstThread, to: &writer) { writer in
        writer.key("args")
        writer.object { writer in
          writer.member("running", count.running)
          writer.member("waiting", count.waiting)
        }
      }
    }
  }
}

/// An attempt of a step, a pause between attempts, or a span, which is drawn as a slice inside the step's slice.
struct SlicePart {
  let name: String
  let category: String
  let start: Int64
  let end: Int64
  let error: String?

  /// Returns the step's attempts, pauses and spans, sorted by start.
  ///
  /// If two start at the same time, the longer one is first.
  ///
  /// - Parameter end: The time in nanoseconds at which attempts and spans without an end are drawn to end.
  static func parts(of step: StepRecord, until end: Int64) -> [SlicePart] {
    let attempts = step.details.attempts.enumerated().map { number, attempt in
      SlicePart(
        name: "attempt \(number + 1)", category: "attempt", start: attempt.startTime,
        // In a hand-written record an attempt may start after its step's end.
        end: attempt.endTime ?? max(attempt.startTime, end),
        error: attempt.failure?.description)
    }
    let spans = step.details.spans.map { span in
      SlicePart(
        name: span.name, category: "span", start: span.startTime,
        end: span.endTime ?? max(span.startTime, end),
        error: span.error)
    }
    return (attempts + pauses(of: step, until: end) + spans).enumerated()
      .sorted {
        ($0.element.start, -$0.element.end, $0.offset) < ($1.element.start, -$1.element.end, $1.offset)
      }
      .map(\.element)
  }

  /// Returns the pauses after failed attempts: the backoff, then the wait for a slot or for the main lane.
  static func pauses(of step: StepRecord, until end: Int64) -> [SlicePart] {
    let attempts = step.details.attempts
    return attempts.indices.flatMap { index -> [SlicePart] in
      let next = index + 1 < attempts.count ? attempts[index + 1].startTime : end
      guard let retry = step.step.retry, index + 1 < retry.attempts, attempts[index].failure != nil,
        let start = attempts[index].endTime, start < next
      else { return [] }
      let ready = min(next, start.addingClamped(max(0, retry.delay(afterAttempt: index + 1))))
      let number = index + 1
      return [("backoff", start, ready), ("wait", ready, next)].filter { $0.1 < $0.2 }
        .map { name, start, end in
          SlicePart(name: "\(name) \(number)", category: name, start: start, end: end, error: nil)
        }
    }
  }
}

/// The numbers of running and waiting steps over the time of a launch.
///
/// A step waits from the time it is ready to its start, and between two attempts.
struct StepCounts {
  /// The numbers from one time to the next.
  struct Count: Equatable {
    let time: Int64
    var running: Int
    var waiting: Int
  }

  /// The numbers, sorted by time. Each element differs from the one before it.
  private(set) var all: [Count] = []

  /// Counts the steps of a record. Takes O(n log n) in the number of attempts.
  ///
  /// - Parameter end: The time in nanoseconds at which steps without an end count as ended.
  init(_ record: StartupRecord, end: Int64) {
    var changes: [Count] = []
    for step in record {
      guard let start = step.execution.startTime else { continue }
      let stop = max(start, step.execution.endTime ?? end)
      let ready = min(start, max(0, start - step.execution.waitingTime))
      changes.append(Count(time: ready, running: 0, waiting: 1))
      changes.append(Count(time: start, running: 1, waiting: -1))
      for pause in SlicePart.pauses(of: step, until: stop) {
        changes.append(Count(time: pause.start, running: -1, waiting: 1))
        changes.append(Count(time: pause.end, running: 1, waiting: -1))
      }
      changes.append(Count(time: stop, running: -1, waiting: 0))
    }
    add(changes.sorted { $0.time < $1.time })
  }

  private mutating func add(_ changes: [Count]) {
    var current = Count(time: 0, running: 0, waiting: 0)
    for (index, change) in changes.enumerated() {
      current = Count(
        time: change.time, running: current.running + change.running,
        waiting: current.waiting + change.waiting)
      let isLast = index + 1 == changes.count || changes[index + 1].time > change.time
      guard isLast, all.last?.running != current.running || all.last?.waiting != current.waiting else {
        continue
      }
      all.append(current)
    }
  }
}
