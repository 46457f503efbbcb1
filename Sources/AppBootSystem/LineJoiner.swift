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

  /// Appends the beginnings of lines that have been held back since a time, or longer.
  package mutating func flush(heldBy time: Int64 = .max, into joined: inout [UInt8]) {
    for stream in CapturedStream.allCases where !held[stream].bytes.isEmpty && held[stream].since <= time {
      pass(UnsafeRawBufferPointer(start: nil, count: 0), of: stream, into: &joined)
    }
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
