import AppBoot

/// The table of steps in the HTML report. Each step has a row with a bar over time.
struct HTMLTable {
  private let chart: Chart
  private var record: StartupRecord { chart.record }

  init(_ record: StartupRecord) { chart = Chart(record, hasTitles: false) }

  /// The HTML of the section.
  var text: String {
    guard !record.isEmpty else { return "<p class=\"none\">This launch has no steps.</p>\n" }
    return """
      <section aria-labelledby="table">
      <div class="bar-row"><h2 id="table">Steps</h2>
      <label><span class="hidden">Find steps</span>\
      <input id="find" type="search" placeholder="Find a step" autocomplete="off"></label>
      <label><span class="hidden">Which steps to show</span><select id="show">\
      <option value="all">All steps</option><option value="critical">Critical path</option>\
      <option value="failed">Failed</option><option value="over">Over budget</option>\
      <option value="idle">Never ran</option></select></label></div>
      <div class="table"><table id="steps">
      <caption class="hidden">The launch's steps. The headings sort; the arrow keys move between rows, and Enter \
      opens one.</caption>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(record.map(row).joined())</tbody>
      </table><div class="none" id="none" hidden>No step matches.</div></div></section>

      """
  }

  /// The HTML of the column headings: title, sort key, order on the first click, and CSS classes.
  private var heads: String {
    let columns: [(title: String, key: String, first: String, classes: String)] = [
      ("#", "number", "up", "n narrow"), ("Step", "text", "up", ""), ("State", "text", "up", ""),
      ("Lane", "text", "up", "wide"), ("Started", "number", "up", "n narrow"),
      ("Waited", "number", "down", "n narrow"), ("Ran", "number", "down", "n"),
      ("Slack", "number", "down", "n wide"),
    ]
    let sortable = columns.enumerated().map { index, column in
      """
      <th scope="col" class="\(column.classes)" data-key="\(column.key)" data-first="\(column.first)" \
      aria-sort="\(index == 0 ? "ascending" : "none")"><button type="button">\(column.title)</button></th>
      """
    }
    return sortable.joined() + """
      <th scope="col" class="plain narrow">Over time</th><th scope="col" class="plain wide">Result</th>
      """
  }

  private func row(of step: StepRecord) -> String {
    let execution = step.execution
    let isOver = step.isOverBudget
    let result = StepResult(step, in: record).text
    let name = Markup.visible(step.id)
    let command = Markup.visible(step.step.commandName)
    let find = Markup.visible(
      "\(step.id) \(step.step.commandName) \(step.state.name) \(result.prefix(500))"
    ).lowercased()
    let hasRun = execution.start != nil
    return """
      <tr class="step\(chart.path.contains(step.index) ? " critical" : "")" data-i="\(step.index)" \
      data-find="\(find)" tabindex="-1" aria-expanded="false">\
      <td class="n narrow" data-v="\(step.index + 1)">\(step.index + 1)</td>\
      <th scope="row" data-v="\(name)"><bdi>\(name)</bdi>\
      \(name == command ? "" : "<span class=\"command\"><bdi>\(command)</bdi></span>")</th>\
      <td data-v="\(step.state.name)">\
      <span class="state \(step.state.name)\(step.isAllowedFailure ? " allowed" : "")">\(step.state.title)</span></td>\
      <td class="wide" data-v="\(step.step.lane.rawValue)">\(step.step.lane.rawValue)</td>\
      \(time(execution.start, "n narrow"))\(time(hasRun ? execution.waiting : nil, "n narrow"))\
      \(time(hasRun ? execution.running : nil, isOver ? "n over" : "n"))\
      \(time(chart.path.slack(of: step.index), "n wide"))\
      <td class="bar narrow"><svg class="chart" aria-hidden="true">\(chart.row(of: step, y: 0, height: 22))</svg></td>\
      <td class="result wide"><div><bdi>\(Markup.visible(String(result.prefix(400))))</bdi></div></td></tr>

      """
  }

  /// Returns a table cell with a time for people, and with its nanoseconds for sorting.
  private func time(_ time: Int64?, _ classes: String) -> String {
    guard let time else { return "<td class=\"\(classes)\" data-v=\"\"></td>" }
    return "<td class=\"\(classes)\" data-v=\"\(time)\">\(TimeNumbers.brief(time))</td>"
  }
}
