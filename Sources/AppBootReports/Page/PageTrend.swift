import AppBoot
import AppBootRecords

/// The picture of many launches as SVG: a point for each launch, the budget, and the median before and after a change.
struct PageTrend {
  /// The maximum number of points.
  private static let limit = 1000
  /// The maximum number of times in the line of a step.
  private static let lineLimit = 60
  private static let (top, bottom, height) = (24.0, 176.0, 216)

  private let launches: ArraySlice<LaunchSummary>
  /// The first launch after the change; `nil` without a change.
  private let change: Int?
  /// The launches whose median is drawn: those before the change, and those since then.
  private let parts: [[Int]]
  private let budget: Int64?
  /// The addresses of the pages of single launches, by their starts.
  private let reports: [String: String]
  private let range: ClosedRange<Double>

  /// Creates the picture.
  ///
  /// - Parameters:
  ///   - change: The indices of the launches before a change and since then; `nil` without a change.
  init(
    _ launches: [LaunchSummary], change: (before: [Int], after: [Int])?, budget: Int64?,
    _ reports: [String: String]
  ) {
    self.reports = reports
    self.launches = launches.suffix(Self.limit)
    let shown = self.launches.indices
    self.change = change?.after.first.flatMap { shown.contains($0) ? $0 : nil }
    let parts = change.map { [$0.before, $0.after] } ?? [Array(shown)]
    self.parts = parts.map { $0.filter(shown.contains) }
    self.budget = budget
    let times =
      self.launches.filter(\.succeeded).map { Double($0.duration) } + (budget.map { [Double($0)] } ?? [])
    let (low, high) = (times.min() ?? 0, max(times.max() ?? 1, 1))
    // Small changes of nearly equal times must not look large.
    range = max(0, min(low, high * 0.8))...(high * 1.02)
  }

  /// The HTML of the section.
  var text: String {
    let failed = launches.count(where: \.failed)
    let label = "\(launches.count) launches, \(failed) of them failed. The table of launches has the numbers."
    return """
      <section><h2>Launches over time</h2>
      <div class="trend"><svg class="scale" aria-hidden="true">\(scale)</svg>
      <svg height="\(Self.height)" role="group" aria-label="\(label)">
      \(grid)\(points)\(medians)\(budgetLine)\(mark)\(dates)</svg></div>
      <p class="aside">A dot shows the time of a launch that succeeded. A cross at the bottom is a launch that did \
      not succeed. Both lead to the report of the launch, or to its row in the table. A line is the median of \
      the launches that it spans.</p></section>

      """
  }

  // MARK: - Places

  /// Returns the horizontal place of a launch in percent.
  private func x(_ launch: Int) -> String {
    let share = (Double(launch - launches.startIndex) + 0.5) / Double(max(1, launches.count))
    return TimeNumbers.percent(Int64(share * 1e6), of: 1_000_000) + "%"
  }

  private func y(_ time: Double) -> String {
    let share = (time - range.lowerBound) / max(1, range.upperBound - range.lowerBound)
    return Self.tenths(Self.bottom - max(0, min(1, share)) * (Self.bottom - Self.top))
  }

  private static func tenths(_ value: Double) -> String {
    let number = Int((value * 10).rounded())
    return "\(number / 10).\(abs(number % 10))"
  }

  // MARK: - Parts

  /// The round times of the scale.
  private var levels: [Double] {
    let span = range.upperBound - range.lowerBound
    let step = Double(
      AxisTicks(until: max(1, Int64(min(span, 0x1p62))), atMost: 4).times.dropFirst().first ?? 1)
    let first = (range.lowerBound / step).rounded(.up) * step
    return Array(stride(from: first, through: min(range.upperBound, 0x1p62), by: step).prefix(8))
  }

  private var scale: String {
    levels.map { "<text x=\"4\" y=\"\(y($0))\" dy=\"4\">\(TimeNumbers.brief(Int64($0)))</text>" }.joined()
  }

  private var grid: String {
    levels.map { "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"\(y($0))\" y2=\"\(y($0))\"/>\n" }.joined()
  }

