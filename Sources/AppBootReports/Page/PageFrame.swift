package import AppBoot
import AppBootRecords

/// A report as one HTML file: what happened, what failed or where the time goes, a waterfall of the steps, and a table.
///
/// The page uses no network. Its Content-Security-Policy allows only the page's script and style, by their hashes. It
/// follows the reader's light or dark colour scheme. Without scripts it shows the same facts.
package struct LaunchPage: Sendable {
  /// The difference of the launch from those before it in words; `nil` if there is none, or if it is unknown.
  package var difference: String?
  /// The output of the steps from their logs, by id; empty if there are no logs.
  package var outputs: [String: StepOutput] = [:]
  /// The app or launch that is running while the page is made; `nil` if it has ended.
  package var running: RunningApp?

  /// Creates a report as an HTML page.
  package init() {}

  /// Returns the record as HTML.
  ///
  /// - Parameter check: The check, whose verdict leads the page; `nil` for the page of a launch.
  package func text(of record: LaunchRecord, check: CheckSummary? = nil) -> String {
    let known = record.withEstimatedEnd
    let changes = check.flatMap { check in
      check.comparison.map { PageChanges($0, in: known, highlighted: check.highlighted) }
    }
    return Self.document(
      title: "\(record.outline.name): \(check?.title ?? running?.badge ?? OutcomeText(record).verb)",
      body: """
        \(PageVerdict(known, check, difference, running).text)\
        <main>
        \(running?.table ?? "")\
        \(check.map { PageCheck($0).text(around: PageTodo(known, check).text) } ?? PageTodo(known).text)\
        \(check.map { PageCheck($0).caption(of: known) } ?? "")\
        \(PageFrame.pictures(changes))\
        \(PageTable(known).text)\
        </main>
        \(PageVerdict(record).footer)
        """,
      data: PageData(of: known, changes, outputs).json)
  }

  /// Returns a page.
  ///
  /// - Parameters:
  ///   - title: The title as plain text.
  ///   - body: The header, the main part and the footer as HTML.
  ///   - data: The JSON for the script that draws the waterfall; `nil` for a page without it.
  static func document(title: String, body: String, data: String? = nil) -> String {
    let allowed = "'\(PageFiles.timesSource)'" + (data == nil ? "" : " '\(PageFiles.jsSource)'")
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
      <script type="module">\(PageFiles.times)</script>
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

/// The output of a step from its log.
package struct StepOutput: Sendable {
  /// The last lines.
  package let text: String
  /// A sentence with the command that prints all of it.
  package let rest: String

  /// Creates the output of a step.
  package init(text: String, rest: String) { (self.text, self.rest) = (text, rest) }
}

/// An app or a launch that is running while its page is made.
package struct RunningApp: Sendable {
  private let phase: String
  private let process: Int?
  private let services: [(id: String, state: String)]

  /// Creates the description of an app.
  ///
  /// - Parameters:
  ///   - phase: The phase of the app, for example `active`.
  ///   - services: The ids of the services with their states in words.
  package init(phase: String, process: Int?, services: [(id: String, state: String)]) {
    (self.phase, self.process, self.services) = (phase, process, services)
  }

  /// The words for a badge.
  var badge: String { phase == "active" ? "running" : "running, \(phase)" }

  /// The sentence that begins the verdict.
  var lead: String {
    "It was running\(process.map { " as process \($0)" } ?? "") when this page was made. "
  }

  /// The HTML of the table of services; empty without services.
  fileprivate var table: String {
    guard !services.isEmpty else { return "" }
    let rows = services.map { PageFrame.row($0.id, [("result", Markup.visible($0.state))]) }
    return PageFrame.table(
      "Services", id: "services", heads: [("Service", ""), ("State", "result")], rows: rows)
  }
}

/// The elements that several pages share: tables, and the pictures that the script draws.
enum PageFrame {
  /// Returns the HTML of a section with a table.
  ///
  /// - Parameters:
  ///   - id: The id of the heading.
  ///   - heads: The titles of the columns, and their CSS classes.
  ///   - rows: The rows as HTML.
  ///   - note: A sentence below the table as HTML; empty for none.
  static func table(
    _ title: String, id: String, heads: [(title: String, classes: String)], rows: [String], note: String = ""
  ) -> String {
    """
    <section><h2 id="\(id)">\(title)</h2>
    <div class="table" tabindex="0" role="region" aria-labelledby="\(id)"><table><thead><tr>\
    \(heads.map { "<th scope=\"col\" class=\"\($0.classes)\">\($0.title)</th>" }.joined())</tr></thead>
    <tbody>
    \(rows.joined())</tbody></table></div>
    \(note.isEmpty ? "" : "<p class=\"aside\">\(note)</p>\n")</section>

    """
  }

  /// Returns the HTML of a row: its name, then its cells as HTML with their CSS classes.
  static func row(_ name: String, _ cells: [(classes: String, html: String)]) -> String {
    row(html: "<bdi>\(Markup.visible(name))</bdi>", cells)
  }

  /// Returns the HTML of a row whose name is HTML.
  ///
  /// - Parameter id: The attribute with the id to which a link leads; empty for none.
  static func row(html name: String, id: String = "", _ cells: [(classes: String, html: String)]) -> String {
    let cells = cells.map { "<td\($0.isEmpty ? "" : " class=\"\($0)\"")>\($1)</td>" }
    return "<tr\(id)><th scope=\"row\">\(name)</th>\(cells.joined())</tr>\n"
  }

  /// Returns the HTML of a timestamp, which the script shows as local time.
  static func time(_ timestamp: String) -> String {
    let time = Markup.visible(timestamp)
    return "<time datetime=\"\(time)\"\(local(timestamp, time))>\(time)</time>"
  }

  /// Returns the attributes of an element in whose text the script replaces a part by the local time.
  ///
  /// - Parameter style: `date` or `time`; empty for both.
  static func local(_ timestamp: String, _ shown: String, style: String = "") -> String {
    let style = style.isEmpty ? "" : " data-style=\"\(style)\""
    return " data-time=\"\(Markup.visible(timestamp))\" data-shown=\"\(shown)\"\(style)"
  }

  /// The strip of running and waiting steps, the waterfall with its controls, and the details of a step.
  ///
  /// They are hidden without scripts.
  ///
  /// - Parameter changes: The differences from a base; `nil` without a base.
  static func pictures(_ changes: PageChanges? = nil) -> String {
    let legend = changes.map { "<p class=\"aside\">\($0.legend)</p>\n" } ?? ""
    return PageFiles.pictures.split(separator: "{changes}").joined(separator: legend)
  }
}

/// The table of a page's steps, for readers without scripts, on paper and with a screen reader.
///
/// It has the first steps by start, so that a page of thousands of steps stays small. The script shows the others.
package struct PageTable {
  /// The maximum number of rows.
  package static let limit = 200

  private let record: LaunchRecord
  private let path: CriticalPath

  init(_ record: LaunchRecord) {
    self.record = record
    path = CriticalPath(of: record)
  }

  /// The HTML of the section.
  var text: String {
    guard !record.isEmpty else { return "<p class=\"aside\">This launch has no steps.</p>\n" }
    return """
      <section><h2 id="table">Steps</h2>
      <div class="table" tabindex="0" role="region" aria-labelledby="table"><table id="steps">
      <caption class="hidden">The launch's steps by start</caption>
      <thead><tr>\(Self.heads)</tr></thead>
      <tbody>
      \(shown.map { row(of: record[$0]) }.joined())</tbody>
      </table></div>
      <p class="aside" id="rest">\(rest)</p></section>

      """
  }

  /// The steps of the table, in the order of their starts. Steps that never ran come last.
  private var shown: ArraySlice<Int> {
    record.indices.sorted {
      (record[$0].execution.startTime ?? .max, $0) < (record[$1].execution.startTime ?? .max, $1)
    }.prefix(Self.limit)
  }

  private var rest: String {
    let hidden = record.count - Self.limit
    guard hidden > 0 else { return "" }
    return """
      The table has the first \(Self.limit) of \(record.count) rows. To see all rows, allow scripts, or run \
      <code>report --format json</code>.
      """
  }

  private static let heads: String = {
    let columns: [(title: String, order: String?, classes: String)] = [
      ("#", "manifest", "n narrow"), ("Step", nil, ""), ("State", nil, ""), ("Lane", "lane", "wide"),
      ("Started", "start", "n narrow"), ("Waited", "wait", "n narrow"), ("Ran", "time", "n"),
      ("Slack", nil, "n wide"), ("Result", nil, "result wide"),
    ]
    return columns.map { title, order, classes in
      let order = order.map { " data-order=\"\($0)\"" } ?? ""
      return "<th scope=\"col\" class=\"\(classes)\"\(order)>\(title)</th>"
    }.joined()
  }()

  private func row(of step: StepRecord) -> String {
    let execution = step.execution
    let hasRun = execution.startTime != nil
    let result = StepResult(step, in: record).text
    return """
      <tr data-i="\(step.index)"><td class="n narrow" data-v="\(step.index + 1)">\(step.index + 1)</td>\
      <th scope="row"><bdi>\(Markup.visible(step.id))</bdi></th>\
      <td>\(state(of: step))</td>\
      <td class="wide">\(step.step.lane.rawValue)</td>\
      \(time(execution.startTime, "n narrow"))\(time(hasRun ? execution.waitingTime : nil, "n narrow"))\
      \(time(hasRun ? execution.runningTime : nil, step.isOverBudget ? "n over" : "n", step.lastedText))\
      \(time(path.slack(of: step.index), "n wide"))\
      <td class="result wide">\(Markup.visible(String(result.prefix(400))))</td></tr>

      """
  }

  private func state(of step: StepRecord) -> String {
    let allowed = step.isAllowedFailure ? " allowed" : ""
    let state = "<span class=\"state \(step.state.name)\(allowed)\">\(step.state.title)</span>"
    guard step.details.undo?.failure != nil else { return state }
    return "\(state), <span class=\"state failed\">undo failed</span>"
  }

  /// Returns a table cell with a time for people, and with its nanoseconds for programs.
  private func time(_ time: Int64?, _ classes: String, _ text: String? = nil) -> String {
    guard let time else { return "<td class=\"\(classes)\" data-v=\"\"></td>" }
    return "<td class=\"\(classes)\" data-v=\"\(time)\">\(text ?? TimeNumbers.brief(time))</td>"
  }
}
