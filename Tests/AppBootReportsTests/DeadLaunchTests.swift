import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("The reports of a launch that has not reached its end")
struct DeadLaunchTests {

  @Test("say so, what ran at last, and how long the launch took as far as anything is known")
  func words() throws {
    let record = try ReportSample.running.record
    let known = record.withEstimatedEnd
    let last = try #require(record.first { $0.state == .running })
    #expect(record.duration == 0 && known.duration == record.lastMoment && known.duration > 0)
    #expect(known[last.index].execution.end == known.duration)
    var printing = record
    printing.apply(
      StartupEvent(.output(step: last.index, stream: .stdout, line: "tick"), at: known.duration + 7))
    #expect(printing.withEstimatedEnd.duration == known.duration + 7)
    let time = DurationText.brief(nanoseconds: known.duration)
    let end = "has not reached its end: the record ends in \"\(last.id)\", after \(time)"
    #expect(TextReport().text(of: record).contains(end))
    #expect(TextReport().verdict(of: record).contains(end))
    let markdown = MarkdownReport().text(of: record)
    #expect(markdown.contains("has not reached its end") && markdown.contains("**\(time)**"))
    #expect(!markdown.contains("booting"))
    let seconds = TimeNumbers.seconds(known.duration)
    #expect(JUnitReport().text(of: record).contains("skipped=\"1\" time=\"\(seconds)\""))
    let trace = ChromeTraceReport().text(of: record)
    #expect(trace == ChromeTraceReport().text(of: known))
    let spans = OTLPReport().text(of: record)
    #expect(spans.contains(#""status":{"code":2,"message":"the launch has not reached its end"}"#))
    #expect(spans.contains(#""status":{"code":2,"message":"it ran when the record ends"}"#))
    let html = HTMLReport().text(of: record)
    #expect(html.contains("The launch has not reached its end: the record ends in"))
    #expect(html.contains("<dd id=\"duration\">\(TimeNumbers.brief(known.duration))"))
  }
}
