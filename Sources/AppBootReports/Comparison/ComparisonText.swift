import AppBoot

/// A comparison as text for people.
public struct ComparisonText: Sendable {
  /// How many steps are listed; of more, those without a verdict are counted only.
  static let limit = 40

  /// How the text is written.
  public var style: TextStyle

  /// Creates a report.
  public init(style: TextStyle = TextStyle()) { self.style = style }

  /// The comparison as text; every line ends with a line feed.
  public func text(of comparison: Comparison) -> String {
    var text = heading(comparison) + "\n" + table(comparison)
    let changes = changes(comparison)
    if !changes.isEmpty { text += "\n" + changes }
    return text + "\n" + style.fit(style.visible(comparison.summary(ascii: style.usesASCII)), to: .max) + "\n"
  }

  private func heading(_ comparison: Comparison) -> String {
    var text = "base: \(side(comparison.base))\nhead: \(side(comparison.head))\n"
    if comparison.base.name != comparison.head.name {
      text += warning("these are launches of different names")
    }
    if comparison.hostsDiffer {
      text += warning("the launches ran on different machines, which may explain every difference")
    }
    return text
  }

  private func side(_ side: Comparison.Side) -> String {
    let plural = side.launches == 1 ? "launch" : "launches"
    let out = side.leftOut > 0 ? ", \(side.leftOut) left out that did not boot" : ""
    return "\(style.visible(side.name)), \(side.launches) \(plural)\(out)"
  }

  private func warning(_ words: String) -> String { "\(style.paint("warning:", .warning)) \(words)\n" }

  // MARK: - The table

  private struct Row {
    let cells: [String]
    let verdict: String
    let role: TextStyle.Role?
  }

  private func table(_ comparison: Comparison) -> String {
    let isLong = comparison.steps.count > Self.limit
    let shown = isLong ? comparison.decided : comparison.steps
    var rows = shown.map { row(style.visible($0.id), $0.effect) }
    rows.append(row("in all", comparison.launch))
    let widths = (0..<5).map { column in rows.map { DisplayWidth.of($0.cells[column]) }.max() ?? 0 }
    let names = min(widths[0], max(12, (style.width ?? .max) / 3))
    var text = ""
    for row in rows {
      let name = DisplayWidth.pad(style.fit(row.cells[0], to: names), to: names)
      let numbers = zip(row.cells, widths).dropFirst().map { cell, width in
        String(repeating: " ", count: width - DisplayWidth.of(cell)) + cell
      }
      let verdict = row.role.map { style.paint(row.verdict, $0) } ?? row.verdict
      text += "\(name)  \(numbers.joined(separator: "  "))  \(verdict)\n"
    }
    let hidden = comparison.steps.count - shown.count
    if hidden > 0 { text += "\(hidden) more steps are inconclusive\n" }
    return text
  }

  private func row(_ name: String, _ effect: Effect) -> Row {
    let words = EffectText(effect: effect, ascii: style.usesASCII)
    let role: TextStyle.Role =
      switch effect.verdict {
      case .faster: .success
      case .slower: .failure
      case .inconclusive: .faint
      }
    return Row(
      cells: [name, words.base, words.head, words.change, words.interval], verdict: words.verdict, role: role)
  }

  // MARK: - What is not the same

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
