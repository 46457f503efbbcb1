import AppBoot

/// The timeline of the HTML report: the lanes at three zoom levels, and the critical path as a list.
struct HTMLTimeline {
  private let chart: Chart

  init(_ record: StartupRecord) { chart = Chart(record, hasTitles: false) }

  /// The HTML of the sections; empty if nothing ran.
  var text: String {
    let rows = chart.timeline.rows
    guard !rows.isEmpty else { return "" }
    return """
      <section aria-labelledby="timeline">
      <div class="bar-row"><h2 id="timeline">Timeline</h2>
      <div class="group" role="group" aria-label="Zoom">\
      <button type="button" data-zoom="1" aria-pressed="true">1×</button>\
      <button type="button" data-zoom="4" aria-pressed="false">4×</button>\
      <button type="button" data-zoom="16" aria-pressed="false">16×</button></div></div>
      <div class="lanes z1" id="lanes">
      <div class="lane-names">\(names(rows))</div>
      <div class="scroll" tabindex="0" role="region" aria-label="The lanes over time">
      \(picture(rows))</div>
      </div>
      \(Self.legend)</section>
      \(criticalPath)
      """
  }

  private func isLow(_ rows: [Timeline.Row]) -> Bool { rows.count > 12 }

  private func names(_ rows: [Timeline.Row]) -> String {
    rows.map { "<div class=\"\(isLow(rows) ? "low" : "tall")\">\($0.name)</div>" }.joined()
  }

  private func picture(_ rows: [Timeline.Row]) -> String {
    let height = isLow(rows) ? 16 : 26
    let total = 22 + rows.count * height
    var text = "<svg class=\"chart\" height=\"\(total)\" role=\"img\" aria-label=\"\(rows.count) lanes; "
    text += "the table below has the numbers\">\n"
    for (zoom, ticks) in [(1, 6), (4, 24), (16, 96)] {
      text += "<g class=\"axis a\(zoom)\">\n\(chart.axis(ticks: ticks, height: total))</g>\n"
    }
    for (index, row) in rows.enumerated() { text += chart.lane(row, y: 22 + index * height, height: height) }
    return text + "</svg>\n"
  }

  private static let legend: String = {
    let samples: [(String, String, String)] = [
      ("", "<rect class=\"wait\" x=\"0\" y=\"7\" width=\"24\" height=\"4\"/>", "waiting (in the table)"),
      ("", bar, "running"), ("critical", bar + mark, "on the critical path"), ("failed", bar, "failed"),
      ("timedOut", bar, "timed out"),
      ("", bar + "<rect class=\"span\" x=\"4\" y=\"4\" width=\"14\" height=\"3\"/>", "span of a step"),
      ("", "<rect class=\"undo\" x=\"1\" y=\"3\" width=\"22\" height=\"12\" rx=\"2\"/>", "undone"),
    ]
    let items = samples.map { state, shape, words in
      "<li><svg class=\"chart\" aria-hidden=\"true\"><g class=\"\(state)\">\(shape)</g></svg>\(words)</li>"
    }
    return "<ul class=\"legend\">\(items.joined())</ul>\n"
  }()

  private static let bar = "<rect class=\"run\" x=\"0\" y=\"2\" width=\"24\" height=\"13\" rx=\"2\"/>"
  private static let mark = "<rect class=\"mark\" x=\"0\" y=\"16\" width=\"24\" height=\"2\"/>"

  // MARK: - The critical path

  private var criticalPath: String {
    let times = LaunchTimes(chart.record)
    guard times.critical.count > 1 else { return "" }
    let items = times.critical.map { step in
      """
      <li>\(Markup.visible(step.id)) <span class="mono">\(TimeNumbers.brief(step.execution.running))</span></li>
      """
    }
    return """
      <section aria-labelledby="path"><h2 id="path">Critical path</h2>
      <p class="aside">These \(times.critical.count) steps decided how long the launch took: they ran for \
      \(TimeNumbers.brief(times.criticalRunning)) and waited \(TimeNumbers.brief(times.criticalWaiting)) for a slot.</p>
      <ol class="path" tabindex="0">\(items.joined(separator: "\n"))</ol></section>

      """
  }
}
