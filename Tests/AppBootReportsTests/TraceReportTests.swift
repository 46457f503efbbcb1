import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootReports

private func parse(_ text: String) throws -> JSONValue {
  try JSONDocument(parsing: SourceText(name: "x", text: text)).root
}

@Suite("Chrome trace", .ownThread)
struct ChromeTraceReportTests {
  private func events(_ sample: ReportSample) throws -> [JSONValue] {
    let root = try parse(ChromeTraceReport().text(of: try sample.record))
    return Array(try #require(root["traceEvents"]).elements)
  }

  private func slices(_ events: [JSONValue]) throws -> [(
    thread: Int, start: Double, end: Double, name: String
  )] {
    try events.filter { $0["ph"]?.isString("X") == true }.map { event in
      let start = try #require(event["ts"]).double()
      return (
        try #require(event["tid"]).integer(), start, start + (try #require(event["dur"]).double()),
        try #require(event["name"]?.string)
      )
    }
  }

  @Test("A service that failed after its step has the time of its failure, here and for OpenTelemetry")
  func late() throws {
    let web = try #require(
      try events(.late).first { $0["name"]?.isString("web") == true && $0["ph"]?.isString("X") == true })
    #expect(try web["args"]?["failedAtNanoseconds"]?.integer() == 732_000_000)
    let text = OTLPReport().text(of: try ReportSample.late.record)
    let times = try text.matches(of: /"(?:start)?[tT]imeUnixNano": ?"([0-9]+)"/).map {
      try #require(Int64($0.1))
    }
    #expect(try #require(times.max()) - (try #require(times.min())) == 732_000_000)
  }

