package import AppBoot
import AppBootAnalysis
import AppBootRecords

/// A report that writes a record as OpenTelemetry traces in OTLP JSON: the launch is the root span, steps are its
/// children.
///
/// Ids are those of the record's trace, or are derived from its JSON, so the same record always has the same ids.
/// Format: `opentelemetry-proto` 1, `ExportTraceServiceRequest` in OTLP's JSON encoding (ids are hexadecimal).
package struct OTLPReport: Sendable {
  /// Creates a report in OpenTelemetry's JSON.
  package init() {}

  /// Returns the record as JSON.
  package func text(of record: StartupRecord) -> String {
    let trace = OTLPTrace(record)
    var writer = JSONWriter()
    writer.object { writer in
      writer.objects("resourceSpans") { writer in
        writer.key("resource")
        writer.object { $0.attributes(trace.resourceAttributes) }
        writer.objects("scopeSpans") { writer in
          writer.key("scope")
          writer.object { writer in
            writer.member("name", record.header.tool?.name ?? "appboot")
            if let tool = record.header.tool { writer.member("version", tool.version) }
          }
          writer.key("spans")
          writer.array { writer in
            for span in trace.spans() { span.write(to: &writer) }
          }
        }
      }
    }
    writer.endLine()
    return writer.text
  }
}

/// The spans of a record's trace.
private struct OTLPTrace {
  private let record: StartupRecord
  private let path: CriticalPath
  private let locations: [SourceLocation?]
  private let trace: RecordHeader.Trace
  private let origin: Int64
  private let end: Int64

  init(_ record: StartupRecord) {
    let known = record.withEstimatedEnd
    self.record = known
    path = CriticalPath(of: known)
    locations = record.outline.locations()
    trace = record.header.trace ?? .derived(from: record)
    origin = RFC3339.nanoseconds(record.startedAt) ?? 0
    end = Timeline(known).end
  }

  var resourceAttributes: [OTLPAttribute] {
    let labels = record.header.labels
    var attributes: [OTLPAttribute] = [.string("service.name", record.outline.name)]
    if let version = labels.first(where: { $0.name == "version" }) {
      attributes.append(.string("service.version", version.value))
    }
    if let host = record.header.host {
      attributes.append(.string("os.type", host.system.lowercased()))
      attributes.append(.string("os.version", host.release))
      attributes.append(.string("host.arch", host.architecture == "x86_64" ? "amd64" : host.architecture))
      if let processor = host.processor { attributes.append(.string("host.cpu.model.name", processor)) }
      attributes.append(.integer("appboot.host.cores", Int64(host.cores)))
    }
    // A label replaces an attribute: the names are unique.
    return attributes.filter { attribute in !labels.contains { $0.name == attribute.name } }
      + labels.map { .string($0.name, $0.value) }
  }

  func spans() -> [OTLPSpan] {
    var spans = [root()]
    for step in record where step.execution.startTime != nil {
      spans.append(span(of: step))
      spans += attempts(of: step)
      spans += step.details.spans.map { span(of: $0, in: step) }
    }
    return spans + record.compactMap(undo)
  }

  private func id(_ path: String) -> String { trace.spanID(of: path) }
  private func id(ofStep step: Int) -> String { trace.spanID(ofStep: step) }

  private func new(_ name: String, id: String, parent: String?, from start: Int64, to end: Int64) -> OTLPSpan
  {
    OTLPSpan(
      traceID: trace.traceID, id: id, parent: parent, name: name, start: origin.addingClamped(start),
      end: origin.addingClamped(end))
  }

