/// The places of secrets in a buffer, in the order of their beginnings; they may overlap.
struct SecretMatches: Sequence, IteratorProtocol {
  /// The first offset at which the remaining bytes may be the beginning of a secret; the number of bytes without one.
  private(set) var openEnd: Int
  private let bytes: UnsafeRawBufferPointer
  private let patterns: SecretPatterns
  /// The secrets with escapes that come next.
  private var escaped: ArraySlice<Range<Int>>
  /// The next secret without escapes.
  private var plain: Range<Int>?

  init(_ patterns: SecretPatterns, in bytes: UnsafeRawBufferPointer) {
    (self.patterns, self.bytes) = (patterns, bytes)
    var search = EscapedSecretSearch(patterns, in: bytes)
    search.run()
    // Few buffers have any.
    escaped =
      search.matches.count > 1
      ? search.matches.sorted { $0.lowerBound < $1.lowerBound }[...] : search.matches[...]
    openEnd = Swift.min(search.openEnd, patterns.openEnd(of: bytes))
    plain = patterns.firstMatch(in: bytes, from: 0)
  }

  mutating func next() -> Range<Int>? {
    if let next = escaped.first, next.lowerBound <= plain?.lowerBound ?? .max { return escaped.removeFirst() }
    guard let next = plain else { return nil }
    plain = patterns.firstMatch(in: bytes, from: next.lowerBound + 1)
    return next
  }
}
