extension Collection<String> {
  /// Returns the first texts with a separator between them, and the number of the others: `a, b and 17 more`.
  package func listed(atMost most: Int, separator: String = ", ") -> String {
    prefix(most).joined(separator: separator) + (count > most ? " and \(count - most) more" : "")
  }

  /// The names in quotation marks, for example `"a" and "b"`. Of more than five names, the first five and the number of
  /// the others.
  package var quoted: String { map { "\"\($0)\"" }.listed(atMost: 5, separator: " and ") }
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
