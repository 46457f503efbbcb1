package import AppBoot
import AppBootRecords
import AppBootSystem

/// A report that writes a record as OpenTelemetry traces in OTLP JSON: the launch is the root span, steps are its
/// children.
///
/// Ids are those of the record's trace, or are derived from its JSON, so the same record always has the same ids.
/// Format: `opentelemetry-proto` 1, `ExportTraceServiceRequest` in OTLP's JSON encoding. Ids are hexadecimal, and
/// 64-bit integers are strings.
package struct OTLPReport: Sendable {
  /// Creates a report in OpenTelemetry's JSON.
  package init() {}

  /// Returns the record as JSON.
  package func text(of record: LaunchRecord) -> String {
    let trace = OTLPTrace(record)
    let tool = record.header.tool
    let scope: JSONObject = ["name": tool?.name ?? "appboot", "version": tool?.version]
    let scopeSpans: JSONObject = ["scope": scope, "spans": trace.spans]
    let resourceSpans: JSONObject = ["resource": trace.resource, "scopeSpans": [scopeSpans]]
    let request: JSONObject = ["resourceSpans": [resourceSpans]]
    return request.text(pretty: false)
  }
}

/// A value of an attribute.
private protocol OTLPValue {
  /// The object with the value and its type.
  var attribute: JSONObject { get }
}

extension String: OTLPValue { fileprivate var attribute: JSONObject { ["stringValue": self] } }
extension Int64: OTLPValue { fileprivate var attribute: JSONObject { ["intValue": String(self)] } }
extension Bool: OTLPValue { fileprivate var attribute: JSONObject { ["boolValue": self] } }

/// The spans of a record's trace.
private struct OTLPTrace {
  typealias Attributes = KeyValuePairs<String, (any OTLPValue)?>

  private let record: LaunchRecord
  private let path: CriticalPath
  private let locations: [SourceLocation?]
  private let trace: RecordHeader.Trace
  private let origin: Int64
  private let end: Int64

  init(_ record: LaunchRecord) {
    let known = record.withEstimatedEnd
    self.record = known
    path = CriticalPath(of: known)
    locations = record.outline.locations()
    trace = record.header.trace ?? .derived(from: record)
    origin = WallClock.nanoseconds(of: record.startedAt) ?? 0
    end = Timeline(known).end
  }

  private func json(of attributes: some Sequence<(key: String, value: (any OTLPValue)?)>) -> [JSONObject] {
    attributes.compactMap { name, value in
      value.map { ["key": name, "value": $0.attribute] }
    }
  }

  var resource: JSONObject {
    let (labels, host) = (record.header.labels, record.header.host)
    let facts: Attributes = [
      "service.name": record.outline.name,
      "service.version": labels.first { $0.name == "version" }?.value,
      "os.type": host?.system.lowercased(),
      "os.version": host?.release,
      "host.arch": host.map { $0.architecture == "x86_64" ? "amd64" : $0.architecture },
      "host.cpu.model.name": host?.processor,
      "appboot.host.cores": host.map { Int64($0.cores) },
    ]
    // A label replaces an attribute: the names are unique.
    let others = facts.filter { fact in !labels.contains { $0.name == fact.key } }
    return ["attributes": json(of: others) + json(of: labels.map { (key: $0.name, value: $0.value) })]
  }

  // MARK: - Spans

  var spans: [JSONObject] {
    [root]
      + record.filter { $0.execution.startTime != nil }.flatMap { step in
        [span(of: step)] + attempts(of: step) + step.details.spans.map { span(of: $0, in: step) }
      } + record.compactMap(undo)
  }

  private func id(_ path: String) -> String { trace.spanID(of: path) }
  private func id(ofStep step: Int) -> String { trace.spanID(ofStep: step) }
  /// Returns a moment as nanoseconds since 1970.
  private func moment(_ time: Int64) -> String { String(origin.addingClamped(time)) }

  /// Returns a span.
  ///
  /// - Parameters:
  ///   - links: The steps that precede the span.
  ///   - error: The error message; `nil` for success.
  private func span(
    _ name: String, id: String, parent: String?, from start: Int64, to end: Int64,
    _ attributes: Attributes = [:],
    events: [JSONObject] = [], links: [Int] = [], error: String? = nil
  ) -> JSONObject {
    let attributes = json(of: attributes)
    let links = links.map { step -> JSONObject in ["traceId": trace.traceID, "spanId": self.id(ofStep: step)]
    }
    // STATUS_CODE_ERROR, STATUS_CODE_OK
    let status: JSONObject = ["code": error == nil ? 1 : 2, "message": error]
    return [
      "traceId": trace.traceID,
      "spanId": id,
      "parentSpanId": parent,
      "name": name,
      // SPAN_KIND_INTERNAL
      "kind": 1,
      "startTimeUnixNano": moment(start),
      "endTimeUnixNano": moment(end),
      "attributes": attributes.isEmpty ? nil : attributes,
      "events": events.isEmpty ? nil : events,
      "links": links.isEmpty ? nil : links,
      "status": status,
    ]
  }

