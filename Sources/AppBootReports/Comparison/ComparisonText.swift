import AppBoot

/// A report that writes a comparison as text for a terminal.
package struct ComparisonText: Sendable {
  /// The maximum number of steps that are all listed. If there are more, undecided steps are only counted.
  static let limit = 40

  /// The style of the text.
  package var style: TextStyle

  /// Creates a text report in a style.
  package init(style: TextStyle = TextStyle()) { self.style = style }

  /// Returns the comparison as text. Every line ends with a line feed.
  package func text(of comparison: Comparison) -> String {
    let parts = [
      heading(comparison), states(comparison), comparison.hasTimes ? table(comparison) : "",
      changes(comparison),
      style.wrapped(style.visible(comparison.summary(ascii: style.usesASCII))) + "\n",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Returns a line for each changed outcome; empty if no outcome changed.
  private func states(_ comparison: Comparison) -> String {
    guard !comparison.states.isEmpty else { return "" }
    let shown = comparison.states.prefix(Self.limit)
    let rows = shown.map { change in
      let words = "\(change.before.words) \(style.usesASCII ? "->" : "→") \(change.now.words)"
      return [change.step ?? "the launch", words].map(style.visible)
    }
    let table = TextTable(
      [.leading(most: style.columns(over: 3)), .leading()], style: style, indent: 2, wrap: 4)
    return style.paint("different outcomes:", .heading) + "\n" + table.text(rows)
      + style.more(comparison.states.count - shown.count, "steps")
  }

  private func heading(_ comparison: Comparison) -> String {
    let text = "base: \(side(comparison.base))\nhead: \(side(comparison.head))\n"
    return comparison.ownWarnings.reduce(text) { $0 + warning(style.visible($1.words)) }
  }

  private func side(_ side: Comparison.Side) -> String {
    "\(style.visible(side.name)), \(side.counts)"
  }

  private func warning(_ words: String) -> String {
    style.wrapped("\(style.paint("warning:", .warning)) \(words)", indent: 2) + "\n"
  }

  // MARK: - The table

  private func table(_ comparison: Comparison) -> String {
    let different = comparison.different
    let shown = different.count > Self.limit ? comparison.decided : different
    let heads = ["step", "base p50", "p90", "head p50", "p90", "change", "95 % interval", "decision"]
    var rows: [[TextTable.Cell]] = [heads.map { ($0, nil) }]
    rows += shown.map { row(style.visible($0.id), $0.effect) }
    rows.append(row("the launch", comparison.launch))
    let numbers = [TextTable.Column](repeating: .trailing(), count: 6)
    let columns = [.leading(most: style.columns(over: 3))] + numbers + [.leading()]
    var text = TextTable(columns, style: style, wrap: 2).text(rows)
    if let line = comparison.equalLine { text += line + "\n" }
    let hidden = different.count - shown.count
    if hidden > 0 { text += "\(hidden) more steps are the same or inconclusive\n" }
    return text
  }

  private func row(_ name: String, _ effect: Effect) -> [TextTable.Cell] {
    let words = EffectText(effect: effect, ascii: style.usesASCII)
    let role: TextStyle.Role =
      switch effect.decision {
      case .faster: .success
      case .slower, .partlySlower: .failure
      case .unchanged, .same, .inconclusive: .faint
      }
    return ([name] + words.numbers).map { ($0, nil) } + [(words.decision, role)]
  }

  // MARK: - Changed steps

  private func changes(_ comparison: Comparison) -> String {
    comparison.changedSteps(arrow: style.usesASCII ? "->" : "→", mark: style.visible).map { name, steps in
      let name = style.paint("\(name.lowercased()):", .accent)
      return style.wrapped("\(name) \(steps.listed(atMost: 20))", indent: 2) + "\n"
    }.joined()
  }
}

/// A report that writes a comparison as Markdown, for a pull request's comment or a CI summary.
package struct ComparisonMarkdown: Sendable {
  /// The maximum number of UTF-8 bytes of the text. Rows that do not fit are only counted.
  private let limit = MarkdownReport.commentLimit

  /// Returns the comparison as Markdown.
  package func text(of comparison: Comparison) -> String {
    let head = heading(comparison)
    let tail = changes(comparison)
    let room = max(0, limit - head.utf8.count - tail.utf8.count - 400)
    return head + table(comparison, room: room) + tail
  }

  private func mark(_ comparison: Comparison) -> String {
    if let change = comparison.launchChange {
      return change.now.failures == 0 ? "✅" : change.failsMore ? "❌" : "⚠️"
    }
    guard comparison.hasTimes else { return "❌" }
    let effects = comparison.decided.map(\.effect) + [comparison.launch]
    if effects.contains(where: \.isSlower) { return "🐢" }
    if effects.contains(where: \.isFaster) { return "🐇" }
    return [.same, .unchanged].contains(comparison.launch.decision) ? "🟰" : "〰️"
  }

  private func heading(_ comparison: Comparison) -> String {
    var text = "### \(mark(comparison)) \(code(comparison.head.name)): \(comparison.headline)\n\n"
    text += "\(MarkdownText.bold(String(comparison.summary().prefix(2000))))\n\n"
    text += "\(comparison.head.launches) launches against \(comparison.base.launches)"
    let out = comparison.base.leftOut + comparison.head.leftOut
    if out > 0 { text += "; \(out) that failed are left out" }
    text += "\n\n"
    for change in comparison.states.prefix(20) {
      let name = change.step.map(code) ?? "the launch"
      text += "- \(name): \(code(change.before.words)) → \(code(change.now.words))\n"
    }
    if !comparison.states.isEmpty { text += "\n" }
    for warning in comparison.ownWarnings { text += "> \(MarkdownText.code(warning.words))\n\n" }
    return text
  }

  private func table(_ comparison: Comparison, room: Int) -> String {
    guard comparison.hasTimes else { return "" }
    var text = "| | Base p50 | p90 | Head p50 | p90 | Change | 95 % confidence | Decision |\n"
    text += "|---|--:|--:|--:|--:|--:|--:|---|\n"
    let launch = row("**the launch**", comparison.launch)
    var hidden = 0
    var used = text.utf8.count + launch.utf8.count
    for step in comparison.different {
      let row = row(code(step.id), step.effect)
      guard hidden == 0, used + row.utf8.count <= room else {
        hidden += 1
        continue
      }
      used += row.utf8.count
      text += row
    }
    text += launch
    if let line = comparison.equalLine { text += "\n\(line)\n" }
    return text + (hidden > 0 ? "\n\(hidden) more steps are not shown.\n" : "") + "\n"
  }

  private func row(_ name: String, _ effect: Effect) -> String {
    let words = EffectText(effect: effect, ascii: false)
    let isDecided = effect.isSlower || effect.isFaster
    let decision = isDecided ? "**\(words.decision)**" : words.decision
    let numbers = words.numbers.map(MarkdownText.number)
    return "| \(name) | \(numbers.joined(separator: " | ")) | \(decision) |\n"
  }

  private func changes(_ comparison: Comparison) -> String {
    comparison.changedSteps(mark: code).map { name, steps in
      "\(name): \(steps.listed(atMost: fitting(steps)))\n\n"
    }.joined()
  }

  /// Returns the number of the first items that fit, at most twenty. Long items reduce it, as escaped characters take
  /// many bytes.
  private func fitting(_ items: [String]) -> Int {
    var used = 0
    return items.prefix(20).prefix { item in
      used += item.utf8.count
      return used <= limit / 16 || used == item.utf8.count
    }.count
  }

  private func code(_ text: String) -> String { MarkdownText.code(String(text.prefix(100))) }
}
