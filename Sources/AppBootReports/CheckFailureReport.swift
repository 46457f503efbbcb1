import AppBoot

/// A check that came to no launch, in the forms of its files: a CI server would show those of the last check otherwise.
package struct CheckFailureReport {
  /// Markdown has room for so many characters, whatever they are escaped to.
  private static let longest = 5_000

  private let summary: String
  private let details: String

  /// - Parameters:
  ///   - summary: What kept it from a launch, in one line.
  ///   - details: All that is to be said of it.
  package init(summary: String, details: String) {
    self.summary = summary
    self.details = details.hasSuffix("\n") ? String(details.dropLast()) : details
  }

  /// A suite with one case, which failed.
  package var junit: String {
    JUnitReport().text(of: StartupRunner(StartupPlan(sequence: [])).snapshot().record, check: details)
  }

  /// The summary as a heading, and the details as they are.
  package var markdown: String {
    CheckMarkdown.heading(isPassed: false, summary: summary, warnings: [])
      + MarkdownText.block(String(details.prefix(Self.longest))) + "\n"
  }

  /// A page with the same.
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
