import AppBoot
import AppBootRecords

/// A drawing of steps over time as SVG. Horizontal positions are percentages of the width.
struct Chart {
  let record: LaunchRecord
  let timeline: Timeline
  let path: CriticalPath

  init(_ record: LaunchRecord) {
    self.record = record
    timeline = Timeline(record)
    path = CriticalPath(of: record)
  }

  private func x(_ time: Int64) -> String { "\(TimeNumbers.percent(time, of: timeline.end))%" }

  /// Returns the width of a bar from its start to its end. A very short bar gets a width that is still visible.
  private func width(_ start: Int64, _ end: Int64) -> String {
    let percent = TimeNumbers.percent(max(0, end - start), of: timeline.end)
    return percent == "0.000" ? "0.02%" : "\(percent)%"
  }

  /// Returns the row of one step: a thin bar while the step waits, a thick one while it runs, with its spans inside.
  func row(of step: StepRecord, y: Int, height: Int) -> String {
    let classes =
      [Self.stateName(of: step)] + (path.contains(step.index) ? ["critical"] : [])
      + (step.isAllowedFailure ? ["allowed"] : [])
    // Viewers show it as a tooltip.
    let title = "<title>\(Markup.visibleLines(facts(of: step)))</title>"
    let parts = [waiting, run, spans, undo].map { $0(step, y, height) }.joined()
    return "<g class=\"\(classes.joined(separator: " "))\" data-i=\"\(step.index)\">\(title)\(parts)</g>\n"
  }

  /// Returns the state that a step's bar shows. The bar of a service that failed after its start shows the start.
  static func stateName(of step: StepRecord) -> String {
    step.details.failureTime == nil ? step.state.name : StepState.succeeded.name
  }

  private func waiting(of step: StepRecord, _ y: Int, _ height: Int) -> String {
    guard let ready = step.execution.readyTime, step.execution.waitingTime > 0 else { return "" }
    return rect("wait", ready, ready + step.execution.waitingTime, y: y + height / 2 - 2, height: 4)
  }

  private func run(of step: StepRecord, _ y: Int, _ height: Int) -> String {
    guard let start = step.execution.startTime else { return "" }
    let end = step.execution.endTime ?? timeline.end
    var text = ""
    if step.details.attempts.count > 1 {
      text += line("pause", start, end, y: y + height / 2)
      for attempt in step.details.attempts {
        text += rect(
          "run", attempt.startTime, attempt.endTime ?? end, y: y + 2, height: height - 5, radius: 2)
      }
    } else {
      text += rect("run", start, end, y: y + 2, height: height - 5, radius: 2)
    }
    guard path.contains(step.index) else { return text }
    return text + rect("mark", start, end, y: y + height - 2, height: 2)
  }

  private func spans(of step: StepRecord, _ y: Int, _ height: Int) -> String {
    var depths: [Int] = []
    return step.details.spans.map { span in
      let depth = span.parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      guard depth < 3 else { return "" }
      let end = span.endTime ?? step.execution.endTime ?? timeline.end
      return rect("span", span.startTime, max(span.startTime, end), y: y + 3 + depth * 4, height: 3)
    }.joined()
  }

  private func undo(of step: StepRecord, _ y: Int, _ height: Int) -> String {
    guard let undo = step.details.undo else { return "" }
    return rect("undo", undo.startTime, undo.endTime ?? timeline.end, y: y + 3, height: height - 7, radius: 2)
  }

  private func rect(
    _ name: String, _ start: Int64, _ end: Int64, y: Int, height: Int, radius: Int? = nil
  ) -> String {
    let corner = radius.map { " rx=\"\($0)\"" } ?? ""
    return """
      <rect class="\(name)" x="\(x(start))" y="\(y)" width="\(width(start, end))" height="\(height)"\(corner)/>
      """
  }

  private func line(_ name: String, _ start: Int64, _ end: Int64, y: Int) -> String {
    "<line class=\"\(name)\" x1=\"\(x(start))\" x2=\"\(x(end))\" y1=\"\(y)\" y2=\"\(y)\"/>"
  }

  // MARK: - The axis

  /// Returns the time axis: vertical lines at round times, with the time above each line.
  func axis(ticks: Int, height: Int) -> String {
    AxisTicks(until: timeline.end, atMost: ticks).times.map { time in
      let isLast = Double(time) / Double(timeline.end) > 0.93
      return """
        <line class="grid" x1="\(x(time))" x2="\(x(time))" y1="18" y2="\(height)"/>\
        <text x="\(x(time))" y="12" text-anchor="\(time == 0 ? "start" : isLast ? "end" : "middle")">\
        \(DurationText.exact(.nanoseconds(time)))</text>

        """
    }.joined()
  }

  // MARK: - Words

  private func facts(of step: StepRecord) -> String {
    var lines = ["\(step.id): \(step.state.title)"]
    if let start = step.execution.startTime {
      lines.append(
        "started at \(TimeNumbers.brief(start)), \(step.ranText())")
      if let end = step.details.failureTime { lines.append("failed at \(TimeNumbers.brief(end))") }
      if step.execution.waitingTime > 0 {
        let place = path[step.index]?.reason.resourceText.map { " for \($0)" } ?? ""
        lines.append("waited \(TimeNumbers.brief(step.execution.waitingTime))\(place)")
      }
    }
    if path.contains(step.index) {
      lines.append("on the critical path")
    } else if let slack = path.slack(of: step.index) {
      lines.append("slack \(TimeNumbers.brief(slack))")
    }
    let result = StepResult(step, in: record).text
    if !result.isEmpty { lines.append(String(result.prefix(300))) }
    return lines.joined(separator: "\n")
  }
}

/// A namespace for text in pictures, whose letters differ in width.
enum PictureText {
  /// Returns the text cut to a number of pixels at 12 pixels a line. A text that was cut ends with an ellipsis.
  static func fit(_ text: String, to pixels: Int) -> String {
    let text = TextStyle().visible(text)
    var (used, short) = (0.0, "")
    for character in text {
      used += width(of: character)
      // An ellipsis takes 12 pixels.
      if used <= Double(pixels) - 12 { short.append(character) }
    }
    return used <= Double(pixels) ? text : short + "…"
  }

  /// Returns the width of a character in usual fonts, rounded up.
  private static func width(of character: Character) -> Double {
    if DisplayWidth.of(character) > 1 || "mwMW@%".contains(character) { return 12 }
    return "fijlrtI.,:;'|!()[]/ -".contains(character) ? 5 : character.isUppercase ? 9 : 7.5
  }
}

/// The round times of an axis. Their distance is 1, 2, 2.5 or 5 times a power of ten nanoseconds.
struct AxisTicks {
  let times: [Int64]

  init(until end: Int64, atMost count: Int) {
    let least = max(1, end / Int64(max(1, count)))
    var scale: Int64 = 1
    while scale * 10 <= least, scale < 100_000_000_000_000_000 { scale *= 10 }
    let steps = [scale, scale * 2] + (scale > 1 ? [scale / 10 * 25] : []) + [scale * 5]
    let step = steps.first { $0 >= least } ?? scale * 10
    times = Array(stride(from: 0, through: end, by: Int(step)))
  }
}
