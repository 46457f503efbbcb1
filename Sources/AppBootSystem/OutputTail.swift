/// The last bytes of an output. It uses at most `limit` bytes of memory.
package struct OutputTail: Sendable {
  /// The maximum number of stored bytes.
  package let limit: Int
  /// The number of bytes that were appended in total.
  package private(set) var totalCount = 0
  private var storage: [UInt8] = []
  /// The index of the oldest byte in the storage. It is 0 until the storage is full.
  private var start = 0

  package init(limit: Int = 1 << 16) { self.limit = max(1, limit) }

  /// Appends bytes. If there is no room, drops the oldest bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    totalCount += bytes.count
    var rest = UnsafeRawBufferPointer(rebasing: bytes.suffix(limit))
    if storage.count < limit {
      let room = min(limit - storage.count, rest.count)
      storage.append(contentsOf: rest[..<room])
      rest = UnsafeRawBufferPointer(rebasing: rest[room...])
    }
    overwrite(rest)
  }

  /// Appends bytes. If there is no room, drops the oldest bytes.
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// The stored bytes, oldest first.
  package var bytes: [UInt8] { Array(storage[start...] + storage[..<start]) }

  /// The stored bytes as text. Invalid UTF-8 is replaced by U+FFFD.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// True if the last line does not end with a line feed.
  package var endsInsideLine: Bool { !storage.isEmpty && self[storage.count - 1] != UInt8(ascii: "\n") }

  /// The last line that is not empty, complete or not, without its line ending; `nil` if there is none.
  package var lastLine: String? {
    var end = storage.count
    while end > 0, self[end - 1] == UInt8(ascii: "\n") || self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return end == 0 ? nil : line(endingAt: end)
  }

  private mutating func overwrite(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      let count = min(limit - start, rest.count)
      storage.withUnsafeMutableBytes { storage in
        let place = UnsafeMutableRawBufferPointer(rebasing: storage[start..<start + count])
        place.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
      }
      start = start + count == limit ? 0 : start + count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// The byte at a position. The oldest byte has position 0.
  private subscript(position: Int) -> UInt8 {
    let index = start + position
    return storage[index < storage.count ? index : index - storage.count]
  }

  private func lastNewline(before end: Int) -> Int? {
    var position = end
    while position > 0 {
      position -= 1
      if self[position] == UInt8(ascii: "\n") { return position }
    }
    return nil
  }

  private func line(endingAt end: Int) -> String {
    let first = lastNewline(before: end).map { $0 + 1 } ?? 0
    var bytes = (first..<end).map { self[$0] }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
