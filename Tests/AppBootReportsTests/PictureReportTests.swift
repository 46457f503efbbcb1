import AppBoot
import Testing

@testable import AppBootReports

/// Checks that tags are closed in order, as XML wants it; enough for markup that we write ourselves.
private func openTags(_ markup: String) -> [Substring] {
  var open: [Substring] = []
  for piece in markup.split(separator: "<").dropFirst() {
    guard let tag = piece.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false).first else {
      continue
    }
    if tag.hasPrefix("/") {
      if open.last == tag.dropFirst() { open.removeLast() } else { return open + [tag] }
    } else if !tag.hasSuffix("/") {
      open.append(tag.prefix { !$0.isWhitespace })
    }
  }
  return open
}

@Suite("SVG picture")
struct SVGReportTests {
  @Test("A picture is well-formed and contains no foreign markup", arguments: ReportSample.allCases)
  func form(sample: ReportSample) throws {
    let text = SVGReport().text(of: try sample.record)
    #expect(text.hasPrefix("<svg xmlns="))
    #expect(openTags(text.replacing("<svg xmlns", with: "<x/><svg xmlns")).isEmpty)
    #expect(!text.contains("<script") && !text.contains("<img"))
  }

  @Test("A picture shows waiting and running times, the critical path, and why a step never ran")
  func content() throws {
    let text = SVGReport().text(of: try ReportSample.failed.record)
    #expect(text.contains("<g class=\"failed critical\" data-i=\"3\"><title>Database: failed"))
    #expect(
      text.contains("class=\"wait\"") && text.contains("class=\"mark\"") && text.contains("class=\"undo\""))
    #expect(text.contains("skipped: DEBUG is not set"))
    #expect(text.contains("prefers-color-scheme: dark"))
  }

  @Test("A picture of a long launch has rows for the important steps and counts the others")
  func long() throws {
    let text = SVGReport(maximumRows: 50).text(of: try ReportSample.thousand.record)
    #expect(text.contains("950 more steps have no row"))
    #expect(text.contains(">Step200</text>"))
  }
}

@Suite("HTML page")
struct HTMLReportTests {
  private func page(_ sample: ReportSample) throws -> String { HTMLReport().text(of: try sample.record) }

  @Test("A page contains only its own scripts, whatever is in the record", arguments: ReportSample.allCases)
  func scripts(sample: ReportSample) throws {
    let text = try page(sample)
    #expect(text.split(separator: "<script").count == 3)
    #expect(text.split(separator: "</script").count == 3)
    #expect(!text.contains("<img"))
    #expect(!text.contains("style=\"") && !text.contains("onclick"))
  }

  @Test("A page contains no URL of the network")
  func network() throws {
    let text = try page(.ten)
    for word in ["http:", "https:", "@import", "url(", "fetch(", "src=\""] { #expect(!text.contains(word)) }
  }

  @Test("A page embeds the record", arguments: ReportSample.allCases)
  func embedded(sample: ReportSample) throws {
    let record = try sample.record
    let text = try page(sample)
    let start = try #require(text.firstRange(of: "id=\"record\">")).upperBound
    let end = try #require(text[start...].firstRange(of: "</script>")).lowerBound
    let copy = try StartupRecord(json: SourceText(name: "x", text: String(text[start..<end])))
    #expect(copy.json() == record.json())
  }

  @Test("A page allows only its own script and style, by hash")
  func policy() throws {
    let text = try page(.ten)
    #expect(text.contains("default-src 'none'; style-src 'sha256-"))
    #expect(!text.contains("unsafe-"))
  }

  @Test("The table has the times in nanoseconds to sort by")
  func numbers() throws {
    let record = try ReportSample.ten.record
    let text = try page(.ten)
    for step in record {
      let ran = step.execution.running
      #expect(text.contains("<td class=\"n\" data-v=\"\(ran)\">\(DurationText.brief(nanoseconds: ran))</td>"))
    }
  }

  @Test("A page without steps says so")
  func empty() throws {
    #expect(try page(.empty).contains("This launch has no steps."))
  }
}
