import AppBootSystem

/// A search for several byte sequences at once, with the algorithm of Wu and Manber (TR 94-17, University of Arizona).
///
/// The window is as long as the shortest sequence. The search looks up the last two bytes of the window. If no sequence
/// contains that pair, the window moves by almost its length. Long sequences therefore make the search fast.
///
/// A `+` in a text matches a space too, as in a URL's query. ``SecretMatches`` also finds sequences with escapes.
final class SecretPatterns: Sendable {
  /// An offset in a sequence.
  struct Place: Equatable {
    /// The index of the sequence in the upper half, and the offset in the lower half.
    fileprivate let number: UInt64

    fileprivate var pattern: Int { Int(number >> 32) }
    var offset: Int { Int(UInt32(truncatingIfNeeded: number)) }

    func advanced(by count: Int) -> Place { Place(number: number + UInt64(count)) }
  }

  /// The length of the longest sequence in bytes.
  let longest: Int
  private let shortest: Int
  private let patterns: [[UInt8]]
  /// The distances that the window moves, by the hash of its last two bytes; 0 if these may end a match.
  private let shifts: [UInt8]
  /// The indices of the sequences whose beginning ends with a pair of bytes, by the hash of the pair; longest first.
  ///
  /// The beginning is as long as the window.
  private let candidates: NumberBuckets
  /// The indices of the sequences by their first byte, longest first.
  private let openings: NumberBuckets
  /// The places of each byte in the sequences (``Place/number``).
  private let places: NumberBuckets

  /// For the second byte of an escape, the kinds of escapes that may stand for a byte of a sequence.
  private let seconds: [UInt8]

  private static let hashes = 1 << 12

  /// Creates a search.
  ///
  /// - Parameter patterns: The sequences. There must be at least one, and each must have at least two bytes.
  init(_ patterns: [[UInt8]]) {
    self.patterns = patterns.sorted { $0.count > $1.count }
    longest = self.patterns[0].count
    shortest = self.patterns[self.patterns.count - 1].count
    let last = shortest - 1
    var shifts = [UInt8](repeating: UInt8(clamping: last), count: Self.hashes)
    var seconds = [UInt8](repeating: 0, count: 256)
    var (endings, ending): ([Int], [UInt64]) = ([], [])
    var (bytes, numbers): ([Int], [UInt64]) = ([], [])
    for (index, pattern) in self.patterns.enumerated() {
      for end in 1...last {
        Self.forEachHash(pattern[end - 1], pattern[end]) { hash in
          shifts[hash] = min(shifts[hash], UInt8(clamping: last - end))
          guard end == last else { return }
          endings.append(hash)
          ending.append(UInt64(index))
        }
      }
      for (offset, byte) in pattern.enumerated() {
        bytes.append(Int(byte))
        numbers.append(UInt64(index) << 32 | UInt64(offset))
      }
    }
    candidates = NumberBuckets(count: Self.hashes, keys: endings, numbers: ending)
    openings = NumberBuckets(
      count: 256, keys: self.patterns.map { Int($0[0]) }, numbers: self.patterns.indices.map(UInt64.init))
    places = NumberBuckets(count: 256, keys: bytes, numbers: numbers)
    for byte in UInt8.min...UInt8.max where !places[Int(byte)].isEmpty {
      SecretEscape.markSecondBytes(of: byte, in: &seconds)
    }
    (self.shifts, self.seconds) = (shifts, seconds)
  }

  private static let plus = UInt8(ascii: "+")
  private static let space = UInt8(ascii: " ")

  /// Returns true if a byte of a text matches a byte of a sequence.
  @inline(__always)
  static func accepts(_ byte: UInt8, for wanted: UInt8) -> Bool {
    byte == wanted || (byte == plus && wanted == space)
  }

  /// Returns the bytes of a sequence that a byte of a text matches.
  static func readings(of byte: UInt8) -> [UInt8] { byte == plus ? [plus, space] : [byte] }

  /// Calls a function with the hash of each pair in a text that matches a pair of a sequence.
  private static func forEachHash(_ first: UInt8, _ second: UInt8, _ body: (Int) -> Void) {
    body(hash(first, second))
    if first == space { body(hash(plus, second)) }
    if second == space { body(hash(first, plus)) }
    if first == space, second == space { body(hash(plus, plus)) }
  }

  /// Returns the places of a byte in the sequences.
  func places(of byte: UInt8) -> some Sequence<Place> {
    places[Int(byte)].lazy.map { Place(number: $0) }
  }

  /// Returns the first offset at or after `start` at which a byte of a sequence may be escaped; `nil` without one.
  func firstEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    seconds.withUnsafeBufferPointer { seconds in
      var offset = start
      while let next = SecretEscape.first(in: bytes, from: offset) {
        guard next + 1 < bytes.count else { return next }
        if seconds[Int(bytes[next + 1])] & SecretEscape.kind(of: bytes[next]) != 0 { return next }
        offset = next + 1
      }
      return nil
    }
  }

  /// The byte at a place; `nil` at the end of its sequence.
  subscript(place: Place) -> UInt8? {
    place.offset < patterns[place.pattern].count ? patterns[place.pattern][place.offset] : nil
  }

  /// Returns true if the bytes at a place are those of an escaped character.
  func has(_ escape: SecretEscape, at place: Place) -> Bool {
    (0..<escape.count).allSatisfy { self[place.advanced(by: $0)] == escape[$0] }
  }

  @inline(__always)
  private static func hash(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 4 ^ Int(second) }

  /// Returns the first match at or after `start`; `nil` if there is none. Of several matches at one offset, the
  /// longest.
  func firstMatch(in bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    shifts.withUnsafeBufferPointer { shifts in
      var end = start + shortest - 1
      while end < bytes.count {
        let hash = Self.hash(bytes[end - 1], bytes[end])
        let shift = Int(shifts[hash])
        if shift > 0 {
          end += shift
          continue
        }
        if let match = match(in: bytes, at: end - shortest + 1, among: candidates[hash]) { return match }
        end += 1
      }
      return nil
    }
  }

  /// Returns the first offset from which on all remaining bytes are the beginning of a longer sequence.
  ///
  /// Returns the number of bytes if there is no such offset.
  func openEnd(of bytes: UnsafeRawBufferPointer) -> Int {
    for start in max(0, bytes.count - longest + 1)..<bytes.count {
      for index in openings[Int(bytes[start])].lazy.map(Int.init)
      where patterns[index].count > bytes.count - start {
        if has(bytes, start, patterns[index][..<(bytes.count - start)]) { return start }
      }
    }
    return bytes.count
  }

  private func match(
    in bytes: UnsafeRawBufferPointer, at start: Int, among candidates: ArraySlice<UInt64>
  ) -> Range<Int>? {
    for index in candidates.lazy.map(Int.init) where patterns[index].count <= bytes.count - start {
      if has(bytes, start, patterns[index][...]) { return start..<(start + patterns[index].count) }
    }
    return nil
  }

  /// Returns whether the bytes from an offset on begin with the bytes of a text.
  private func has(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { text in
      for index in text.indices where !Self.accepts(bytes[start + index], for: text[index]) { return false }
      return true
    }
  }

  /// Returns true if the bytes before a place of a sequence are at an offset, as they are.
  func hasPlain(upTo place: Place, at start: Int, of bytes: UnsafeRawBufferPointer) -> Bool {
    let (pattern, count) = (patterns[place.pattern], place.offset)
    // The last byte differs most often.
    guard count > 0 else { return true }
    guard Self.accepts(bytes[start + count - 1], for: pattern[count - 1]) else { return false }
    return has(bytes, start, pattern[..<count])
  }
}
