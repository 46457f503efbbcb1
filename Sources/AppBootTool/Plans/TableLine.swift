import AppBoot
import AppBootReports
import AppBootSystem

/// A line of a long table, built as bytes.
///
/// Pays for "appboot list of a DAG of 100,000 ÷ make -n" (at most 0.25) in Docs/performance.md. With a string for each
/// part of a line and for each id that is looked up, the list took 1.0 billion instructions more.
final class TableLine {
  private let style: TextStyle
  private let bytes = LineBytes()

  init(style: TextStyle) {
    self.style = style
  }

  func removeAll() { bytes.count = 0 }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append($0) }
  }

  /// Appends spaces; does nothing if the count is below one.
  func append(spaces count: Int) { bytes.append(spaces: count) }

  /// Appends a number above zero, right-aligned in `width` columns.
  func append(number: Int, width: Int) {
    var (digits, limit) = (1, 10)
    while number >= limit { (digits, limit) = (digits + 1, limit * 10) }
    append(spaces: width - digits)
    bytes.append(number, digits: digits)
  }

  /// The offset at which the next part begins.
  var end: Int { bytes.count }

  /// Turns the bytes from an offset on into a cell that is safe for a terminal.
  ///
  /// The cell is cut to a number of columns. If other cells follow, it is padded with spaces.
  ///
  /// - Parameter start: The value of ``end`` before the bytes were appended.
  func endCell(from start: Int, columns: Int, isPadded: Bool) {
    let cell = bytes.written(from: start)
    let isPlain = cell.count <= columns && cell.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    guard !isPlain || style.breaksWorkflowCommands else {
      return append(spaces: isPadded ? columns - (bytes.count - start) : 0)
    }
    let text = style.fit(style.visible(String(decoding: cell, as: UTF8.self)), to: columns)
    bytes.count = start
    append(text)
    if isPadded { append(spaces: columns - DisplayWidth.of(text)) }
  }

  /// Writes the line and a line feed, in the colour of a role.
  func write(to output: StandardOutput, as role: TextStyle.Role? = nil) {
    if let role {
      output.write(style.paint(String(decoding: bytes.written(), as: UTF8.self), role) + "\n")
    } else {
      append("\n")
      output.write(bytes.written())
    }
  }
}

/// A growing buffer for the bytes of a line. Appending a few bytes to an array would cost more.
private final class LineBytes {
  private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 12)
  /// The number of bytes written.
  var count = 0

  deinit { memory.deallocate() }

  /// Returns the bytes from an offset on. The result is valid until the next byte is appended.
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

  /// Appends a number with a known number of digits. The number must be above zero.
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
