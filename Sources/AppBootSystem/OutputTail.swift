/// The last bytes of an output. It uses at most twice `limit` bytes of memory.
package struct OutputTail: Sendable {
  /// The maximum number of stored bytes.
  package let limit: Int
  /// The number of bytes that were appended in total.
  package private(set) var totalCount = 0
  /// The bytes since a point before the stored ones.
  private var recent: [UInt8] = []

  package init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

  /// Appends bytes. If there is no room, drops the oldest bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    totalCount += bytes.count
    let new = UnsafeRawBufferPointer(rebasing: bytes.suffix(limit))
    if recent.count + new.count > 2 * limit { recent.removeFirst(max(0, recent.count + new.count - limit)) }
    recent.append(contentsOf: new)
  }

  /// Appends bytes. If there is no room, drops the oldest bytes.
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  private var stored: ArraySlice<UInt8> { recent.suffix(limit) }

  /// The stored bytes, oldest first.
  package var bytes: [UInt8] { Array(stored) }

  /// The stored bytes as text. Invalid UTF-8 is replaced by U+FFFD.
  package var text: String { String(decoding: stored, as: UTF8.self) }

  /// True if the last line does not end with a line feed.
  package var endsInsideLine: Bool { recent.last.map { $0 != UInt8(ascii: "\n") } ?? false }

  /// The last line that is not empty, complete or not, without its line ending; `nil` if there is none.
  package var lastLine: String? {
    let isLineEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard let end = stored.lastIndex(where: { !isLineEnd($0) }) else { return nil }
    let start = stored[...end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? stored.startIndex
    return String(decoding: stored[start...end], as: UTF8.self)
  }
}
