/// A namespace for functions that quote text for the shells of completion scripts.
enum ShellText {
  /// Returns the text in single quotes for POSIX shells.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// Returns the text in single quotes for fish, with `\` and `'` escaped.
  static func fish(_ text: String) -> String {
    "'" + text.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "'"
  }
}
