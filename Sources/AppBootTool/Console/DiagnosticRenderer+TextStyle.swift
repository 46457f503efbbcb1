import AppBoot
import AppBootReports

extension DiagnosticRenderer {
  /// Creates a renderer with the style's colours and characters. Its excerpts of the source fit the style's width.
  init(_ style: TextStyle) {
    // An excerpt also needs 8 columns for the line number, and an ellipsis at each end that was cut.
    let frame = 8 + 2 * (style.usesASCII ? 3 : 1)
    self.init(
      usesColor: style.usesColor, usesASCII: style.usesASCII,
      excerptWidth: min(100, style.width.map { $0 - frame } ?? 100))
    breaksWorkflowCommands = style.breaksWorkflowCommands
  }
}
