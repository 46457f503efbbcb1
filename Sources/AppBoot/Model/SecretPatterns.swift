/// A search for several byte sequences at once, with the algorithm of Wu and Manber (TR 94-17, University of Arizona).
///
/// The window is as long as the shortest sequence. The search looks up the last two bytes of the window. If no sequence
/// contains that pair, the window moves by almost its length. Long sequences therefore make the search fast.
struct SecretPatterns: Sendable {
  private let longest: Int
  private let shortest: Int
  /// The sequences, longest first.
  private let patterns: [[UInt8]]
  /// The distances that the window moves, by its last two bytes; 0 if these may end a match.
  private let shifts: [UInt8]
  /// The indices of the sequences whose beginning ends with a pair of bytes. The beginning is as long as the window.
  private let candidates: [UInt16: [Int]]
  /// The indices of the sequences by their first byte.
  private let openings: [UInt8: [Int]]

  /// Creates a search.
  ///
  /// - Parameter patterns: The sequences. There must be at least one, and each must have at least two bytes.
  init(_ patterns: [[UInt8]]) {
    self.patterns = patterns.sorted { $0.count > $1.count }
    longest = self.patterns[0].count
    shortest = self.patterns[self.patterns.count - 1].count
    let last = shortest - 1
    var shifts = [UInt8](repeating: UInt8(clamping: last), count: 1 << 16)
    for pattern in self.patterns {
      for end in 1...last {
        let pair = Int(Self.pair(pattern[end - 1], pattern[end]))
        shifts[pair] = min(shifts[pair], UInt8(clamping: last - end))
      }
    }
    candidates = Dictionary(grouping: self.patterns.indices) { [patterns = self.patterns] in
      Self.pair(patterns[$0][last - 1], patterns[$0][last])
    }
    openings = Dictionary(grouping: self.patterns.indices) { [patterns = self.patterns] in patterns[$0][0] }
    self.shifts = shifts
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 { UInt16(first) << 8 | UInt16(second) }

  /// Returns the first match at or after `start`; `nil` if there is none. Of several matches at one offset, the
  /// longest.
  func firstMatch(in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    var end = start + shortest - 1
    while end < bytes.count {
      let pair = Self.pair(bytes[end - 1], bytes[end])
      let shift = Int(shifts[Int(pair)])
      if shift > 0 {
        end += shift
        continue
      }
      let begin = end - shortest + 1
      for index in candidates[pair, default: []] where bytes[begin...].starts(with: patterns[index]) {
        return begin..<(begin + patterns[index].count)
      }
      end += 1
    }
    return nil
  }

  /// Returns the first offset from which on all remaining bytes are the beginning of a longer sequence.
  ///
  /// Returns the number of bytes if there is no such offset.
  func openEnd(of bytes: UnsafeRawBufferPointer) -> Int {
    for start in max(0, bytes.count - longest + 1)..<bytes.count {
      let rest = bytes[start...]
      for index in openings[bytes[start], default: []]
      where patterns[index].count > rest.count && patterns[index].starts(with: rest) {
        return start
      }
    }
    return bytes.count
  }
}
