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
