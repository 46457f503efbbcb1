import AppBoot

extension SourceRange {
  /// Creates the range of the first occurrence of a word in a text.
  init(of word: String, in text: String) {
    let (bytes, wanted) = (Array(text.utf8), Array(word.utf8))
    let start = (0...(bytes.count - wanted.count)).first { bytes[$0...].starts(with: wanted) } ?? bytes.count
    self.init(start: UInt32(start), end: UInt32(start + wanted.count))
  }
}
