extension String {
  /// Returns the text. A text of more than `bytes` UTF-8 bytes is cut to that size, and ends with an ellipsis.
  package func cut(to bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, bytes - 3))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}
