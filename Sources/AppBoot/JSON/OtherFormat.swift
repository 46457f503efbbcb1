/// A namespace for the recognition of texts in other formats, for example YAML in place of a manifest.
enum OtherFormat {
  /// Returns the format of a text that is not JSON, and the place of the line that shows it; `nil` if the text may be
  /// JSON.
  ///
  /// - Parameter start: The offset after a byte-order mark.
  static func found(in bytes: [UInt8], from start: Int) -> (format: String, range: Range<Int>)? {
    guard let first = bytes[start...].first(where: { $0 > 0x20 }), first != UInt8(ascii: "{") else {
      return nil
    }
    for line in bytes[start...].split(separator: .lineFeed, maxSplits: 1000) {
      guard let first = line.firstIndex(where: { $0 > 0x20 }), let last = line.lastIndex(where: { $0 > 0x20 })
      else { continue }
      switch line[first] {
      case UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "/"): return nil
      case UInt8(ascii: "#"): continue
      // The name of a table in TOML, if a key follows; otherwise an array.
      case UInt8(ascii: "[") where line[last] == UInt8(ascii: "]"): continue
      default: break
      }
      let range = first..<min(last + 1, first + 200)
      return format(ofLine: String(decoding: bytes[range], as: UTF8.self)).map { ($0, range) }
    }
    return nil
  }

  private static func format(ofLine line: String) -> String? {
    if ["-", "---"].contains(line) || ["- ", "--- ", "%YAML"].contains(where: line.hasPrefix) {
      return "YAML"
    }
    let key = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    let rest = line[key.endIndex...]
    guard key.first?.isLetter == true else { return nil }
    if rest == ":" || rest.hasPrefix(": ") { return "YAML" }
    return rest.drop { $0 == " " }.hasPrefix("=") ? "TOML or INI" : nil
  }
}
