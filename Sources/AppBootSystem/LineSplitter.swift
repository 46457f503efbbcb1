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

/// Joins the two output streams of a process at line ends, in bounded memory.
///
/// The beginning of a line is held back until the line is complete, because the other stream may print in between. It
/// is passed on earlier if it is longer than ``limit``, or by ``flush(heldBy:into:)``. If the other stream then prints
/// a line, a line feed comes first, and the rest of the cut line begins a new one.
package struct LineJoiner: Sendable {
  /// The most bytes of a line that are held back.
  package static let limit = 1 << 16

  private struct Held: Sendable {
    var bytes: [UInt8] = []
    /// The time since which the first of the bytes is held.
    var since: Int64 = 0

    mutating func hold(_ new: UnsafeRawBufferPointer, at time: Int64) {
      if bytes.isEmpty { since = time }
      bytes.append(contentsOf: new)
    }

    mutating func release(into joined: inout [UInt8]) {
      joined.append(contentsOf: bytes)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  private var held = PerStream(Held())
  /// True if the last byte that was passed on does not end a line.
  private var isInsideLine = false
  /// The stream that can continue the unfinished line; `nil` if none can.
  private var open: CapturedStream?

  /// - Parameter open: The stream that printed the beginning of a line that is not finished.
  package init(open: CapturedStream? = nil) { (isInsideLine, self.open) = (open != nil, open) }

  /// The stream that can continue the unfinished line at the end; `nil` if there is none.
  package var openStream: CapturedStream? { isInsideLine ? open : nil }

  /// The time since which the beginning of a line is held back; `nil` if none is.
  package var heldSince: Int64? {
    CapturedStream.allCases.compactMap { held[$0].bytes.isEmpty ? nil : held[$0].since }.min()
  }

  /// Makes the next bytes those of another process: they do not continue an unfinished line.
  package mutating func beginProcess() { open = nil }

  /// Appends the lines that a stream completes at a time of the monotonic clock.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, from stream: CapturedStream, at time: Int64,
    into joined: inout [UInt8]
  ) {
    var rest = bytes
    if let last = bytes.lastLineFeed {
      pass(UnsafeRawBufferPointer(rebasing: bytes[...last]), of: stream, into: &joined)
      rest = UnsafeRawBufferPointer(rebasing: bytes[(last + 1)...])
    }
    guard !rest.isEmpty else { return }
    if openStream == stream || held[stream].bytes.count + rest.count > Self.limit {
      return pass(rest, of: stream, into: &joined)
    }
    held[stream].hold(rest, at: time)
  }

  /// Appends the beginning of a line that a stream has held back since a time, or longer.
  package mutating func flush(
    _ stream: CapturedStream, heldBy time: Int64 = .max, into joined: inout [UInt8]
  ) {
    guard !held[stream].bytes.isEmpty, held[stream].since <= time else { return }
    pass(UnsafeRawBufferPointer(start: nil, count: 0), of: stream, into: &joined)
  }

  private mutating func pass(
    _ bytes: UnsafeRawBufferPointer, of stream: CapturedStream, into joined: inout [UInt8]
  ) {
    if isInsideLine, open != stream { joined.append(UInt8(ascii: "\n")) }
    held[stream].release(into: &joined)
    joined.append(contentsOf: bytes)
    isInsideLine = joined.last != UInt8(ascii: "\n")
    open = stream
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the last line feed.
  var lastLineFeed: Int? { lastIndex(of: UInt8(ascii: "\n")) }
}
