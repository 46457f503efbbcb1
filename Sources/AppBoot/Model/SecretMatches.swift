/// The places of secrets in a buffer, in the order of their beginnings; they may overlap.
struct SecretMatches: Sequence, IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private let patterns: SecretPatterns
  private var start = 0

  init(_ patterns: SecretPatterns, in bytes: UnsafeRawBufferPointer) {
    (self.patterns, self.bytes) = (patterns, bytes)
  }

  mutating func next() -> Range<Int>? {
    guard let match = patterns.firstMatch(in: bytes, from: start) else { return nil }
    start = match.lowerBound + 1
    return match
  }
}
