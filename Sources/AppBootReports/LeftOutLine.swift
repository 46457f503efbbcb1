package import AppBoot

/// A line of text with the number of steps that `--only`, `--to` or `--skip` left out.
package struct LeftOutLine {
  /// The maximum number of different reasons that are shown. If there are more, none is shown.
  private static let shownReasons = 3

  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  /// Returns the line with its line feed, for example `– 2 steps left out: not in --only`.
  ///
  /// Returns an empty text if no step was left out.
  package func text(of reasons: [String]) -> String {
    guard !reasons.isEmpty else { return "" }
    let different = reasons.reduce(into: [String]()) { different, reason in
      if different.count <= Self.shownReasons, !different.contains(reason) { different.append(reason) }
    }
    var text =
      "\(style.usesASCII ? "skip" : "–") \(reasons.count) step\(reasons.count == 1 ? "" : "s") left out"
    if different.count <= Self.shownReasons { text += ": \(different.joined(separator: ", "))" }
    return style.paint(style.fit(style.visible(text), to: style.width ?? .max), .faint) + "\n"
  }
}

extension SkipReason {
  /// True if a command-line option excluded the step.
  package var leavesOut: Bool { if case .excluded = self { true } else { false } }
}

extension StepState {
  /// The reason why a command-line option excluded the step; `nil` if none did.
  var leftOutReason: String? { if case .skipped(.excluded(let reason)) = self { reason } else { nil } }

  /// True if a command-line option excluded the step.
  var isLeftOut: Bool { leftOutReason != nil }
}
