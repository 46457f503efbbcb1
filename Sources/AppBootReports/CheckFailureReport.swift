import AppBoot

/// The report files of a check that ended with an error, and so has no result.
///
/// Without these files, a CI server would show the files of the previous check.
package struct CheckFailureReport {
  /// The maximum number of characters of the details in Markdown, before escaping makes them longer.
  private static let maximumCharacters = 5_000

  private let summary: String
  private let details: String

  /// Creates the reports of a failure.
  ///
  /// - Parameters:
  ///   - summary: The reason for the failure, in one line.
  ///   - details: The whole message.
  package init(summary: String, details: String) {
    self.summary = summary
    self.details = details.hasSuffix("\n") ? String(details.dropLast()) : details
  }

  /// The JUnit report: a suite with one failed case.
  package var junit: String {
    JUnitReport().text(of: StartupRunner(StartupPlan(sequence: [])).snapshot().record, check: details)
  }

  /// The Markdown report: the summary as a heading, then the details.
  package var markdown: String {
    CheckMarkdown.heading(.failed, summary: summary)
      + MarkdownText.block(String(details.prefix(Self.maximumCharacters))) + "\n"
  }

  /// The HTML report: a page with the summary and the details.
  package var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>check failed</title></head>
    <body><h1>\(Markup.xml(summary))</h1>
    <pre>\(Markup.xml(details))</pre></body>
    </html>

    """
  }
}
