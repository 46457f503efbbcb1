package import AppBoot
import AppBootRecords

/// A report that draws a record as an SVG picture: a row for each step over time.
///
/// The picture follows the reader's light or dark colour scheme.
package struct SVGReport: Sendable {
  /// The maximum number of steps that get a row: failures first, then the critical path, then the slowest.
  package var maximumRows: Int

  /// Creates a report with at most `maximumRows` rows. Values below 1 count as 1.
  package init(maximumRows: Int = 120) { self.maximumRows = max(1, maximumRows) }

  /// Returns the record as SVG.
  package func text(of record: LaunchRecord) -> String {
    var picture = SVGPicture(record.withEstimatedEnd, maximumRows: maximumRows)
    return picture.text()
  }
}

/// A drawing of the picture, from top to bottom.
private struct SVGPicture {
  private static let width = 1200
  private static let left = 230
  private static let margin = 20
  private static var chartWidth: Int { width - left - margin }

  private let chart: Chart
  private let shown: [Int]
  private var y = 0
  private var body = ""

  private var record: LaunchRecord { chart.record }

  init(_ record: LaunchRecord, maximumRows: Int) {
    chart = Chart(record)
    shown = Self.rows(of: record, chart, atMost: maximumRows)
  }

  /// Returns the steps that get a row, sorted by start. Steps that never ran follow in manifest order.
  private static func rows(of record: LaunchRecord, _ chart: Chart, atMost limit: Int) -> [Int] {
    func weight(_ index: Int) -> (Int, Int64) {
      let step = record[index]
      if step.state.isFailure { return (0, -step.execution.runningTime) }
      if step.execution.startTime == nil { return (3, 0) }
      return (chart.path.contains(index) ? 1 : 2, -step.execution.runningTime)
    }
    let byWeight = record.indices.map { (weight($0), $0) }.sorted {
      ($0.0.0, $0.0.1, $0.1) < ($1.0.0, $1.0.1, $1.1)
    }
    return byWeight.prefix(limit).map(\.1)
      .sorted { (record[$0].execution.startTime ?? .max, $0) < (record[$1].execution.startTime ?? .max, $1) }
  }

