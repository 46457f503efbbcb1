import AppBootRecords
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("Reports of a launch that did not finish")
struct DeadLaunchTests {

  @Test("Each report names the running steps and the time up to the last event")
  func words() throws {
    let record = try ReportSample.running.record
    let known = record.withEstimatedEnd
    let last = try #require(record.first { $0.state == .running })
    #expect(record.elapsedTime == 0 && known.elapsedTime == record.lastMoment && known.elapsedTime > 0)
    #expect(known[last.index].execution.endTime == known.elapsedTime)
    var printing = record
    printing.apply(
      LaunchEvent(
        .output(.init(step: last.index, attempt: 1, stream: .stdout, line: "tick")), at: known.elapsedTime + 7
      ))
    #expect(printing.withEstimatedEnd.elapsedTime == known.elapsedTime + 7)
    for text in [
      TextReport().text(of: printing), GitHubAnnotations().text(of: printing),
      LaunchPage().text(of: printing),
    ] {
      #expect(text.contains("; last output: tick"))
    }
    let time = DurationText.brief(nanoseconds: known.elapsedTime)
    let end = "did not finish: the record ends in \"\(last.id)\", after \(time)"
    #expect(TextReport().text(of: record).contains(end))
    #expect(TextReport().verdict(of: record).contains(end))
    let markdown = MarkdownReport().text(of: record)
    #expect(markdown.contains("did not finish") && markdown.contains("**at least \(time)**"))
    #expect(!markdown.contains("booting"))
    let seconds = TimeNumbers.seconds(known.elapsedTime)
    #expect(JUnitReport().text(of: record).contains("skipped=\"1\" time=\"\(seconds)\""))
    let trace = ChromeTraceReport().text(of: record)
    #expect(trace == ChromeTraceReport().text(of: known))
    let spans = OTLPReport().text(of: record)
    #expect(spans.contains(#""status":{"code":2,"message":"the record ends in \"\#(last.id)\""}"#))
    #expect(spans.contains(#""status":{"code":2,"message":"the step did not finish"}"#))
    let html = LaunchPage().text(of: record)
    #expect(
      html.contains("The launch did not finish: the record ends in &quot;\(last.id)&quot;, after \(time)"))
  }

  @Test("The step that was running at the end of a record is on the critical path in each report")
  func criticalPath() throws {
    let steps = ["a", "b"].map { StepOutline(id: $0, commandName: "Fake", lane: .background) }
    let outline = LaunchOutline(
      name: "T", options: LaunchOptions(), steps: steps, graph: DependencyGraph(predecessors: [[], []]))
    var record = LaunchRecord(outline: outline, startedAt: "2026-07-28T09:05:03.250Z")
    record.header.jobs = 2
    for (kind, time) in [
      (LaunchEvent.Kind.ready(step: 0), Int64(0)), (.ready(step: 1), 0), (.started(step: 0, attempt: 1), 5),
      (.started(step: 1, attempt: 1), 7), (.ended(step: 0, state: .succeeded), 9),
    ] { record.apply(LaunchEvent(kind, at: time)) }
    for path in [CriticalPath(of: record), CriticalPath(of: record.withEstimatedEnd)] {
      #expect(path.steps == [1] && path.slack(of: 1) == 0 && path.slack(of: 0) == 1)
    }
    let json = try JSONDocument(parsing: SourceText(name: "x", text: record.json())).root
    let slacks = try json["steps"]?.elements.map { try $0["slack"]?.integer(as: Int64.self) }
    #expect(slacks == [1, 0])
  }

  @Test("No report calls a launch that is still running a failure")
  func live() throws {
    var record = try ReportSample.running.record
    record.header.isLive = true
    let id = try #require(record.first { $0.state == .running }).id
    let time = DurationText.brief(nanoseconds: record.lastMoment)
    #expect(TextReport().text(of: record).contains("is still running: in \"\(id)\", after \(time)"))
    #expect(MarkdownReport().text(of: record).hasPrefix("### ⏳ "))
    #expect(GitHubAnnotations().text(of: record).isEmpty)
    let cases = JUnitReport().text(of: record)
    #expect(
      cases.contains("errors=\"0\"") && cases.contains("<skipped message=\"the step is still running\"/>"))
    #expect(!LaunchPage().text(of: record).contains("What failed"))
    #expect(LaunchGraph(record).dot.contains("still running after"))
    for format in [ReportFormat.text, .markdown, .junit, .github, .html, .dot, .mermaid, .otlp] {
      let text = format.render(record)
      #expect(!text.contains("did not finish") && !text.contains("the record ends"), "\(format)")
    }
  }

  @Test("Each report names an undo that did not finish, and the signal that cancelled the launch")
  func undo() throws {
    var record = try ReportSample.ten.record
    (record.outcome, record.cancellation) = (.running, .requested("a second SIGINT"))
    record.details[3] = StepDetails()
    record.details[3]?.undo = StepAttempt(startTime: 800_000_000)
    record.details[3]?.killTime = 900_000_000
    let id = record[3].id
    let end = "the record ends in the undo of \"\(id)\", after 900 ms or later; cancelled: a second SIGINT"
    #expect(TextReport().verdict(of: record).contains(end))
    #expect(JUnitReport().text(of: record).contains("<error message=\"the undo did not finish\"/>"))
    #expect(GitHubAnnotations().text(of: record).contains("::the process ended in the undo of \"\(id)\"\n"))
  }
}
