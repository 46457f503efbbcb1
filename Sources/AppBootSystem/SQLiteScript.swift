/// The text of an SQL script, with its lines and the offsets of its statements.
struct SQLiteScript {
  /// The bytes of the script, with a zero byte at the end.
  let bytes: [UInt8]

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ script: [UInt8]) { bytes = script + [0] }

  /// Returns the offset of the first statement at or after an offset; `nil` if only spaces and comments follow.
  func statement(from offset: Int) -> Int? {
    var offset = offset == 0 && bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : offset
    while offset < bytes.count - 1 {
      switch (bytes[offset], bytes[offset + 1]) {
      case (UInt8(ascii: " "), _), (UInt8(ascii: "\t")...UInt8(ascii: "\r"), _), (UInt8(ascii: ";"), _):
        offset += 1
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        offset = end(of: [UInt8(ascii: "\n")], from: offset)
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        offset = end(of: [UInt8(ascii: "*"), UInt8(ascii: "/")], from: offset + 2)
      default:
        return offset
      }
    }
    return nil
  }

  /// Returns the error of a statement, with its place in the script.
  ///
  /// - Parameters:
  ///   - start: The offset of the statement.
  ///   - end: The end of the text that SQLite has read. For a syntax error, it is after the unexpected token.
  ///   - mistake: The offset of the mistake.
  func error(_ error: SQLiteError, from start: Int, to end: Int, at mistake: Int) -> SQLiteScriptError {
    let isWhole = end > start && bytes[end - 1] == UInt8(ascii: ";")
    let end = isWhole ? end : self.end(of: [UInt8(ascii: ";")], from: max(end, start))
    let line = 1 + bytes[..<min(mistake, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    var statement = bytes[start..<min(end, bytes.count - 1)]
    while let last = statement.last, last <= UInt8(ascii: " ") { statement.removeLast() }
    return SQLiteScriptError(error: error, line: line, statement: String(decoding: statement, as: UTF8.self))
  }

  /// Returns the offset after the next occurrence of a mark; the end of the script if there is none.
  private func end(of mark: [UInt8], from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count - 1 {
      if bytes[offset...].starts(with: mark) { return offset + mark.count }
      offset += 1
    }
    return bytes.count - 1
  }
}
