package import AppBoot

/// A report that writes a record as one HTML file: the failures, the timeline, the critical path and a sortable table.
///
/// The page uses no network. Its Content-Security-Policy allows only the page's script and style, by their hashes. It
/// follows the reader's light or dark colour scheme. Without scripts it shows the same facts.
package struct HTMLReport: Sendable {
  /// Creates a report as an HTML page.
  package init() {}

  /// Returns the record as HTML.
  package func text(of record: StartupRecord) -> String { text(of: record, check: nil) }

  /// Returns the result of a check as HTML, with the launch that it shows.
  ///
  /// - Parameter check: The check, whose verdict leads the page; `nil` for the page of a launch.
  package func text(of record: StartupRecord, check: CheckSummary?) -> String {
    let style = "\n\(HTMLStyle.css)"
    let script = "\n\(HTMLScript.source)"
    let known = record.withEstimatedEnd
    let title = Markup.visible("\(record.outline.name): \(check?.title ?? OutcomeText(record).verb)")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src '\(Self.hash(style))'; script-src '\(Self.hash(script))'; \
      img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <link rel="icon" href="data:,">
      <style>\(style)</style>
      </head>
      <body>
      \(HTMLSummary(known, check).text)\
      <main>
      \(check.map { HTMLCheck($0).text(of: known) } ?? "")\
      \(HTMLFailures(known).text)\
      \(HTMLTimeline(known).text)\
      \(HTMLTable(known).text)\
      </main>
      \(HTMLSummary(record).footer)\
      <div id="tip" hidden></div>
      <div id="say" class="hidden" role="status"></div>
      <script type="application/json" id="record">\(Self.embedded(record))</script>
      <script>\(script)</script>
      </body>
      </html>

      """
  }

  private static func hash(_ text: String) -> String {
    "sha256-\(Base64.text(of: SHA256.digest(of: Array(text.utf8))))"
  }

  /// Returns the record's JSON without the character `<`, so that the JSON cannot end the script element around it.
  private static func embedded(_ record: StartupRecord) -> String {
    record.json(pretty: false).unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "<" { text += "\\u003c" } else { text.unicodeScalars.append(scalar) }
    }
  }
}
