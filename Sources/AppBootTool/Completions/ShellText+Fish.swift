import AppBoot
import AppBootRecords

extension ShellText {
  /// Returns the text in single quotes for fish, with `\` and `'` escaped.
  static func fish(_ text: String) -> String {
    "'" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "'"
  }
}
