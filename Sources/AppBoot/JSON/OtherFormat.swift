/// A namespace for the recognition of texts in other formats, for example YAML in place of a manifest.
enum OtherFormat {
  /// Returns the format of a text that is not JSON, advice, and the place of the line that shows it; `nil` if the text
  /// may be JSON.
  ///
  /// - Parameter start: The offset after a byte-order mark.
  static func found(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (format: String, help: String, range: SourceRange)? {
    var lineStart = start
    while lineStart < bytes.count {
      let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer { lineStart = end + 1 }
      guard let first = bytes[lineStart..<end].firstIndex(where: { $0 > 0x20 }) else { continue }
      // The usual case is decided by one byte.
      switch bytes[first] {
      case UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "/"): return nil
      case UInt8(ascii: "#"): continue
      default: break
      }
      let line = String(decoding: bytes[first..<min(end, first + 200)], as: UTF8.self)
      guard let format = format(ofLine: line) else { return nil }
      let last = bytes[first..<end].lastIndex { $0 > 0x20 } ?? first
      return (format.name, format.help, SourceRange(first, min(last + 1, first + 200)))
    }
    return nil
  }

  private static func format(ofLine line: String) -> (name: String, help: String)? {
    let line = line.hasSuffix("\r") ? String(line.dropLast()) : line
    let help = "write it as JSON, or convert it, for example with `yq -o json`"
    if line == "---" || line.hasPrefix("--- ") || line.hasPrefix("%YAML") || line.hasPrefix("- ") {
      return ("YAML", help)
    }
    let key = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    let rest = line[key.endIndex...]
    if key.first?.isLetter == true, rest == ":" || rest.hasPrefix(": ") { return ("YAML", help) }
    if key.first?.isLetter == true, rest.hasPrefix(" = ") { return ("TOML or INI", help) }
    return nil
  }
}