  private func root() -> OTLPSpan {
    var span = new(record.outline.name, id: trace.spanID, parent: trace.parentID, from: 0, to: end)
    span.attributes = [
      .string("appboot.outcome", record.outcome.name), .integer("appboot.steps", Int64(record.count)),
      .string("appboot.launch.reason", record.outline.options.reason.rawValue),
    ]
    if let safeMode = record.outline.safeMode {
      span.attributes.append(.string("appboot.safe_mode", safeMode.reason))
    }
    if let budget = record.outline.budgetTime {
      span.attributes.append(.integer("appboot.budget_ns", budget))
    }
    if let manifest = record.outline.manifestName {
      span.attributes.append(.string("appboot.manifest", manifest))
    }
    if let digest = record.outline.manifestDigest {
      span.attributes.append(.string("appboot.manifest.digest", digest))
    }
    span.error = OutcomeText(record).reason(subject: "the launch")
    for step in record where step.execution.startTime == nil {
      let reason = record.reasonText(of: step.index) ?? "the step never started"
      span.events.append(
        OTLPSpan.Event(
          name: "step \(step.state.name)", time: origin.addingClamped(step.execution.endTime ?? end),
          attributes: [.string("appboot.step.id", step.id), .string("appboot.reason", reason)]))
    }
    return span
  }

  private func span(of step: StepRecord) -> OTLPSpan {
    let last = step.execution.endTime ?? end
    var span = new(
      step.id, id: id(ofStep: step.index), parent: trace.spanID, from: step.execution.startTime ?? 0, to: last
    )
    span.attributes = attributes(of: step)
    if let failure = step.state.failure {
      span.error = failure.message
      span.events = [.exception(failure, at: origin.addingClamped(last))]
    }
    if step.state == .running { span.error = "the step did not finish" }
    for before in record.outline.predecessors(of: step.index) where record[before].execution.startTime != nil
    {
      span.links.append(id(ofStep: before))
    }
    return span
  }

  private func attributes(of step: StepRecord) -> [OTLPAttribute] {
    var attributes: [OTLPAttribute] = [
      .string("appboot.step.id", step.id), .string("appboot.command", step.step.commandName),
      .string("appboot.lane", step.step.lane.rawValue), .string("appboot.state", step.state.name),
      .integer("appboot.waiting_ns", step.execution.waitingTime),
      .flag("appboot.critical", path.contains(step.index)),
    ]
    if let slack = path.slack(of: step.index) { attributes.append(.integer("appboot.slack_ns", slack)) }
    if let budget = step.step.budgetTime { attributes.append(.integer("appboot.budget_ns", budget)) }
    if let note = step.details.note { attributes.append(.string("appboot.note", note)) }
    if let text = step.details.announcement { attributes.append(.string("appboot.announcement", text)) }
    if let location = locations[step.index], let file = record.outline.file(of: location) {
      attributes.append(.string("code.file.path", file))
      attributes.append(.integer("code.line.number", Int64(location.line)))
    }
    return attributes
  }

  private func attempts(of step: StepRecord) -> [OTLPSpan] {
    step.details.attempts.enumerated().map { number, attempt in
      let last = attempt.endTime ?? step.execution.endTime ?? end
      var span = new(
        "attempt \(number + 1)", id: id("attempt/\(step.index)/\(number)"), parent: id(ofStep: step.index),
        from: attempt.startTime, to: max(attempt.startTime, last))
      if let failure = attempt.failure {
        span.error = failure.message
        span.events = [.exception(failure, at: origin.addingClamped(last))]
      }
      return span
    }
  }

  private func span(of part: StepSpan, in step: StepRecord) -> OTLPSpan {
    let parent = part.parent.map { id("span/\(step.index)/\($0)") } ?? id(ofStep: step.index)
    let last = max(part.startTime, part.endTime ?? step.execution.endTime ?? end)
    var span = new(
      part.name, id: id("span/\(step.index)/\(part.id)"), parent: parent, from: part.startTime, to: last)
    span.error = part.error
    return span
  }

  private func undo(of step: StepRecord) -> OTLPSpan? {
    guard let undo = step.details.undo else { return nil }
    var span = new(
      "undo \(step.id)", id: id("undo/\(step.index)"), parent: trace.spanID, from: undo.startTime,
      to: undo.endTime ?? end)
    span.links = [id(ofStep: step.index)]
    span.error = undo.failure?.message
    return span
  }
}

