import AppBoot

/// The texts of a page's data. Each text is stored once, and the data has its number.
struct PageTexts {
  private(set) var all: [String] = []
  private var numbers: [String: Int] = [:]

  /// Returns the number of a text in the form for people: without hidden characters, but with line breaks.
  mutating func number(_ text: String, atMost limit: Int = .max) -> Int {
    let text = text.count > limit ? "\(text.prefix(limit))…" : text
    if let number = numbers[text] { return number }
    let number = all.count
    numbers[text] = number
    all.append(Self.visible(text))
    return number
  }

  /// Returns a text without hidden characters. Only line feeds stay.
  static func visible(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { VisibleText.of(String($0.map { $0 == "\t" ? " " : $0 })) }.joined(separator: "\n")
  }
}
