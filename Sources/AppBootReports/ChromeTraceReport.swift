package import AppBoot
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
  package func text(of record: LaunchRecord) -> String {
    let record = record.withEstimatedEnd
    let timeline = Timeline(record)
    var events = TraceEvents(record: record, timeline: timeline)
    let steps = timeline.order.flatMap { events.slices(of: record[$0]) }
    let others = record.flatMap { events.others(of: $0) }
    let facts: JSONObject = [
      "launch": record.outline.name,
      "startedAt": record.startedAt,
      "outcome": record.outcome.name,
      "safeMode": record.outline.safeMode?.reason,
      "tool": record.header.toolText,
    ]
    let json: JSONObject = [
      "traceEvents": events.names + steps + others + events.flows + events.counts,
      "displayTimeUnit": "ms",
      "otherData": facts,
    ]
    return json.text(pretty: false)
  }
}

/// The events of a record's trace.
private struct TraceEvents {
  let record: LaunchRecord
  let timeline: Timeline
  private let path: CriticalPath
  private let locations: [SourceLocation?]
  private var nextAsync = 1

  private static let process = 1

  init(record: LaunchRecord, timeline: Timeline) {
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
    _ phase: String, _ name: String, _ category: String, at time: Int64, thread: Int, _ more: JSONObject
  ) -> JSONObject {
    [
      "ph": phase, "name": name, "cat": category, "ts": RawJSON(text: TimeNumbers.microseconds(time)),
      "pid": Self.process, "tid": thread,
    ] + more
  }

  private func slice(
    _ name: String, _ category: String, from start: Int64, to end: Int64, thread: Int, _ arguments: JSONObject
  ) -> JSONObject {
    let duration = RawJSON(text: TimeNumbers.microseconds(end - start))
    return event("X", name, category, at: start, thread: thread, ["dur": duration, "args": arguments])
  }

  // MARK: - Names

  var names: [JSONObject] {
    let rows = timeline.rows.isEmpty ? ["main"] : timeline.rows.map(\.name)
    return [metadata("process_name", thread: 0, ["name": record.outline.name])]
      + rows.enumerated().flatMap { index, row in
        [
          metadata("thread_name", thread: firstThread + index, ["name": row]),
          metadata("thread_sort_index", thread: firstThread + index, ["sort_index": index]),
        ]
      }
  }

  private func metadata(_ name: String, thread: Int, _ arguments: JSONObject) -> JSONObject {
    ["ph": "M", "name": name, "pid": Self.process, "tid": thread, "args": arguments]
  }

  // MARK: - Steps

  /// Returns the slice of a step, and those of its attempts and spans.
  mutating func slices(of step: StepRecord) -> [JSONObject] {
    guard let start = step.execution.startTime else { return [] }
    let thread = thread(of: step.index)
    let end = step.execution.endTime ?? timeline.end
    return [slice(step.id, "step", from: start, to: end, thread: thread, arguments(of: step))]
      + parts(of: step, in: start...end, thread: thread)
  }

  private func arguments(of step: StepRecord) -> JSONObject {
    let details = step.details
    return [
      "command": step.step.commandName,
      "state": step.state.name,
      "waitingNanoseconds": step.execution.waitingTime,
      "runningNanoseconds": step.execution.runningTime,
      "critical": path.contains(step.index),
      "slackNanoseconds": path.slack(of: step.index),
      "place": record.outline.place(of: locations[step.index]),
      "commandLine": details.commandLine,
      "note": details.note,
      "announcement": details.announcement,
      "failure": step.state.failure?.description,
      // Of a service that failed after its step.
      "failedAtNanoseconds": details.failureTime,
      "budgetNanoseconds": step.step.budgetTime,
      "provides": details.provides.isEmpty ? nil : details.provides,
      "reads": details.reads.isEmpty ? nil : details.reads,
    ]
  }

