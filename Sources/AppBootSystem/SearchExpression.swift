/// A regular expression for texts of any origin. It takes little time and memory to compile and to match.
package final class SearchExpression: Sendable {
  /// The expression as text.
  package let text: String
  /// The length in bytes up to which a text is matched within a few seconds.
  package let longestText: Int
  private let expression: RegularExpression

  /// Compiles an expression.
  ///
  /// - Throws: `RegularExpression.Invalid`. It is also thrown for an expression that takes much time or memory to
  ///   compile or to match.
  /// - Parameter matchesWords: True to match an expression of letters, digits, `_`, spaces and `|` only as whole words.
  package init(_ text: String, matchesWords: Bool = false) throws(RegularExpression.Invalid) {
    let size = try SearchExpressionSize(of: text)
    let isWords = matchesWords && text.utf8.allSatisfy(Self.isWord)
    expression = try RegularExpression(
      isWords ? text.split(separator: "|").map(Self.bordered).joined(separator: "|") : text)
    self.text = text
    longestText = size.longestText
  }

  /// Returns an expression that matches words only between characters of other kinds. A space at an end is a border.
  private static func bordered(_ words: Substring) -> String {
    (words.hasPrefix(" ") ? "" : "(^|[^[:alnum:]_])") + words
      + (words.hasSuffix(" ") ? "" : "([^[:alnum:]_]|$)")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: " "), UInt8(ascii: "|"): true
    default: false
    }
  }

  /// Returns whether a part of the text matches; `nil` for a text that is longer than ``longestText``. The text ends at
  /// its first zero byte.
  ///
  /// Nothing can end the search, and its time can grow with the square of the text's length.
  package func matches(_ text: String) -> Bool? {
    text.utf8.count > longestText ? nil : expression.matches(text)
  }
}

/// The size of an expression with its repetitions written out, as `regcomp` compiles it: `(ab){3}` has size 6.
private struct SearchExpressionSize {
  private static let longestExpression = 1000
  /// The largest count of a repetition that every system permits (`_POSIX_RE_DUP_MAX`).
  private static let largestCount = 255
  private static let largest = 5000
  /// The limit for the size multiplied by the square of the text's length. A search takes up to 1 ns for each unit.
  private static let mostWork = 4_000_000_000.0

  /// The sizes of the groups that are open, each without its last part.
  private var groups = [0]
  /// The size of the last part, which a repetition multiplies.
  private var last = 0
  private var hasReference = false
  /// True if a part can repeat without a limit.
  private var hasLoop = false
  /// True if a part can match in more than one way.
  private var hasChoice = false

  /// Measures an expression.
  ///
  /// - Throws: `RegularExpression.Invalid` if it takes much time or memory to compile or to match.
  init(of text: String) throws(RegularExpression.Invalid) {
    let isLong = text.utf8.count > Self.longestExpression
    let reason = isLong ? "it has more than \(Self.longestExpression) bytes" : problem(in: Array(text.utf8))
    if let reason { throw RegularExpression.Invalid(description: reason) }
  }

  private var total: Int { groups.reduce(last, +) }

  /// The length in bytes up to which a text is matched within a few seconds. Without a loop, the time is linear.
  var longestText: Int { hasLoop ? Int((Self.mostWork / Double(max(1, total))).squareRoot()) : .max }

  private mutating func problem(in bytes: [UInt8]) -> String? {
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        index += 1
        add(1)
        if index < bytes.count, (0x31...0x39).contains(bytes[index]) { hasReference = true }
      case UInt8(ascii: "["):
        index = Self.endOfSet(bytes, from: index)
        add(1)
      case UInt8(ascii: "("):
        add(0)
        groups.append(0)
      case UInt8(ascii: ")") where groups.count > 1:
        add(0)
        last = groups.removeLast() + 1
      case UInt8(ascii: "{"):
        let (count, isUnbounded) = Self.count(bytes, from: &index)
        guard count <= Self.largestCount else {
          return "it repeats a part more than \(Self.largestCount) times"
        }
        last *= max(1, count)
        hasChoice = true
        if isUnbounded { hasLoop = true }
      // They repeat the last part, which a number can multiply.
      case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
        last += 1
        hasChoice = true
        if bytes[index] != UInt8(ascii: "?") { hasLoop = true }
      case UInt8(ascii: "|"):
        add(1)
        hasChoice = true
      default: add(1)
      }
      if total > Self.largest {
        return "its repetitions, written out, have more than \(Self.largest) parts"
      }
      index += 1
    }
    // The time to match it can grow without bound with the text, and nothing could end it.
    guard hasReference, hasChoice else { return nil }
    return "it has a reference to a group beside a repetition or an alternative: leave the reference out"
  }

  private mutating func add(_ size: Int) {
    groups[groups.count - 1] += last
    last = size
  }

  /// Returns the index of the bracket that ends a set, for example `[]a[:digit:]]`.
  private static func endOfSet(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "^") { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "]") { index += 1 }
    while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
      let isClass =
        bytes[index] == UInt8(ascii: "[") && index + 1 < bytes.count && ":.=".utf8.contains(bytes[index + 1])
      if isClass, let end = bytes[(index + 2)...].firstIndex(of: UInt8(ascii: "]")) { index = end }
      index += 1
    }
    return index
  }

  /// Returns the largest number of a repetition, for example 9 for `{2,9}`, and true for one without a limit, such as
  /// `{2,}`. Moves the index to its end.
  private static func count(_ bytes: [UInt8], from index: inout Int) -> (largest: Int, isUnbounded: Bool) {
    var numbers = [0]
    var hasDigit = false
    while index + 1 < bytes.count, bytes[index] != UInt8(ascii: "}") {
      index += 1
      switch bytes[index] {
      case 0x30...0x39:
        hasDigit = true
        numbers[numbers.count - 1] = min(1 << 20, numbers[numbers.count - 1] * 10 + Int(bytes[index] - 0x30))
      case UInt8(ascii: ","):
        hasDigit = false
        numbers.append(0)
      case UInt8(ascii: "}"): break
      // Not a repetition: the brace is a character of its own.
      default:
        index -= 1
        return (1, false)
      }
    }
    return (numbers.max() ?? 0, numbers.count > 1 && !hasDigit)
  }
}