  @Test(
    "A trace has only events of the format, each with the members of its phase",
    arguments: ReportSample.small)
  func form(sample: ReportSample) throws {
    for event in try events(sample) {
      let phase = try #require(event["ph"]?.string)
      #expect(event["name"]?.string != nil)
      #expect(event["pid"]?.kind == .number)
      #expect(event["tid"]?.kind == .number)
      #expect(["M", "X", "b", "e", "s", "f", "i", "C"].contains(phase))
      if phase != "M" { #expect(try #require(event["ts"]).double() >= 0) }
      if phase == "X" { #expect(try #require(event["dur"]).double() >= 0) }
      if ["b", "e", "s", "f"].contains(phase) { #expect(event["id"] != nil) }
      if phase == "f" { #expect(event["bp"]?.isString("e") == true) }
    }
  }

  @Test("The slices of a thread nest", arguments: ReportSample.allCases)
  func nesting(sample: ReportSample) throws {
    for (_, slices) in Dictionary(grouping: try slices(events(sample)), by: \.thread) {
      var open: [(thread: Int, start: Double, end: Double, name: String)] = []
      for slice in slices.sorted(by: { ($0.start, -$0.end) < ($1.start, -$1.end) }) {
        while let last = open.last, last.end <= slice.start { open.removeLast() }
        if let around = open.last, slice.end > around.end { Issue.record("\(slice) in \(around)") }
        open.append(slice)
      }
    }
  }

  @Test("A trace has lanes as threads, attempts, spans, undo, skips, and an arrow for each `after`")
  func content() throws {
    let events = try events(.failed)
    let names = events.compactMap { $0["args"]?["name"]?.string }
    #expect(names == ["Notes", "main", "background 1", "background 2"])
    let slices = try slices(events).map(\.name)
    for name in ["Keychain", "unlock", "wait for the daemon", "attempt 1", "attempt 2", "undo Fonts"] {
      #expect(slices.contains(name))
    }
    #expect(events.count { $0["ph"]?.isString("s") == true } == 3)
    #expect(events.count { $0["ph"]?.isString("i") == true } == 4)
  }

  /// A launch of one step with two attempts, and of one that waited for the only slot.
  private var retried: LaunchRecord {
    var planned = ["a", "b"].map { StepOutline(id: $0, commandName: "Fake", lane: .background) }
    planned[0].retry = RetryPolicy(attempts: 3, backoff: .milliseconds(2))
    let outline = LaunchOutline(
      name: "Notes", options: LaunchOptions(), steps: planned, graph: DependencyGraph(predecessors: [[], []]))
    var executions = [
      StepExecution(succeededFrom: 0, to: 9_000_000), StepExecution(succeededFrom: 9_000_000, to: 11_000_000),
    ]
    executions[1].readyTime = 0
    var record = LaunchRecord(outline: outline, startedAt: "", executions: executions)
    record.apply(LaunchEvent(.launchEnded(.succeeded), at: 11_000_000))
    var first = StepAttempt(startTime: 0)
    (first.endTime, first.failure) = (4_000_000, Failure(message: "busy", type: ""))
    var second = StepAttempt(startTime: 7_000_000)
    second.endTime = 9_000_000
    record.details[0] = StepDetails()
    record.details[0]?.attempts = [first, second]
    return record
  }

  @Test("A trace has attempts, backoff and the wait for the next attempt as slices of their own")
  func backoff() throws {
    let root = try parse(ChromeTraceReport().text(of: retried))
    let slices = try slices(Array(try #require(root["traceEvents"]).elements))
    let parts = slices.filter { $0.name != "b" }.map { "\($0.name) \($0.start)-\($0.end)" }
    #expect(
      parts == [
        "a 0.0-9000.0", "attempt 1 0.0-4000.0", "backoff 1 4000.0-6000.0", "wait 1 6000.0-7000.0",
        "attempt 2 7000.0-9000.0",
      ])
  }

  @Test("Only the main lane is the thread with the number of the process")
  func mainThread() throws {
    let events = try Array(
      #require(try parse(ChromeTraceReport().text(of: retried))["traceEvents"]).elements)
    let slices = events.filter { $0["ph"]?.isString("X") == true }
    #expect(try slices.allSatisfy { try $0["tid"]?.integer(as: Int.self) == 2 } && !slices.isEmpty)
    let main = try self.events(.failed).first { $0["args"]?["name"]?.isString("main") == true }
    #expect(try main?["tid"]?.integer(as: Int.self) == 1)
  }

  @Test("A trace counts running and waiting steps")
  func counts() throws {
    let counts = StepCounts(retried, end: 11_000_000).all
    typealias Count = StepCounts.Count
    #expect(
      counts == [
        Count(time: 0, running: 1, waiting: 1), Count(time: 4_000_000, running: 0, waiting: 2),
        Count(time: 7_000_000, running: 1, waiting: 1), Count(time: 9_000_000, running: 1, waiting: 0),
        Count(time: 11_000_000, running: 0, waiting: 0),
      ])
    let root = try parse(ChromeTraceReport().text(of: retried))
    let events = try #require(root["traceEvents"]).elements.filter { $0["ph"]?.isString("C") == true }
    #expect(events.count == 5)
    #expect(try events.last?["args"]?["running"]?.integer(as: Int.self) == 0)
  }
}

@Suite("OTLP report", .ownThread)
struct OTLPReportTests {
  private func spans(_ sample: ReportSample) throws -> [JSONValue] {
    let root = try parse(OTLPReport().text(of: try sample.record))
    let scope = try #require(root["resourceSpans"]?.elements.first?["scopeSpans"]?.elements.first)
    return Array(try #require(scope["spans"]).elements)
  }

  @Test(
    "A report has one trace with well-formed, unique ids under one root", arguments: ReportSample.small)
  func ids(sample: ReportSample) throws {
    let spans = try spans(sample)
    let ids = Set(spans.compactMap { $0["spanId"]?.string })
    #expect(ids.count == spans.count)
    #expect(ids.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
    #expect(Set(spans.compactMap { $0["traceId"]?.string }).count == 1)
    #expect(spans.count { $0["parentSpanId"] == nil } == 1)
    for span in spans {
      let links = span["links"]?.elements.compactMap { $0["spanId"]?.string } ?? []
      let others = links + [span["parentSpanId"]?.string].compactMap(\.self)
      let times = ["startTimeUnixNano", "endTimeUnixNano"].compactMap { Int64(span[$0]?.string ?? "") }
      #expect(ids.isSuperset(of: others) && times.count == 2 && times[0] <= times[1])
    }
  }

  @Test("OTLP times count from the launch's start, with links for `after` and errors as status")
  func content() throws {
    let spans = try spans(.failed)
    #expect(spans.first?["startTimeUnixNano"]?.string == "1785229503250000000")
    #expect(spans.first?["endTimeUnixNano"]?.string == "1785229503291000000")
    let database = try #require(spans.first { $0["name"]?.isString("Database") == true })
    #expect(database["status"]?["message"]?.string == "cannot open notes.db")
    #expect(database["links"]?.elements.count == 1)
    #expect(database["events"]?.elements.first?["name"]?.string == "exception")
  }
}
