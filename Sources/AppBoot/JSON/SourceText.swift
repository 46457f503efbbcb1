/// A text with a name, for example the bytes of a manifest and its path.
package struct SourceText: Sendable, Equatable {
  /// The name of standard input in messages.
  package static let standardInput = "<stdin>"

  /// The file name in messages, for example `commands.json` or `<stdin>`.
  package let name: String
  /// The bytes as they were read. They may be invalid UTF-8.
  package let bytes: [UInt8]
  /// The texts that this text includes, in the order in which they were read; empty for most texts.
  ///
  /// Their offsets continue those of this text. The first one begins after the last byte of this text and a zero byte.
  package var included: [SourceText] = []

  /// Creates a text from the bytes of a file.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Creates a text with a name. The name is shown in messages, for example the path of a file.
  package init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// The range of the whole text.
  package var range: SourceRange { SourceRange(0, bytes.count) }

  /// Returns the line and column of a byte offset. Takes O(n); for many offsets, create a `SourceLines`.
  package func location(of offset: Int) -> SourceLocation {
    SourceLines(self).location(of: offset)
  }

  /// The offset at which the next included text begins.
  var nextStart: Int { included.reduce(bytes.count + 1) { $0 + $1.bytes.count + 1 } }
}

/// A half-open range of byte offsets in a `SourceText`.
package struct SourceRange: Sendable, Hashable, Comparable {
  /// The offset of the first byte.
  package var start: UInt32
  /// The offset after the last byte. It is equal to `start` for a place between two bytes.
  package var end: UInt32

  /// Creates a range between two byte offsets. An end before the start counts as the start.
  package init(start: UInt32, end: UInt32) {
    self.start = start
    self.end = max(start, end)
  }

  /// Creates a range between two byte offsets. Offsets are limited to 32 bits.
  package init(_ start: Int, _ end: Int) {
    self.init(start: UInt32(clamping: start), end: UInt32(clamping: end))
  }

  /// Returns the range moved by a number of bytes, forward or backward.
  func moved(by offset: Int) -> SourceRange { SourceRange(Int(start) + offset, Int(end) + offset) }

  /// Compares ranges by their start, then by their end.
  package static func < (left: SourceRange, right: SourceRange) -> Bool {
    (left.start, left.end) < (right.start, right.end)
  }
}

/// A place as editors count it: lines and columns begin at 1, and a column is one character (grapheme cluster).
package struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1. CRLF, LF and a single CR each end a line.
  package var line: Int
  /// The column in characters, from 1.
  package var column: Int
  /// The name of the included text that contains the place; `nil` for the text itself.
  package var file: String?

  /// Creates a place from its line and column.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place as `line:column`.
  package var description: String { "\(line):\(column)" }
}
