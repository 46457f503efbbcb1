extension String {
  /// Returns the text. A text of more than `count` Unicode scalars is cut to that number, and ends with an ellipsis.
  package func cut(toScalars count: Int) -> String {
    guard utf8.count > count, unicodeScalars.dropFirst(count).first != nil else { return self }
    return String(unicodeScalars.prefix(count - 1)) + "…"
  }
}
