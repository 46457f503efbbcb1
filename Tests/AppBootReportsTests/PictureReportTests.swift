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

@Suite("An SVG picture")
struct SVGReportTests {
  @Test("closes what it opens, and holds no foreign markup", arguments: ReportSample.allCases)
  func form(sample: ReportSample) throws {
    let text = SVGReport().text(of: try sample.record)
    #expect(text.hasPrefix("<svg xmlns="))
    #expect(openTags(text.replacing("<svg xmlns", with: "<x/><svg xmlns")).isEmpty)
    #expect(!text.contains("<script") && !text.contains("<img"))
  }

  @Test("draws waiting apart from running, marks the critical path, and says why a step never ran")
  func content() throws {
    let text = SVGReport().text(of: try ReportSample.failed.record)
    #expect(text.contains("<g class=\"failed critical\" data-i=\"3\"><title>Database: failed"))
    #expect(
      text.contains("class=\"wait\"") && text.contains("class=\"mark\"") && text.contains("class=\"undo\""))
    #expect(text.contains("skipped: DEBUG is not set"))
    #expect(text.contains("prefers-color-scheme: dark"))
  }

  @Test("of a long launch draws what matters, and counts the rest")
  func long() throws {
    let text = SVGReport(maximumRows: 50).text(of: try ReportSample.thousand.record)
    #expect(text.contains("950 more steps are not drawn as rows"))
    #expect(text.contains(">Step200</text>"))
  }
}

@Suite("An HTML page")
struct HTMLReportTests {
  private func page(_ sample: ReportSample) throws -> String { HTMLReport().text(of: try sample.record) }

  @Test("has only its own scripts, whatever a record says", arguments: ReportSample.allCases)
  func scripts(sample: ReportSample) throws {
    let text = try page(sample)
    #expect(text.split(separator: "<script").count == 3)
    #expect(text.split(separator: "</script").count == 3)
    #expect(!text.contains("<img"))
    #expect(!text.contains("style=\"") && !text.contains("onclick"))
  }

  @Test("names no other place on the network")
  func network() throws {
    let text = try page(.ten)
    for word in ["http:", "https:", "@import", "url(", "fetch(", "src=\""] { #expect(!text.contains(word)) }
  }

  @Test("embeds the record itself", arguments: ReportSample.allCases)
  func embedded(sample: ReportSample) throws {
    let record = try sample.record
    let text = try page(sample)
    let start = try #require(text.firstRange(of: "id=\"record\">")).upperBound
    let end = try #require(text[start...].firstRange(of: "</script>")).lowerBound
    let copy = try StartupRecord(json: SourceText(name: "x", text: String(text[start..<end])))
    #expect(copy.json() == record.json())
  }

  @Test("allows its script and style by hash, and nothing else")
  func policy() throws {
    let text = try page(.ten)
    #expect(text.contains("default-src 'none'; style-src 'sha256-"))
    #expect(!text.contains("unsafe-"))
  }

  @Test("shows in its table the times of the record, in nanoseconds to sort by")
  func numbers() throws {
    let record = try ReportSample.ten.record
    let text = try page(.ten)
    for step in record {
      let ran = step.execution.running
      #expect(text.contains("<td class=\"n\" data-v=\"\(ran)\">\(DurationText.brief(nanoseconds: ran))</td>"))
    }
  }

  @Test("says that a launch without steps has none")
  func empty() throws {
    #expect(try page(.empty).contains("This launch has no steps."))
  }
}
