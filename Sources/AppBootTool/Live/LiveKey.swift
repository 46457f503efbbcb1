/// A key of a terminal.
enum LiveKey: Equatable {
  case character(Character)
  case up, down, pageUp, pageDown, home, end, enter, escape, erase
  /// Control-C, Control-Z and Control-L.
  case interrupt, suspend, redraw

  /// The keys that end an escape sequence, which begins with `ESC [` or `ESC O` (ECMA-48, xterm).
  private static let sequences: [String: LiveKey] = [
    "A": .up, "B": .down, "H": .home, "F": .end, "1~": .home, "4~": .end, "5~": .pageUp, "6~": .pageDown,
  ]

  /// Returns the keys in bytes that were read together. Sequences of other keys are left out.
  static func keys(in bytes: [UInt8]) -> [LiveKey] {
    var keys: [LiveKey] = []
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let first = rest.popFirst() {
      switch first {
      case "\u{1B}":
        guard let next = rest.first, next == "[" || next == "O" else {
          keys.append(.escape)
          continue
        }
        rest.removeFirst()
        let isEnd: (Character) -> Bool = { ("@"..."~").contains($0) }
        let end = rest.firstIndex(where: isEnd).map { rest.index(after: $0) } ?? rest.endIndex
        if let key = sequences[String(rest[..<end])] { keys.append(key) }
        rest = rest[end...]
      case "\r", "\n", "\r\n": keys.append(.enter)
      case "\u{7F}", "\u{8}": keys.append(.erase)
      case "\u{3}": keys.append(.interrupt)
      case "\u{1A}": keys.append(.suspend)
      case "\u{C}": keys.append(.redraw)
      case let character where character.unicodeScalars.allSatisfy({ $0.value >= 0x20 }):
        keys.append(.character(character))
      default: continue
      }
    }
    return keys
  }
}
