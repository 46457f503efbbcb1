/// A colour that a terminal has reported. Its components are from 0 to 1.
package struct TerminalColor: Equatable, Sendable {
  package let red: Double
  package let green: Double
  package let blue: Double

  package init(red: Double, green: Double, blue: Double) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The luma from 0 (black) to 1 (white), with the weights of ITU-R BT.709.
  package var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

  /// A Boolean that is true if white text is more readable on this colour than black text.
  package var isDark: Bool { luminance < 0.5 }

  /// Parses the background colour in the answer to OSC 11; returns `nil` if there is no such answer.
  ///
  /// The answer is `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, ended by BEL or ESC `\`. Each component has 1 to 4 hexadecimal
  /// digits (XParseColor(3)). The alpha of `rgba:` is ignored.
  package static func background(in answer: [UInt8]) -> TerminalColor? {
    let marker = Array("]11;rgb".utf8)
    guard let start = firstRange(of: marker, in: answer) else { return nil }
    let isEnd: (UInt8) -> Bool = { $0 == 0x07 || $0 == 0x1B || $0 == 0x9C }
    let rest = answer[(start + marker.count)...]
    guard let end = rest.firstIndex(where: isEnd) else { return nil }
    let parts = String(decoding: rest[..<end], as: UTF8.self).split(
      separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].isEmpty || parts[0] == "a" else { return nil }
    let values = parts[1].split(separator: "/", omittingEmptySubsequences: false).map(fraction)
    guard values.count == (parts[0].isEmpty ? 3 : 4) else { return nil }
    guard let red = values[0], let green = values[1], let blue = values[2] else { return nil }
    return TerminalColor(red: red, green: green, blue: blue)
  }

  /// Returns whether the input contains the answer to DA1, `ESC [ ? … c` (ECMA-48). It is the last answer.
  package static func isComplete(_ answer: [UInt8]) -> Bool {
    guard let start = firstRange(of: [0x1B, UInt8(ascii: "["), UInt8(ascii: "?")], in: answer) else {
      return false
    }
    return answer[start...].contains(UInt8(ascii: "c"))
  }

  /// Returns whether a value of `COLORFGBG`, for example `15;0` or `0;default;15`, has a dark background.
  ///
  /// The last part is the background's palette index. 7 and 9 to 15 are light; 8 is dark grey (rxvt's and vim's rule).
  /// Returns `nil` if the last part is not a number from 0 to 15.
  package static func isDark(colorFGBG text: String) -> Bool? {
    guard let last = text.split(separator: ";").last, let index = Int(last), (0...15).contains(index) else {
      return nil
    }
    return index <= 6 || index == 8
  }

  private static func fraction(_ digits: Substring) -> Double? {
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    guard let value = Int(digits, radix: 16) else { return nil }
    return Double(value) / Double(1 << (4 * digits.utf8.count) - 1)
  }

  private static func firstRange(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...(bytes.count - pattern.count)).first { bytes[$0...].starts(with: pattern) }
  }
}
