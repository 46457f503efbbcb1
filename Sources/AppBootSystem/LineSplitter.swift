import AppBootLibC

/// A splitter of a stream of bytes into lines. It uses a limited amount of memory.
///
/// A line ends with a line feed. A line of more than ``limit`` bytes is split into pieces, each between two characters
/// of UTF-8.
package struct LineSplitter: Sendable {
  /// The maximum number of bytes of a line or of a piece of a line.
  package static let limit = 1 << 14

  /// The beginning of a line whose end was not appended yet. It has at most ``limit`` bytes.
  package private(set) var partial: [UInt8] = []

  package init() {}

  /// Appends bytes. Calls `line` with each line that they complete, without its line feed.
  package mutating func append(_ bytes: UnsafeRawBufferPointer, _ line: (UnsafeRawBufferPointer) -> Void) {
    var rest = bytes
    while let end = rest.firstLineFeed {
      add(UnsafeRawBufferPointer(rebasing: rest[..<end]), line)
      endLine(line)
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
    }
    add(rest, line)
  }

  /// Appends bytes. Calls `line` only with the last line that they complete.
  package mutating func appendSkippingToLast(
    _ bytes: UnsafeRawBufferPointer, _ line: (UnsafeRawBufferPointer) -> Void
  ) {
    let last = bytes.lastIndex(of: UInt8(ascii: "\n"))
    guard let last, let before = bytes[..<last].lastIndex(of: UInt8(ascii: "\n")) else {
      return append(bytes, line)
    }
    partial.removeAll(keepingCapacity: true)
    append(UnsafeRawBufferPointer(rebasing: bytes[(before + 1)...]), line)
  }

  /// Calls `line` with the rest of the stream if the stream does not end with a line feed.
  package mutating func finish(_ line: (UnsafeRawBufferPointer) -> Void) {
    if !partial.isEmpty { endLine(line) }
  }

  /// Appends bytes that contain no line feed.
  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ line: (UnsafeRawBufferPointer) -> Void) {
    var rest = bytes
    while partial.count + rest.count > Self.limit {
      let count = Self.limit - partial.count
      partial.append(contentsOf: rest[..<count])
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      let end = partial.withUnsafeBytes(\.lastCharacterBoundary)
      partial.withUnsafeBytes { line(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
      partial.removeFirst(end)
    }
    partial.append(contentsOf: rest)
  }

  private mutating func endLine(_ line: (UnsafeRawBufferPointer) -> Void) {
    partial.withUnsafeBytes(line)
    partial.removeAll(keepingCapacity: true)
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the first line feed (`memchr`, C).
  package var firstLineFeed: Int? {
    guard let start = baseAddress, let place = memchr(start, Int32(UInt8(ascii: "\n")), count) else {
      return nil
    }
    return UnsafeRawPointer(place) - start
  }

  /// The offset after the last complete character of UTF-8; the number of bytes if they are not UTF-8.
  fileprivate var lastCharacterBoundary: Int {
    for length in 1...Swift.min(4, count) {
      let byte = self[count - length]
      // A continuation byte is 10xxxxxx; the first byte of n has n leading ones (RFC 3629).
      if byte & 0xC0 == 0x80 { continue }
      let isWhole = byte < 0x80 || (~byte).leadingZeroBitCount == length
      return isWhole || length == count ? count : count - length
    }
    return count
  }
}
