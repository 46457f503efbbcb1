package import AppBoot
import AppBootRecords

/// A report as one HTML file: what happened, what to do first, a waterfall of the steps, and a table.
///
/// The page uses no network. Its Content-Security-Policy allows only the page's script and style, by their hashes. It
/// follows the reader's light or dark colour scheme. Without scripts it shows the same facts.
package struct LaunchPage: Sendable {
  /// The difference of the launch from those before it in words; `nil` if there is none, or if it is unknown.
  package var difference: String?

  /// Creates a report as an HTML page.
  package init() {}

  /// Returns the record as HTML.
  ///
  /// - Parameter check: The check, whose verdict leads the page; `nil` for the page of a launch.
  package func text(of record: StartupRecord, check: CheckSummary? = nil) -> String {
    let known = record.withEstimatedEnd
    let changes = check?.comparison.map { PageChanges($0, in: known) }
    return Self.document(
      title: "\(record.outline.name): \(check?.title ?? OutcomeText(record).verb)",
      body: """
        \(PageVerdict(known, check, difference).text)\
        <main>
        \(check.map { PageCheck($0).text(around: PageTodo(known, check).text) } ?? PageTodo(known).text)\
        \(check.map { PageCheck($0).caption(of: known) } ?? "")\
        \(PageFrame.pictures(changes))\
        \(PageTable(known).text)\
        </main>
        \(PageVerdict(record).footer)
        """,
      data: PageData(of: known, changes).json)
  }

  /// Returns a page.
  ///
  /// - Parameters:
  ///   - title: The title as plain text.
  ///   - body: The header, the main part and the footer as HTML.
  ///   - data: The JSON for the script; `nil` for a page without a script.
  static func document(title: String, body: String, data: String? = nil) -> String {
    let allowed = data == nil ? "'none'" : "'\(PageFiles.jsSource)'"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src '\(PageFiles.cssSource)'; script-src \(allowed); \
      img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Markup.visible(title))</title>
      <link rel="icon" href="data:,">
      <style>\(PageFiles.css)</style>
      </head>
      <body>
      \(body)\
      \(data.map(scripts) ?? "")\
      </body>
      </html>

      """
  }

  private static func scripts(data: String) -> String {
    """
    <div id="tip" hidden></div>
    <div id="say" class="hidden" role="status"></div>
    <script type="application/json" id="data">\(data)</script>
    <script type="module">\(PageFiles.js)</script>

    """
  }
}
