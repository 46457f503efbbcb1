/// A namespace for the recognition of texts in other formats, for example YAML in place of a manifest.
enum OtherFormat {
  /// Returns the format of a text that is not JSON, and the place of the line that shows it; `nil` if the text may be
  /// JSON.
  ///
  /// - Parameter start: The offset after a byte-order mark.
  static func found(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (format: String, range: Range<Int>)? {
    var lineStart = start
    while lineStart < bytes.count {
      let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer { lineStart = end + 1 }
      guard let first = bytes[lineStart..<end].firstIndex(where: { $0 > 0x20 }) else { continue }
      let last = bytes[first..<end].lastIndex { $0 > 0x20 } ?? first
      // The usual case is decided by one byte.
      switch bytes[first] {
      case UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "/"): return nil
      case UInt8(ascii: "#"): continue
      // The name of a table in TOML, if a key follows; otherwise an array.
      case UInt8(ascii: "[") where bytes[last] == UInt8(ascii: "]"): continue
      default: break
      }
      let line = String(decoding: bytes[first..<min(end, first + 200)], as: UTF8.self)
      guard let format = format(ofLine: line) else { return nil }
      return (format, first..<min(last + 1, first + 200))
    }
    return nil
  }

  private static func format(ofLine line: String) -> String? {
    let line = line.hasSuffix("\r") ? String(line.dropLast()) : line
    if line == "---" || line.hasPrefix("--- ") || line.hasPrefix("%YAML") || line.hasPrefix("- ") {
      return "YAML"
    }
    let key = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    let rest = line[key.endIndex...]
    guard key.first?.isLetter == true else { return nil }
    if rest == ":" || rest.hasPrefix(": ") { return "YAML" }
    return rest.drop { $0 == " " }.hasPrefix("=") ? "TOML or INI" : nil
  }
}
