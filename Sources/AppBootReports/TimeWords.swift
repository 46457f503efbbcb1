/// A function that splits text into words. A number and its unit are one word: `12.9 ms`, `20 %`, `2m 05s`.
enum TimeWords {
  private static let units: Set<Substring> = ["ns", "µs", "us", "ms", "s", "%", "kB", "MB", "GB"]

  /// Returns the words of a line. A run of spaces gives empty words, so that the line can be put together again.
  static func of(_ line: Substring) -> [Substring] {
    var words: [Substring] = []
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      if let last = words.last, isOne(last, word) {
        words[words.count - 1] = line[last.startIndex..<word.endIndex]
      } else {
        words.append(word)
      }
    }
    return words
  }

  private static func isOne(_ first: Substring, _ second: Substring) -> Bool {
    guard let end = first.last else { return false }
    let unit = second.prefix { !",;:.)".contains($0) }
    if end.isNumber { return units.contains(unit) }
    let isLonger = "hm".contains(end) && first.dropLast().last?.isNumber == true
    return isLonger && second.first?.isNumber == true && (unit.last == "s" || unit.last == "m")
  }

  /// Returns the beginning of a text that was cut, without its last time if the cut is inside that time.
  static func dropCutTime(of beginning: String, in text: String) -> String {
    let count = beginning.count
    guard let cut = text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex),
      let word = of(text[...]).first(where: { $0.startIndex < cut && cut < $0.endIndex }),
      word.contains(" ")
    else { return beginning }
    return String(text[..<word.startIndex])
  }
}
