import AppBoot

/// A comparison as Markdown, for a pull request's comment or a CI summary.
public struct ComparisonMarkdown: Sendable {
  /// How many UTF-8 bytes the text may have at most; rows that do not fit are counted.
  public var limit: Int

  /// Creates a report.
  public init(limit: Int = MarkdownReport.commentLimit) { self.limit = limit }

  /// The comparison as Markdown.
  public func text(of comparison: Comparison) -> String {
    let head = heading(comparison)
    let tail = changes(comparison)
    let room = max(0, limit - head.utf8.count - tail.utf8.count - 400)
    return head + table(comparison, room: room) + tail
  }

  private func heading(_ comparison: Comparison) -> String {
    let mark: String
    switch comparison.launch.verdict {
    case .slower: mark = "🐢"
    case .faster: mark = "🐇"
    case .inconclusive: mark = "〰️"
    }
    let verdict = comparison.launch.verdict.name
    var text = "### \(mark) \(code(comparison.head.name)): \(verdict)\n\n"
    text += "\(MarkdownText.code(String(comparison.summary().prefix(2000))))\n\n"
    text += "\(comparison.head.launches) launches against \(comparison.base.launches)"
    let out = comparison.base.leftOut + comparison.head.leftOut
    if out > 0 { text += "; \(out) that did not boot are left out" }
    if comparison.hostsDiffer {
      text += ". **They ran on different machines, which may explain every difference.**"
    }
    return text + "\n\n"
  }

  private func table(_ comparison: Comparison, room: Int) -> String {
    let decided = comparison.decided
    let ids = Set(decided.map(\.id))
    var text = "| | Base | Head | Change | Sure of | Verdict |\n|---|--:|--:|--:|--:|---|\n"
    text += row("**in all**", comparison.launch)
    var hidden = 0
    var used = text.utf8.count
    for step in decided + comparison.steps.filter({ !ids.contains($0.id) }) {
      let row = row(code(step.id), step.effect)
      guard hidden == 0, used + row.utf8.count <= room else {
        hidden += 1
        continue
      }
      used += row.utf8.count
      text += row
    }
    return text + (hidden > 0 ? "\n\(hidden) more steps are not shown.\n" : "") + "\n"
  }

  private func row(_ name: String, _ effect: Effect) -> String {
    let words = EffectText(effect: effect, ascii: false)
    let verdict: String
    switch effect.verdict {
    case .faster, .slower: verdict = "**\(words.verdict)**"
    case .inconclusive: verdict = words.verdict
    }
    return "| \(name) | \(words.base) | \(words.head) | \(words.change) | \(words.interval) | \(verdict) |\n"
  }

  private func changes(_ comparison: Comparison) -> String {
    let renamed = comparison.renamed.map { "\(code($0.formerID ?? "")) → \(code($0.id))" }
    let lists = [
      ("Added", comparison.added.map(code)), ("Removed", comparison.removed.map(code)), ("Renamed", renamed),
      ("Reordered", comparison.reordered.map(code)),
    ]
    return lists.filter { !$0.1.isEmpty }.map { word, items in
      let shown = shortEnough(items)
      let more = items.count > shown.count ? " and \(items.count - shown.count) more" : ""
      return "\(word): \(shown.joined(separator: ", "))\(more)\n\n"
    }.joined()
  }

  /// At most twenty, and no more than leave room for the rest: characters that are shown by their number are long.
  private func shortEnough(_ items: [String]) -> ArraySlice<String> {
    var used = 0
    return items.prefix(20).prefix { item in
      used += item.utf8.count
      return used <= limit / 16 || used == item.utf8.count
    }
  }

  private func code(_ text: String) -> String { MarkdownText.code(String(text.prefix(100))) }
}
