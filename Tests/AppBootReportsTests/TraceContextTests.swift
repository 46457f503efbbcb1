import AppBootRecords
import Testing

@testable import AppBoot
@testable import AppBootReports

private let traceID = "0af7651916cd43dd8448eb211c80319c"
private let parentID = "b7ad6b7169203331"

@Suite("The place of a launch in a trace")
struct TraceContextTests {
  @Test("A launch joins the trace of a traceparent, with a span of its own")
  func joined() throws {
    let trace = try #require(RecordHeader.Trace.joining("00-\(traceID)-\(parentID)-01"))
    #expect(trace.traceID == traceID)
    #expect(trace.parentID == parentID)
    #expect(trace.spanID.count == 16)
    #expect(RecordHeader.Trace.joining("00-\(traceID)-\(parentID)-01")?.spanID != trace.spanID)
  }

  @Test("A launch has no trace if its caller's trace is not sampled")
  func unsampled() throws {
    #expect(RecordHeader.Trace.joining("00-\(traceID)-\(parentID)-00") == nil)
    #expect(RecordHeader.Trace.joining("00-\(traceID)-\(parentID)-03") != nil)
  }

  @Test(
    "A launch without a valid traceparent begins a trace",
    arguments: [
      nil, "", "00", "00-\(traceID)-\(parentID)", "ff-\(traceID)-\(parentID)-01",
      "00-\(traceID)-\(parentID)-01-more", "00-\(traceID.uppercased())-\(parentID)-01",
      "00-00000000000000000000000000000000-\(parentID)-01", "00-\(traceID)-0000000000000000-01",
      "00-\(traceID)-\(parentID)-0x",
    ])
  func begun(text: String?) throws {
    let trace = try #require(RecordHeader.Trace.joining(text))
    #expect(trace.traceID.count == 32)
    #expect(trace.traceID != traceID)
    #expect(trace.parentID == nil)
  }

  @Test("A traceparent of a later version may have more parts")
  func later() {
    #expect(TraceParent("01-\(traceID)-\(parentID)-01-more")?.spanID == parentID)
  }

  @Test("The processes of a step get the ids of the step's span in the report")
  func steps() throws {
    var record = try ReportSample.ten.record
    let trace = RecordHeader.Trace(traceID: traceID, spanID: "00f067aa0ba902b7", parentID: parentID)
    record.header.trace = trace
    let read = try LaunchRecord(json: SourceText(name: "r", text: record.json()))
    #expect(read.header.trace == trace)
    let text = OTLPReport().text(of: read)
    #expect(text.contains(#""spanId":"00f067aa0ba902b7","parentSpanId":"\#(parentID)""#))
    for step in record {
      let parts = trace.traceParent(ofStep: step.index).split(separator: "-")
      #expect(parts[1] == traceID)
      #expect(text.contains(#""spanId":"\#(parts[2])","parentSpanId":"00f067aa0ba902b7""#))
    }
  }

  @Test("The labels of a launch are attributes of its resource, and replace others")
  func labels() throws {
    var record = try ReportSample.ten.record
    record.header.labels = [
      LaunchLabel("os.type", "mine"), LaunchLabel("service.name", "shop"), LaunchLabel("version", "2.1"),
    ]
    let root = try JSONDocument(parsing: SourceText(name: "x", text: OTLPReport().text(of: record))).root
    let resource = try #require(root["resourceSpans"]?.elements.first?["resource"]?["attributes"])
    var values: [String: [String]] = [:]
    for attribute in resource.elements {
      values[attribute["key"]?.string ?? "", default: []].append(
        attribute["value"]?["stringValue"]?.string ?? "")
    }
    #expect(values["os.type"] == ["mine"])
    #expect(values["service.name"] == ["shop"])
    #expect(values["service.version"] == ["2.1"])
    #expect(values["version"] == ["2.1"])
  }
}
