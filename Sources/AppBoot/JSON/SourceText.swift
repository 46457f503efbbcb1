/// A text with a name: the bytes of a manifest and their name in messages.
package struct SourceText: Sendable, Equatable {
  /// The name of standard input in messages.
  package static let standardInput = "<stdin>"

  /// The file name in messages, for example `commands.json` or `<stdin>`.
  package let name: String
  /// The bytes as they were read; they need not be valid UTF-8.
  package let bytes: [UInt8]
  /// The texts that it includes, in the order in which they were read; empty for most texts.
  ///
  /// Ranges count on through them: the first one begins behind the last byte of this text and a zero byte.
  package var included: [SourceText] = []

  /// Creates a text from the bytes of a file.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Creates the source text with a name, such as a file's path, which error messages show.
  package init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// The whole text as a range.
  package var range: SourceRange { SourceRange(0, bytes.count) }

  /// Returns line and column of a byte offset. O(n); for many places, build a `SourceLines` once.
  package func location(of offset: Int) -> SourceLocation {
    SourceLines(self).location(of: offset)
  }

  /// The offset at which the next included text would begin.
  var nextStart: Int { included.reduce(bytes.count + 1) { $0 + $1.bytes.count + 1 } }

  /// Returns the text in a range; bytes that are not UTF-8 become U+FFFD.
  package func text(in range: SourceRange) -> String {
    String(decoding: bytes[clamped(range)], as: UTF8.self)
  }

  /// Returns the range as array indices, clamped to the bytes.
  func clamped(_ range: SourceRange) -> Range<Int> {
    let start = min(Int(range.start), bytes.count)
    return start..<max(start, min(Int(range.end), bytes.count))
  }
}

/// A half-open range of byte offsets in a `SourceText`.
package struct SourceRange: Sendable, Hashable, Comparable {
  /// Offset of the first byte.
  package var start: UInt32
  /// Offset just past the last byte; equal to `start` for a place between two bytes.
  package var end: UInt32

  /// Creates a range between two byte offsets; an end before the start counts as the start.
  package init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = max(start, end)
  }

  /// Creates a range between two byte offsets, clamped to 32 bits.
  init(_ start: Int, _ end: Int) {
    self.init(start: UInt32(clamping: start), end: UInt32(clamping: end))
  }

  /// True for a place between two bytes.
  package var isEmpty: Bool { start == end }

  /// Returns the range moved by a number of bytes, forwards or backwards.
  func moved(by offset: Int) -> SourceRange { SourceRange(Int(start) + offset, Int(end) + offset) }

  /// Orders by start, then by end.
  package static func < (left: SourceRange, right: SourceRange) -> Bool {
    (left.start, left.end) < (right.start, right.end)
  }
}

/// A place as editors count it: both numbers begin at 1, a column is one character (grapheme cluster).
package struct SourceLocation: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Line, from 1; CRLF, LF and a lone CR each end a line.
  package var line: Int
  /// Column in characters, from 1.
  package var column: Int
  /// The file if it is not the text itself but one that it includes.
  package var file: String?

  /// Creates a place from its line and column.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// `line:column`
  package var description: String { "\(line):\(column)" }

  /// Orders by line, then by column.
  package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
