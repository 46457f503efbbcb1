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
  /// False if messages must not show lines of the text.
  package var isShown = true

  /// Creates a text from the bytes of a file.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Creates a text with a name. The name is shown in messages, for example the path of a file.
  package init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
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

/// A line table of a text. Creating it takes O(n); finding a place then takes O(log n + length of the line).
package struct SourceLines: Sendable {
  /// The text of the table.
  package let source: SourceText
  /// The offset of the first byte of each line.
  private var starts = [0]

  /// Creates the table. Reads the text once.
  package init(_ source: SourceText) {
    self.source = source
    let bytes = source.bytes
    for index in bytes.indices {
      let isEnd =
        bytes[index] == .lineFeed
        || bytes[index] == .carriageReturn && !(index + 1 < bytes.count && bytes[index + 1] == .lineFeed)
      if isEnd { starts.append(index + 1) }
    }
  }

  /// Returns the line and column of a byte offset. An offset after the end counts as the end.
  package func location(of offset: Int) -> SourceLocation { locations(of: [offset])[0] }

  /// Returns the lines and columns of byte offsets. If the offsets ascend, takes O(n) in the length of the text.
  package func locations(of offsets: [Int]) -> [SourceLocation] {
    var known = (line: -1, offset: 0, column: 1)
    return offsets.map { offset in
      let offset = max(0, min(offset, source.bytes.count))
      let line = index(ofLineAround: offset)
      if known.line != line || known.offset > offset || !separatesCharacters(known.offset) {
        known = (line, starts[line], 1)
      }
      known.column += String(decoding: source.bytes[known.offset..<offset], as: UTF8.self).count
      known.offset = offset
      return SourceLocation(line: line + 1, column: known.column)
    }
  }

  /// Returns whether an offset is certainly between two characters: the bytes around it are ASCII, which no character
  /// of several code points contains except CR LF, the end of a line.
  private func separatesCharacters(_ offset: Int) -> Bool {
    offset > 0 && offset < source.bytes.count && source.bytes[offset - 1] < 0x80
      && source.bytes[offset] < 0x80
  }

  /// Returns the byte range of the line that contains an offset, without the line end.
  package func line(around offset: Int) -> Range<Int> {
    let start = starts[index(ofLineAround: max(0, min(offset, source.bytes.count)))]
    let end = source.bytes[start...].firstIndex { $0 == .lineFeed || $0 == .carriageReturn }
    return start..<(end ?? source.bytes.count)
  }

  /// Returns the index of the last line that begins at or before an offset.
  private func index(ofLineAround offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}

extension UInt8 {
  package static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
}

/// The line tables of a text and of the texts that it includes.
package struct SourceFiles: Sendable {
  /// The tables, with the offsets at which their texts begin.
  private let tables: [(start: Int, lines: SourceLines)]

  /// Creates the tables. Reads each text once.
  package init(_ source: SourceText) {
    var tables = [(start: 0, lines: SourceLines(source))]
    var start = source.bytes.count + 1
    for text in source.included {
      tables.append((start, SourceLines(text)))
      start += text.bytes.count + 1
    }
    self.tables = tables
  }

  /// Returns the table of the text that contains a range, and the range with offsets in that text.
  package func place(of range: SourceRange) -> (lines: SourceLines, range: SourceRange) {
    let table = tables[index(of: Int(range.start))]
    return (table.lines, table.start == 0 ? range : range.moved(by: -table.start))
  }

  /// Returns the file, line and column of an offset. The file is `nil` for the main text, which includes the others.
  package func location(of offset: Int) -> SourceLocation { locations(of: [offset])[0] }

  /// Returns the files, lines and columns of offsets. If the offsets ascend, takes O(n) in the length of the texts.
  package func locations(of offsets: [Int]) -> [SourceLocation] {
    var locations: [SourceLocation] = []
    while locations.count < offsets.count {
      let rest = offsets[locations.count...]
      let index = index(of: rest[rest.startIndex])
      let (start, lines) = tables[index]
      for var location in lines.locations(of: rest.prefix { self.index(of: $0) == index }.map { $0 - start })
      {
        if index > 0 { location.file = lines.source.name }
        locations.append(location)
      }
    }
    return locations
  }

  /// Returns the index of the table of the text that contains an offset.
  private func index(of offset: Int) -> Int { tables.lastIndex { $0.start <= offset } ?? 0 }
}

/// A namespace for the recognition of texts in other formats, for example YAML in place of a manifest.
enum OtherFormat {
  /// Returns the format of a text that is not JSON, and the place of the line that shows it; `nil` if the text may be
  /// JSON.
  ///
  /// - Parameter start: The offset after a byte-order mark.
  static func found(in bytes: [UInt8], from start: Int) -> (format: String, range: Range<Int>)? {
    guard let first = bytes[start...].first(where: { $0 > 0x20 }), first != UInt8(ascii: "{") else {
      return nil
    }
    for line in bytes[start...].split(separator: .lineFeed, maxSplits: 1000) {
      guard let first = line.firstIndex(where: { $0 > 0x20 }), let last = line.lastIndex(where: { $0 > 0x20 })
      else { continue }
      switch line[first] {
      case UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "/"): return nil
      case UInt8(ascii: "#"): continue
      // The name of a table in TOML, if a key follows; otherwise an array.
      case UInt8(ascii: "[") where line[last] == UInt8(ascii: "]"): continue
      default: break
      }
      let range = first..<min(last + 1, first + 200)
      return format(ofLine: String(decoding: bytes[range], as: UTF8.self)).map { ($0, range) }
    }
    return nil
  }

  private static func format(ofLine line: String) -> String? {
    if ["-", "---"].contains(line) || ["- ", "--- ", "%YAML"].contains(where: line.hasPrefix) {
      return "YAML"
    }
    let key = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    let rest = line[key.endIndex...]
    guard key.first?.isLetter == true else { return nil }
    if rest == ":" || rest.hasPrefix(": ") { return "YAML" }
    return rest.drop { $0 == " " }.hasPrefix("=") ? "TOML or INI" : nil
  }
}