  private var points: String {
    launches.indices.map { index in
      let launch = launches[index]
      let labels = launch.labels.map { ", \($0.name)=\($0.value)" }.joined()
      let words =
        "\(launch.startedAt): \(launch.outcome.title)\(launch.failedStep.map { " in \($0)" } ?? ""), "
        + "\(TimeNumbers.brief(launch.duration))\(labels)"
      let start = Markup.visible(launch.startedAt)
      let title = "<title\(PageFrame.local(launch.startedAt, start))>\(Markup.visible(words))</title>"
      let point =
        launch.succeeded
        ? "<circle cx=\"\(x(index))\" cy=\"\(y(Double(launch.duration)))\" r=\"3\">\(title)</circle>"
        : "<text class=\"f\" x=\"\(x(index))\" y=\"194\" text-anchor=\"middle\">✗\(title)</text>"
      let isListed = launches.endIndex - index <= PageTable.limit
      let place = reports[launch.startedAt] ?? (isListed ? "#launch-\(index)" : nil)
      return (place.map { "<a href=\"\(Markup.visible($0))\" tabindex=\"-1\">\(point)</a>" } ?? point) + "\n"
    }.joined()
  }

  /// The days of the first and the last launch; on a single day, their times.
  private var dates: String {
    guard let first = launches.first?.startedAt, let last = launches.last?.startedAt else { return "" }
    let isDay = first.prefix(10) == last.prefix(10)
    return [(first, "x=\"0\""), (last, "x=\"100%\" text-anchor=\"end\"")].map { start, place in
      let words = Markup.visible(String(isDay ? start.prefix(19).suffix(8) + " UTC" : start.prefix(10)))
      let local = PageFrame.local(start, words, style: isDay ? "time" : "date")
      return "<text \(place) y=\"212\"\(local)>\(words)</text>"
    }.joined() + "\n"
  }

  /// The median of each part.
  private var medians: String {
    parts.map { part in
      let times = part.map { launches[$0] }.filter(\.succeeded).map(\.duration)
      guard times.count > 1 else { return "" }
      let level = y(Double(times.median))
      let (start, end) = (x(part[0]), x(part[part.count - 1]))
      let words = "median of \(times.count): \(TimeNumbers.brief(times.median))"
      let anchor =
        part[0] > launches.startIndex + launches.count / 2
        ? "x=\"100%\" text-anchor=\"end\"" : "x=\"\(start)\""
      return "<line class=\"median\" x1=\"\(start)\" x2=\"\(end)\" y1=\"\(level)\" y2=\"\(level)\"/>"
        + "<text class=\"level\" \(anchor) y=\"\(level)\" dy=\"-6\">\(words)</text>\n"
    }.joined()
  }

  private var budgetLine: String {
    guard let budget else { return "" }
    let level = y(Double(budget))
    return """
      <line class="budget" x1="0" x2="100%" y1="\(level)" y2="\(level)"/>\
      <text class="f" x="4" y="\(level)" dy="-4">budget \(DurationText.exact(.nanoseconds(budget)))</text>

      """
  }

  private var mark: String {
    guard let change else { return "" }
    return """
      <line class="mark" x1="\(x(change))" x2="\(x(change))" y1="16" y2="\(Self.height)"/>\
      <text class="mark" x="\(x(change))" y="12" text-anchor="middle">change</text>

      """
  }

  // MARK: - The line of a step

  /// Returns the newest times of a step as a line. The numbers beside it are its text.
  static func line(_ times: [Int64?]) -> String {
    let shown = times.suffix(lineLimit)
    let known = shown.compactMap(\.self)
    guard let low = known.min(), let high = known.max() else { return "" }
    let points = zip(shown.indices, shown).compactMap { index, time -> String? in
      guard let time else { return nil }
      let across = Double(index - shown.startIndex) / Double(max(1, shown.count - 1))
      let up = Double(time - low) / Double(max(1, high - low))
      return "\(tenths(2 + across * 116)),\(tenths(20 - up * 18))"
    }
    return
      "<svg class=\"spark\" aria-hidden=\"true\"><polyline points=\"\(points.joined(separator: " "))\"/></svg>"
  }
}