  mutating func text() -> String {
    heading()
    rows()
    legend()
    let name = Markup.visible("\(record.outline.name): timeline of the launch")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="chart" width="\(Self.width)" height="\(y)" \
      viewBox="0 0 \(Self.width) \(y)" role="img" aria-label="\(name)">
      <title>\(name)</title>
      <style>
      \(PageFiles.chart)</style>
      <rect class="paper" width="100%" height="100%"/>
      \(body)</svg>

      """
  }

  private mutating func heading() {
    let verdict = Verdict(style: TextStyle()).line(for: record)
    label(verdict, "title", x: Self.margin, y: 32, columns: 110)
    let header = record.header
    let facts: [String?] = [record.startedAt, header.hostText, header.toolText, record.outline.manifestName]
    label(facts.compactMap(\.self).joined(separator: " · "), "fact", x: Self.margin, y: 52, columns: 160)
    y = 70
  }

  private mutating func rows() {
    guard !shown.isEmpty else { return }
    let height = 20
    let total = 24 + shown.count * height
    var inner = ""
    for position in shown.indices where position % 2 == 1 {
      let top = y + 22 + position * height
      body += "<rect class=\"stripe\" x=\"\(Self.margin)\" y=\"\(top)\" "
      body += "width=\"\(Self.width - 2 * Self.margin)\" height=\"\(height)\"/>\n"
    }
    inner += chart.axis(ticks: 8, height: total)
    for (position, index) in shown.enumerated() {
      let top = 22 + position * height
      let step = record[index]
      name(of: step, y: y + top)
      inner += chart.row(of: step, y: top, height: height) + result(of: step, y: top + 14)
    }
    nest(inner, height: total)
    y += total + 10
    hiddenSteps()
  }

  private mutating func name(of step: StepRecord, y: Int) {
    let isBad = step.state.isFailure && !step.isAllowedFailure
    let words = PictureText.fit(step.id, to: Self.left - Self.margin - 18)
    body += text(words, isBad ? "name bad" : "name", x: "\(Self.margin + 10)", y: y + 14)
  }

  /// Returns the step's running time as text beside its bar. For a step that never ran, returns the reason.
  private func result(of step: StepRecord, y: Int) -> String {
    guard let start = step.execution.startTime else {
      return text(fit(record.stateText(of: step.index), to: 120), "reason", x: "0", y: y)
    }
    let failure = step.details.failureTime.map { ", failed at \(TimeNumbers.brief($0))" } ?? ""
    let time = step.execution.endTime == nil ? "running" : step.lastedText + failure
    let name = failure.isEmpty ? "time" : "time bad"
    let total = chart.timeline.end
    let end = step.execution.endTime ?? total
    let first = step.execution.readyTime ?? start
    func share(_ time: Int64) -> Double { Double(time) / Double(total) }
    if share(end) < 0.93, step.details.undo == nil {
      return self.time(time, at: end, "start", shift: 6, y: y, name: name)
    }
    if share(first) > 0.07 { return self.time(time, at: first, "end", shift: -6, y: y, name: name) }
    if share(end) < 0.93 { return self.time(time, at: end, "start", shift: 6, y: y, name: name) }
    let critical = chart.path.contains(step.index) ? " critical" : ""
    return "<g class=\"\(Chart.stateName(of: step))\(critical)\">"
      + self.time(time, at: start, "start", shift: 8, y: y, name: "label") + "</g>"
  }

  private func time(
    _ text: String, at time: Int64, _ anchor: String, shift: Int, y: Int, name: String
  ) -> String {
    let x = TimeNumbers.percent(time, of: chart.timeline.end)
    return
      "<text class=\"\(name)\" x=\"\(x)%\" dx=\"\(shift)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(text)</text>\n"
  }

  private mutating func hiddenSteps() {
    let hidden = record.count - shown.count
    guard hidden > 0 else { return }
    let isShown = Set(shown)
    let time = record.indices.reduce(Int64(0)) {
      isShown.contains($1) ? $0 : $0.addingClamped(record[$1].execution.runningTime)
    }
    label(
      "\(hidden) more steps have no row; they ran for \(TimeNumbers.brief(time)) in total", "fact",
      x: Self.margin + 10, y: y + 12)
    y += 24
  }

  private mutating func legend() {
    let top = y + 4
    let samples: [(state: String, shape: String, words: String, mark: String)] = [
      ("", "wait", "waiting", "<rect class=\"wait\""), ("", "run", "running", "<g class=\"succeeded\""),
      ("critical", "run", "on the critical path", "<rect class=\"mark\""),
      ("failed", "run", "failed", "<g class=\"failed"),
      ("timedOut", "run", "timed out", "<g class=\"timedOut"),
      ("allowed", "run", "allowed to fail", " allowed\""),
      ("cancelled", "run", "cancelled", "<g class=\"cancelled"),
      ("", "pause", "backoff", "<line class=\"pause\""),
      ("", "span", "span", "<rect class=\"span\""), ("", "undo", "undone", "<rect class=\"undo\""),
    ]
    var x = Self.margin + 10
    for (state, shape, words, mark) in samples where body.contains(mark) {
      let (offset, height) = ["wait": (5, 4), "span": (3, 3), "pause": (6, 1)][shape] ?? (0, 13)
      body += "<g class=\"\(state)\"><rect class=\"\(shape)\" x=\"\(x)\" y=\"\(top + offset)\" "
      body += "width=\"22\" height=\"\(height)\" rx=\"2\"/>"
      if state == "critical" {
        body += "<rect class=\"mark\" x=\"\(x)\" y=\"\(top + 15)\" width=\"22\" height=\"2\"/>"
      }
      body += "</g>\n"
      label(words, "fact", x: x + 29, y: top + 11)
      x += 29 + words.count * 13 / 2 + 22
    }
    y = top + 32
  }

  // MARK: - Pieces

  private mutating func label(_ words: String, _ name: String, x: Int, y: Int, columns: Int = 200) {
    body += text(fit(words, to: columns), name, x: String(x), y: y)
  }

  private func text(_ words: String, _ name: String, x: String, y: Int) -> String {
    "<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">\(Markup.visible(words))</text>\n"
  }

  /// Cuts text to a number of columns. A control character takes eight columns when it is shown.
  private func fit(_ words: String, to columns: Int) -> String {
    let style = TextStyle()
    return style.fit(style.visible(words), to: columns)
  }

  private mutating func nest(_ inner: String, height: Int) {
    body += "<svg x=\"\(Self.left)\" y=\"\(y)\" width=\"\(Self.chartWidth)\" height=\"\(height)\">\n"
    body += "\(inner)</svg>\n"
  }
}

/// The layout of a record over time: the row of each step that ran, and the end of the time axis.
///
/// The main lane has one row. The background lane has more if steps ran at the same time: a step is placed in the first
/// row that was free when it started.
struct Timeline {
  /// A row of the timeline. Its steps belong to one lane and ran one after the other.
  struct Row {
    let name: String
    let lane: Lane
    /// The indices of the steps in the row, sorted by start.
    var steps: [Int] = []
  }

  /// The rows. The row of the main lane comes first.
  let rows: [Row]
  /// The index of each step's row; `nil` for a step that never ran.
  let rowOfStep: [Int?]
  /// The latest time in the record, in nanoseconds; at least 1.
  let end: Int64
  /// The indices of the steps that ran, sorted by start, then in manifest order.
  let order: [Int]

  init(_ record: LaunchRecord) {
    let starts = record.map(\.execution.startTime)
    order = record.indices.filter { starts[$0] != nil }
      .sorted { (starts[$0] ?? 0, $0) < (starts[$1] ?? 0, $1) }
    end = max(1, record.lastMoment)
    var main = RowAssignment()
    var background = RowAssignment()
    var rowOfStep = [Int?](repeating: nil, count: record.count)
    for index in order {
      let range = (starts[index] ?? 0)...(record[index].execution.endTime ?? end)
      rowOfStep[index] = record[index].step.lane == .main ? main.place(range) : background.place(range)
    }
    var rows = (0..<main.count).map { Row(name: $0 == 0 ? "main" : "main \($0 + 1)", lane: .main) }
    rows += (0..<background.count).map { Row(name: "background \($0 + 1)", lane: .background) }
    for index in order {
      guard let place = rowOfStep[index] else { continue }
      let row = record[index].step.lane == .main ? place : main.count + place
      rowOfStep[index] = row
      rows[row].steps.append(index)
    }
    self.rows = rows
    self.rowOfStep = rowOfStep
  }
}

/// An assignment of time ranges, sorted by start, to the first row that is free.
private struct RowAssignment {
  private var ends: [Int64] = []

  var count: Int { ends.count }

  mutating func place(_ range: ClosedRange<Int64>) -> Int {
    if let free = ends.firstIndex(where: { $0 <= range.lowerBound }) {
      ends[free] = range.upperBound
      return free
    }
    ends.append(range.upperBound)
    return ends.count - 1
  }
}