  private func event(_ name: String, at time: Int64, _ attributes: Attributes) -> JSONObject {
    ["timeUnixNano": moment(time), "name": name, "attributes": json(of: attributes)]
  }

  /// Returns the event of a failure. It follows OpenTelemetry's semantic conventions for exceptions.
  private func exception(_ failure: Failure?, at time: Int64) -> [JSONObject] {
    guard let failure else { return [] }
    return [
      event(
        "exception", at: time,
        [
          "exception.message": failure.description,
          "exception.type": failure.type.isEmpty ? nil : failure.type,
        ])
    ]
  }

  private var root: JSONObject {
    let outline = record.outline
    let events = record.filter { $0.execution.startTime == nil }.map { step in
      event(
        "step \(step.state.name)", at: step.execution.endTime ?? end,
        [
          "appboot.step.id": step.id,
          "appboot.reason": record.reasonText(of: step.index) ?? "the step never started",
        ])
    }
    return span(
      outline.name, id: trace.spanID, parent: trace.parentID, from: 0, to: end,
      [
        "appboot.outcome": record.outcome.name,
        "appboot.steps": Int64(record.count),
        "appboot.launch.reason": outline.options.reason.rawValue,
        "appboot.safe_mode": outline.safeMode?.reason,
        "appboot.budget_ns": outline.budgetTime,
        "appboot.manifest": outline.manifestName,
        "appboot.manifest.digest": outline.manifestDigest,
      ], events: events,
      error: record.isStillRunning ? nil : OutcomeText(record).reason(subject: "the launch"))
  }

  private func span(of step: StepRecord) -> JSONObject {
    let last = step.execution.endTime ?? end
    let file = locations[step.index].flatMap { record.outline.file(of: $0) }
    return span(
      step.id, id: id(ofStep: step.index), parent: trace.spanID, from: step.execution.startTime ?? 0,
      to: last,
      [
        "appboot.step.id": step.id,
        "appboot.command": step.step.commandName,
        "appboot.lane": step.step.lane.rawValue,
        "appboot.state": step.state.name,
        "appboot.waiting_ns": step.execution.waitingTime,
        "appboot.critical": path.contains(step.index),
        "appboot.slack_ns": path.slack(of: step.index),
        "appboot.budget_ns": step.step.budgetTime,
        "appboot.note": step.details.note,
        "appboot.announcement": step.details.announcement,
        "code.file.path": file,
        "code.line.number": file == nil ? nil : locations[step.index].map { Int64($0.line) },
      ],
      events: exception(step.state.failure, at: step.details.failureTime ?? last),
      links: record.outline.predecessors(of: step.index).filter { record[$0].execution.startTime != nil },
      error: step.state == .running && !record.header.isLive
        ? "the step did not finish" : step.state.failure?.message)
  }

  private func attempts(of step: StepRecord) -> [JSONObject] {
    step.details.attempts.enumerated().map { number, attempt in
      let last = attempt.endTime ?? step.execution.endTime ?? end
      return span(
        "attempt \(number + 1)", id: id("attempt/\(step.index)/\(number)"), parent: id(ofStep: step.index),
        from: attempt.startTime, to: max(attempt.startTime, last),
        events: exception(attempt.failure, at: last),
        error: attempt.failure?.message)
    }
  }

  private func span(of part: StepSpan, in step: StepRecord) -> JSONObject {
    let last = max(part.startTime, part.endTime ?? step.execution.endTime ?? end)
    return span(
      part.name, id: id("span/\(step.index)/\(part.id)"),
      parent: part.parent.map { id("span/\(step.index)/\($0)") } ?? id(ofStep: step.index),
      from: part.startTime,
      to: last, error: part.error)
  }

  private func undo(of step: StepRecord) -> JSONObject? {
    step.details.undo.map { undo in
      span(
        "undo \(step.id)", id: id("undo/\(step.index)"), parent: trace.spanID, from: undo.startTime,
        to: undo.endTime ?? end, links: [step.index], error: undo.failure?.message)
    }
  }
}