/// A key-value pair (attribute) of OTLP.
enum OTLPAttribute {
  case string(String, String)
  case integer(String, Int64)
  case flag(String, Bool)

  var name: String {
    switch self {
    case .string(let name, _), .integer(let name, _), .flag(let name, _): name
    }
  }
}

/// A span of OTLP. Its times are nanoseconds since 1970.
struct OTLPSpan {
  /// An event within a span.
  struct Event {
    let name: String
    let time: Int64
    let attributes: [OTLPAttribute]

    /// Creates the event of a failure. It follows OpenTelemetry's semantic conventions for exceptions.
    static func exception(_ failure: Failure, at time: Int64) -> Event {
      var attributes: [OTLPAttribute] = [.string("exception.message", failure.description)]
      if !failure.type.isEmpty { attributes.append(.string("exception.type", failure.type)) }
      return Event(name: "exception", time: time, attributes: attributes)
    }
  }

  let traceID: String
  let id: String
  let parent: String?
  let name: String
  let start: Int64
  let end: Int64
  var attributes: [OTLPAttribute] = []
  var events: [Event] = []
  /// The ids of the spans in the same trace that precede this span.
  var links: [String] = []
  /// The error message; `nil` for success.
  var error: String?

  init(traceID: String, id: String, parent: String?, name: String, start: Int64, end: Int64) {
    self.traceID = traceID
    self.id = id
    self.parent = parent
    self.name = name
    self.start = start
    self.end = end
  }

  /// Writes the span as JSON. 64-bit integers are strings, as in Protocol Buffers' JSON mapping.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("traceId", traceID)
      writer.member("spanId", id)
      if let parent { writer.member("parentSpanId", parent) }
      writer.member("name", name)
      // SPAN_KIND_INTERNAL
      writer.member("kind", 1)
      writer.member("startTimeUnixNano", String(start))
      writer.member("endTimeUnixNano", String(end))
      writer.attributes(attributes)
      writeEvents(to: &writer)
      writeLinks(to: &writer)
      writer.key("status")
      writer.object { writer in
        // STATUS_CODE_ERROR, STATUS_CODE_OK
        writer.member("code", error == nil ? 1 : 2)
        if let error { writer.member("message", error) }
      }
    }
  }

  private func writeEvents(to writer: inout JSONWriter) {
    guard !events.isEmpty else { return }
    writer.key("events")
    writer.array { writer in
      for event in events {
        writer.object { writer in
          writer.member("timeUnixNano", String(event.time))
          writer.member("name", event.name)
          writer.attributes(event.attributes)
        }
      }
    }
  }

  private func writeLinks(to writer: inout JSONWriter) {
    guard !links.isEmpty else { return }
    writer.key("links")
    writer.array { writer in
      for link in links {
        writer.object { writer in
          writer.member("traceId", traceID)
          writer.member("spanId", link)
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a member whose value is an array with one object.
  mutating func objects(_ name: String, _ members: (inout JSONWriter) -> Void) {
    key(name)
    array { $0.object(members) }
  }

  mutating func attributes(_ attributes: [OTLPAttribute]) {
    guard !attributes.isEmpty else { return }
    key("attributes")
    array { writer in
      for attribute in attributes { writer.object { $0.write(attribute) } }
    }
  }

  private mutating func write(_ attribute: OTLPAttribute) {
    switch attribute {
    case .string(let name, let text):
      member("key", name)
      key("value")
      object { $0.member("stringValue", text) }
    case .integer(let name, let number):
      member("key", name)
      key("value")
      object { $0.member("intValue", String(number)) }
    case .flag(let name, let flag):
      member("key", name)
      key("value")
      object { $0.member("boolValue", flag) }
    }
  }
}