  /// Returns a step's attempts and spans.
  ///
  /// Slices of one thread must nest, so attempts and spans that overlap become asynchronous events.
  private mutating func parts(of step: StepRecord, in range: ClosedRange<Int64>, thread: Int) -> [JSONObject]
  {
    var open = [range]
    var events: [JSONObject] = []
    for part in SlicePart.parts(of: step, until: range.upperBound) {
      while let last = open.last, last.upperBound <= part.start, open.count > 1 { open.removeLast() }
      if let around = open.last, around.lowerBound <= part.start, part.end <= around.upperBound {
        events.append(
          slice(
            part.name, part.category, from: part.start, to: part.end, thread: thread, ["error": part.error]))
        open.append(part.start...part.end)
      } else {
        events += [("b", part.start), ("e", part.end)].map { phase, time in
          event(phase, part.name, part.category, at: time, thread: thread, ["id": nextAsync])
        }
        nextAsync += 1
      }
    }
    return events
  }

  /// Returns the events of a step that are not inside its slice: its undo, and the reason why it never ran.
  func others(of step: StepRecord) -> [JSONObject] {
    var events: [JSONObject] = []
    if let undo = step.details.undo {
      events.append(
        slice(
          "undo \(step.id)", "undo", from: undo.startTime, to: undo.endTime ?? timeline.end,
          thread: thread(of: step.index), ["failure": undo.failure?.description]))
    }
    guard step.execution.startTime == nil, let reason = record.reasonText(of: step.index) else {
      return events
    }
    let time = step.execution.endTime ?? 0
    let arguments: JSONObject = ["reason": reason]
    return events + [
      event(
        "i", "\(step.id) \(step.state.verb)", "skip", at: time, thread: firstThread,
        ["s": "t", "args": arguments])
    ]
  }

  // MARK: - Arrows and counters

  var flows: [JSONObject] {
    var flows: [JSONObject] = []
    for step in record {
      guard let start = step.execution.startTime else { continue }
      for before in record.outline.predecessors(of: step.index) {
        let other = record[before].execution
        guard let otherStart = other.startTime, let otherEnd = other.endTime else { continue }
        // An arrow belongs to the slice that is open at its time; at its end a slice is already closed.
        let tail = max(otherStart, min(otherEnd, start) - 1)
        let id = flows.count / 2 + 1
        flows.append(event("s", "after", "after", at: tail, thread: thread(of: before), ["id": id]))
        flows.append(
          event("f", "after", "after", at: start, thread: thread(of: step.index), ["bp": "e", "id": id]))
      }
    }
    return flows
  }

  var counts: [JSONObject] {
    StepCounts(record, end: timeline.end).all.map { count in
      let arguments: JSONObject = ["running": count.running, "waiting": count.waiting]
      return event("C", "steps", "counter", at: count.time, thread: firstThread, ["args": arguments])
    }
  }
}

/// An attempt of a step, a pause between attempts, or a span, which is drawn as a slice inside the step's slice.
struct SlicePart {
  /// The category of a wait for a slot or for the main lane.
  static let wait = "wait"

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
      return [("backoff", start, ready), (wait, ready, next)].filter { $0.1 < $0.2 }
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
  init(_ record: LaunchRecord, end: Int64) {
    var changes: [Int64: (running: Int, waiting: Int)] = [:]
    func add(running: Int, waiting: Int, at time: Int64) {
      changes[time, default: (0, 0)].running += running
      changes[time, default: (0, 0)].waiting += waiting
    }
    for step in record {
      guard let start = step.execution.startTime else { continue }
      let stop = max(start, step.execution.endTime ?? end)
      add(running: 0, waiting: 1, at: min(start, max(0, start - step.execution.waitingTime)))
      add(running: 1, waiting: -1, at: start)
      for pause in SlicePart.pauses(of: step, until: stop) {
        add(running: -1, waiting: 1, at: pause.start)
        add(running: 1, waiting: -1, at: pause.end)
      }
      add(running: -1, waiting: 0, at: stop)
    }
    var current = Count(time: 0, running: 0, waiting: 0)
    for (time, change) in changes.sorted(by: { $0.key < $1.key }) where all.isEmpty || change != (0, 0) {
      current = Count(
        time: time, running: current.running + change.running, waiting: current.waiting + change.waiting)
      all.append(current)
    }
  }
}
