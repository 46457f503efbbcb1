import AppBoot

/// What a report says below its table: who was slow, what decided the launch's time, and what the budgets came to.
struct TextSections {
  /// How many steps a list has at most.
  private static let limit = 8

  let record: StartupRecord
  let style: TextStyle
  private let path: CriticalPath

  init(_ record: StartupRecord, style: TextStyle) {
    self.record = record
    self.style = style
    path = CriticalPath(of: record)
  }

  /// Every section that has something to say, each with an empty line before it.
  var all: String { [slowest, critical, slack, budgets].filter { !$0.isEmpty }.map { "\n" + $0 }.joined() }

  // MARK: - Sections

  /// The steps by their own running time; what they waited stands apart.
  private var slowest: String {
    let steps = record.filter { $0.execution.running > 0 }
      .sorted { ($1.execution.running, $0.index) < ($0.execution.running, $1.index) }
    guard steps.count > 1 else { return "" }
    let rows = steps.prefix(Self.limit).map { step in
      let waited = step.execution.waiting > 0 ? "waited \(time(step.execution.waiting)) before" : ""
      let work = step.details.cpuTime.map { "\(time($0)) of processor time" } ?? ""
      return [
        step.id, time(step.execution.running), [waited, work].filter { !$0.isEmpty }.joined(separator: ", "),
      ]
    }
    return heading("slowest, by their own running time") + table(rows)
  }

  private var critical: String {
    guard path.steps.count > 1 else { return "" }
    let sum = path.steps.reduce(Int64(0)) { $0 + record[$1].execution.running }
    return heading("critical path, \(time(sum)) of \(time(record.duration))")
      + style.fit("  \(chain(atMost: 40))", to: style.width ?? .max) + "\n"
  }

  /// The steps that could have taken longer without the launch taking longer, the tightest first.
  private var slack: String {
    let steps = record.filter { !path.contains($0.index) && path.slack(of: $0.index) != nil }
      .sorted { (path.slack(of: $0.index) ?? 0, $0.index) < (path.slack(of: $1.index) ?? 0, $1.index) }
    guard !steps.isEmpty else { return "" }
    let rows = steps.prefix(Self.limit).map { [$0.id, time(path.slack(of: $0.index) ?? 0)] }
    let more = steps.count > Self.limit ? "  and \(steps.count - Self.limit) more, with more slack\n" : ""
    return heading("slack beside it") + table(rows) + more
  }

  private var budgets: String {
    var rows: [[String]] = []
    if let budget = record.outline.budget { rows.append(row("the launch", record.duration, budget)) }
    for step in record where step.execution.start != nil {
      if let budget = step.step.budget { rows.append(row(step.id, step.execution.running, budget)) }
    }
    return rows.isEmpty ? "" : heading("budgets") + table(rows)
  }

  private func row(_ name: String, _ duration: Int64, _ budget: Int64) -> [String] {
    let over = duration > budget ? "over by \(time(duration - budget))" : ""
    return [name, time(duration), "of \(DurationText.exact(.nanoseconds(budget)))", over]
  }

  // MARK: - Lines

  private func chain(atMost limit: Int) -> String {
    let steps = path.steps.suffix(limit).map {
      "\(style.visible(record.outline[$0].id)) \(time(record[$0].execution.running))"
    }
    let arrow = style.usesASCII ? " -> " : " → "
    let cut = path.steps.count > limit ? [style.usesASCII ? "..." : "…"] : []
    return (cut + steps).joined(separator: arrow)
  }

  private func heading(_ words: String) -> String { style.paint("\(words):", .heading) + "\n" }

  /// Names to the left, numbers to the right of their columns, words to the left.
  private func table(_ rows: [[String]]) -> String {
    let names = rows.map { style.visible($0[0]) }
    let column = min(names.map { DisplayWidth.of($0) }.max() ?? 0, max(12, (style.width ?? .max) / 2))
    let number = rows.map { DisplayWidth.of($0[1]) }.max() ?? 0
    return zip(names, rows).map { name, row in
      let value = String(repeating: " ", count: number - DisplayWidth.of(row[1])) + row[1]
      let words = row.dropFirst(2).filter { !$0.isEmpty }.map(style.visible).joined(separator: "  ")
      let line = "  \(DisplayWidth.pad(style.fit(name, to: column), to: column))  \(value)"
      return style.fit(words.isEmpty ? line : "\(line)  \(words)", to: style.width ?? .max) + "\n"
    }.joined()
  }

  private func time(_ nanoseconds: Int64) -> String {
    DurationText.brief(nanoseconds: nanoseconds, ascii: style.usesASCII)
  }
}
