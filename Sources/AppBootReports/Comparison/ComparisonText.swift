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
    let names = shown.map { $0.step.map(style.visible) ?? "the launch" }
    let column = min(names.map { DisplayWidth.of($0) }.max() ?? 0, max(12, (style.width ?? .max) / 3))
    let lines = zip(names, shown).map { name, change in
      let words = "\(change.before.words) \(style.usesASCII ? "->" : "→") \(change.now.words)"
      let front = DisplayWidth.pad(style.fit(name, to: column), to: column)
      return style.wrapped("  \(front)  \(style.visible(words))", indent: 4) + "\n"
    }
    let hidden = comparison.states.count - shown.count
    let more = hidden > 0 ? "  and \(hidden) more steps\n" : ""
    return style.paint("different outcomes:", .heading) + "\n" + lines.joined() + more
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

  private struct Row {
    let cells: [String]
    let decision: String
    let role: TextStyle.Role?
  }

  private func table(_ comparison: Comparison) -> String {
    let different = comparison.different
    let shown = different.count > Self.limit ? comparison.decided : different
    var rows = [
      Row(
        cells: ["step", "base p50", "p90", "head p50", "p90", "change", "95 % interval"],
        decision: "decision", role: nil)
    ]
    rows += shown.map { row(style.visible($0.id), $0.effect) }
    rows.append(row("the launch", comparison.launch))
    let widths = rows[0].cells.indices.map { column in
      rows.map { DisplayWidth.of($0.cells[column]) }.max() ?? 0
    }
    let names = min(widths[0], max(12, (style.width ?? .max) / 3))
    var text = ""
    for row in rows {
      let name = DisplayWidth.pad(style.fit(row.cells[0], to: names), to: names)
      let numbers = zip(row.cells, widths).dropFirst().map { cell, width in
        String(repeating: " ", count: width - DisplayWidth.of(cell)) + cell
      }
      let decision = row.role.map { style.paint(row.decision, $0) } ?? row.decision
      text += style.wrapped("\(name)  \(numbers.joined(separator: "  "))  \(decision)", indent: 2) + "\n"
    }
    if let line = comparison.equalLine { text += line + "\n" }
    let hidden = different.count - shown.count
    if hidden > 0 { text += "\(hidden) more steps are the same or inconclusive\n" }
    return text
  }

  private func row(_ name: String, _ effect: Effect) -> Row {
    let words = EffectText(effect: effect, ascii: style.usesASCII)
    let role: TextStyle.Role =
      switch effect.decision {
      case .faster: .success
      case .slower, .partlySlower: .failure
      case .unchanged, .same, .inconclusive: .faint
      }
    return Row(
      cells: [name] + words.numbers, decision: words.decision, role: role)
  }

  // MARK: - Changed steps

  private func changes(_ comparison: Comparison) -> String {
    comparison.changedSteps(arrow: style.usesASCII ? "->" : "→", mark: style.visible).map { name, steps in
      let name = style.paint("\(name.lowercased()):", .accent)
      return style.wrapped("\(name) \(steps.listed(atMost: 20))", indent: 2) + "\n"
    }.joined()
  }
}
