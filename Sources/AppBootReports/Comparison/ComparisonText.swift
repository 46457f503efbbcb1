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
    var text = heading(comparison) + "\n" + table(comparison)
    let changes = changes(comparison)
    if !changes.isEmpty { text += "\n" + changes }
    return text + "\n" + style.fit(style.visible(comparison.summary(ascii: style.usesASCII)), to: .max) + "\n"
  }

  private func heading(_ comparison: Comparison) -> String {
    var text = "base: \(side(comparison.base))\nhead: \(side(comparison.head))\n"
    if comparison.base.name != comparison.head.name {
      text += warning("the two sets have different launch names")
    }
    return comparison.ownWarnings.reduce(text) { $0 + warning(style.visible($1.words)) }
  }

  private func side(_ side: Comparison.Side) -> String {
    let plural = side.launches == 1 ? "launch" : "launches"
    let failed = side.leftOut > 0 ? ", \(side.leftOut) failed and left out" : ""
    let busy = side.leftOutBusy > 0 ? ", \(side.leftOutBusy) left out on a busy machine" : ""
    return "\(style.visible(side.name)), \(side.launches) \(plural)\(failed)\(busy)"
  }

  private func warning(_ words: String) -> String { "\(style.paint("warning:", .warning)) \(words)\n" }

  // MARK: - The table

  private struct Row {
    let cells: [String]
    let decision: String
    let role: TextStyle.Role?
  }

  private func table(_ comparison: Comparison) -> String {
    let isLong = comparison.steps.count > Self.limit
    let shown = isLong ? comparison.decided : comparison.steps
    var rows = shown.map { row(style.visible($0.id), $0.effect) }
    rows.append(row("the launch", comparison.launch))
    let widths = (0..<5).map { column in rows.map { DisplayWidth.of($0.cells[column]) }.max() ?? 0 }
    let names = min(widths[0], max(12, (style.width ?? .max) / 3))
    var text = ""
    for row in rows {
      let name = DisplayWidth.pad(style.fit(row.cells[0], to: names), to: names)
      let numbers = zip(row.cells, widths).dropFirst().map { cell, width in
        String(repeating: " ", count: width - DisplayWidth.of(cell)) + cell
      }
      let decision = row.role.map { style.paint(row.decision, $0) } ?? row.decision
      text += "\(name)  \(numbers.joined(separator: "  "))  \(decision)\n"
    }
    let hidden = comparison.steps.count - shown.count
    if hidden > 0 { text += "\(hidden) more steps are the same or inconclusive\n" }
    return text
  }

  private func row(_ name: String, _ effect: Effect) -> Row {
    let words = EffectText(effect: effect, ascii: style.usesASCII)
    let role: TextStyle.Role =
      switch effect.decision {
      case .faster: .success
      case .slower: .failure
      case .same, .inconclusive: .faint
      }
    return Row(
      cells: [name, words.base, words.head, words.change, words.interval], decision: words.decision,
      role: role)
  }

  // MARK: - Changed steps

  private func changes(_ comparison: Comparison) -> String {
    let arrow = style.usesASCII ? "->" : "→"
    let renamed = comparison.renamed.map { "\($0.formerID ?? "") \(arrow) \($0.id)" }
    return line("added", comparison.added) + line("removed", comparison.removed) + line("renamed", renamed)
      + line("reordered", comparison.reordered)
  }

  private func line(_ word: String, _ items: [String]) -> String {
    guard !items.isEmpty else { return "" }
    let more = items.count > 20 ? " and \(items.count - 20) more" : ""
    let list = items.prefix(20).map(style.visible).joined(separator: ", ")
    return "\(style.paint("\(word):", .accent)) \(list)\(more)\n"
  }
}
