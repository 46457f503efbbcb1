extension [String] {
  /// The names in quotes, at most five of them, and the number of the others: `"a" and "b"`.
  package var quoted: String {
    let more = count > 5 ? " and \(count - 5) more" : ""
    return prefix(5).map { "\"\($0)\"" }.joined(separator: " and ") + more
  }
}

extension Sequence<String> {
  /// The names in quotes, with commas: `"a", "b"`.
  package var quotedList: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}

extension String {
  /// The text as a message quotes it, shortened to 60 characters if it is long.
  package var excerpt: String {
    guard utf8.count > 80 else { return self }
    let start = prefix(60)
    // A character may have any number of marks.
    return start.utf8.count <= 240 ? "\(start)…" : "\(String(unicodeScalars.prefix(60)))…"
  }
}
