import AppBoot
import AppBootRecords

/// The table of a page's steps, for readers without scripts, on paper and with a screen reader.
///
/// It has the first steps by start, so that a page of thousands of steps stays small. The script shows the others.
struct PageTable {
  /// The maximum number of rows.
  static let limit = 200

  private let record: StartupRecord
  private let path: CriticalPath

  init(_ record: StartupRecord) {
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
