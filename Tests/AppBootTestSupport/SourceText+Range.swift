package import AppBoot

extension SourceText {
  /// Returns the text in a range.
  package func text(in range: SourceRange) -> String {
    String(decoding: bytes[Int(range.start)..<Int(range.end)], as: UTF8.self)
  }
}
