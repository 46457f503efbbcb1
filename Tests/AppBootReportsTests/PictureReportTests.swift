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

  @Test("The legend of a picture explains what is drawn, and nothing else")
  func legend() throws {
    let text = SVGReport().text(of: try ReportSample.failed.record)
    for words in ["running", "failed", "allowed to fail", "undone", "span"] {
      #expect(text.contains(">\(words)</text>"))
    }
    let booted = SVGReport().text(of: try ReportSample.ten.record)
    #expect(booted.contains(">on the critical path</text>"))
    for words in ["failed", "allowed to fail", "cancelled", "undone", "backoff"] {
      #expect(!booted.contains(">\(words)</text>"))
    }
  }

  @Test("A name that is cut has room for its ellipsis, whatever the width of its letters")
  func cut() {
    for name in [String(repeating: "W", count: 40), String(repeating: "i", count: 80), "模块模块模块模块模块模块模块模块"] {
      let short = PictureText.fit(name, to: 120)
      #expect(short.hasSuffix("…") && short.count < name.count)
    }
    #expect(PictureText.fit(String(repeating: "W", count: 40), to: 120).count == 10)
    #expect(PictureText.fit("web", to: 120) == "web")
  }

  @Test("A picture of a long launch has rows for the important steps and counts the others")
  func long() throws {
    let text = SVGReport(maximumRows: 50).text(of: try ReportSample.thousand.record)
    #expect(text.contains("950 more steps have no row"))
    #expect(text.contains(">Step200</text>"))
  }
}
