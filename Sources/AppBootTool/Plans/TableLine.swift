import AppBoot
import AppBootReports
import AppBootSystem

/// One line of a long table, put together as bytes: a table of 100,000 lines makes no text of its own per part.
final class TableLine {
  private let style: TextStyle
  private let bytes = LineBytes()

  init(style: TextStyle) {
    self.style = style
  }

  func removeAll() { bytes.count = 0 }

  func append(_ text: String) { text.withBytes { bytes.append($0) } }

  /// Spaces; none where the count is below one.
  func append(spaces count: Int) { bytes.append(spaces: count) }

  /// A number above zero, at the right end of so many columns.
  func append(number: Int, width: Int) {
    var (digits, limit) = (1, 10)
    while number >= limit { (digits, limit) = (digits + 1, limit * 10) }
    append(spaces: width - digits)
    bytes.append(number, digits: digits)
  }

  /// Where the next part begins.
  var end: Int { bytes.count }

  /// Makes a cell of what was appended since a place: safe for a terminal, cut to so many columns, and filled up with
  /// spaces where others follow.
  func endCell(from start: Int, columns: Int, isPadded: Bool) {
    let cell = bytes.written(from: start)
    let isPlain = cell.count <= columns && DisplayWidth.isPrintableASCII(UnsafeRawBufferPointer(cell))
    guard !isPlain || style.breaksWorkflowCommands else {
      return append(spaces: isPadded ? columns - (bytes.count - start) : 0)
    }
    let text = style.fit(style.visible(String(decoding: cell, as: UTF8.self)), to: columns)
    bytes.count = start
    append(text)
    if isPadded { append(spaces: columns - DisplayWidth.of(text)) }
  }

  /// Writes the line and its end.
  func write(to output: StandardOutput, as role: TextStyle.Role? = nil) {
    if let role {
      output.write(style.paint(String(decoding: bytes.written(), as: UTF8.self), role) + "\n")
    } else {
      append("\n")
      output.write(bytes.written())
    }
  }
}

/// Memory for the bytes of a line, which grows and is not an array: appending a few bytes to one of those costs more.
private final class LineBytes {
  private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 12)
  /// How many were written.
  var count = 0

  deinit { memory.deallocate() }

  /// What was written from a place on, until something more is.
  func written(from start: Int = 0) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: memory[start..<count])
  }

  @inline(__always)
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    reserve(bytes.count)
    _ = memory[count...].initialize(fromContentsOf: bytes)
    count += bytes.count
  }

  @inline(__always)
  func append(spaces: Int) {
    guard spaces > 0 else { return }
    reserve(spaces)
    memory[count..<(count + spaces)].initialize(repeating: UInt8(ascii: " "))
    count += spaces
  }

  /// A number above zero that has so many digits.
  func append(_ number: Int, digits: Int) {
    reserve(digits)
    var rest = number
    for place in (count..<(count + digits)).reversed() {
      memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  @inline(__always)
  private func reserve(_ bytes: Int) {
    if count + bytes > memory.count { grow(by: bytes) }
  }

  private func grow(by bytes: Int) {
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * memory.count, count + bytes))
    _ = larger.initialize(fromContentsOf: written())
    memory.deallocate()
    memory = larger
  }
}
