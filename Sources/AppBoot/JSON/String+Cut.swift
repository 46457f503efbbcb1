extension String {
  /// Returns the text; a text of more than `bytes` UTF-8 bytes is cut to that size, with an ellipsis at its end.
  package func cut(to bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, bytes - 3))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }

  /// Returns the text; a text of more than `count` Unicode scalars is cut to that number, with an ellipsis at its end.
  package func cut(toScalars count: Int) -> String {
    guard utf8.count > count, unicodeScalars.dropFirst(count).first != nil else { return self }
    return String(unicodeScalars.prefix(count - 1)) + "…"
  }
}
