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
