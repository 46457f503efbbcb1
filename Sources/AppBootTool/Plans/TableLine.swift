import AppBoot
import AppBootReports
import AppBootSystem

/// One line of a long table, put together as bytes: a table of 100,000 lines makes no text of its own per part.
struct TableLine {
  private let style: TextStyle
  private var bytes: [UInt8] = []

  init(style: TextStyle) {
    self.style = style
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Spaces; none where the count is below one.
  mutating func append(spaces count: Int) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(0, count)))
  }

  /// A number above zero, at the right end of so many columns.
  mutating func append(number: Int, width: Int) {
    var (digits, limit) = (1, 10)
    while digits < width, number >= limit { (digits, limit) = (digits + 1, limit * 10) }
    append(spaces: width - digits)
    bytes.append(decimal: UInt64(number))
  }

  /// Where the next part begins.
  var end: Int { bytes.count }

  /// Makes a cell of what was appended since a place: safe for a terminal, cut to so many columns, and filled up with
  /// spaces where others follow.
  mutating func endCell(from start: Int, columns: Int, isPadded: Bool) {
    let isPlain = bytes.withUnsafeBytes {
      $0.count - start <= columns && DisplayWidth.isPrintableASCII(.init(rebasing: $0[start...]))
    }
    guard !isPlain else { return append(spaces: isPadded ? columns - (bytes.count - start) : 0) }
    let text = style.fit(style.visible(String(decoding: bytes[start...], as: UTF8.self)), to: columns)
    bytes.removeSubrange(start...)
    append(text)
    if isPadded { append(spaces: columns - DisplayWidth.of(text)) }
  }

  /// Writes the line and its end.
  mutating func write(to output: StandardOutput, as role: TextStyle.Role? = nil) {
    if let role {
      output.write(style.paint(String(decoding: bytes, as: UTF8.self), role) + "\n")
    } else {
      bytes.append(UInt8(ascii: "\n"))
      output.write(bytes)
    }
  }
}
