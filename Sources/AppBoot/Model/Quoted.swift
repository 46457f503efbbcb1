extension [String] {
  /// The names in quotation marks, for example `"a" and "b"`. Of more than five names, the first five and the number of
  /// the others.
  package var quoted: String {
    let more = count > 5 ? " and \(count - 5) more" : ""
    return prefix(5).map { "\"\($0)\"" }.joined(separator: " and ") + more
  }
}

extension Sequence<String> {
  /// The names in quotation marks with commas between them, for example `"a", "b"`.
  package var quotedList: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}

extension String {
  /// The text for a quotation in a message. A text of more than 80 bytes is shortened to 60 characters.
  package var excerpt: String {
    guard utf8.count > 80 else { return self }
    let start = prefix(60)
    // A character may have any number of marks.
    return start.utf8.count <= 240 ? "\(start)…" : "\(String(unicodeScalars.prefix(60)))…"
  }
}
