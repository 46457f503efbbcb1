/// A search for the forms of all secrets in bytes.
package struct SecretSearch: Sendable {
  /// The forms by their first byte, longest first.
  package let forms: [[[UInt8]]]
  /// The length of the longest form in bytes.
  package let longest: Int

  init(_ forms: Set<[UInt8]>) {
    longest = forms.map(\.count).max() ?? 0
    var lists = [[[UInt8]]](repeating: [], count: 256)
    for form in forms.sorted(by: { $0.count > $1.count }) { lists[Int(form[0])].append(form) }
    self.forms = lists
  }

  /// Returns the places of the forms in the order of their beginnings; they may overlap. Of several forms at one
  /// offset, the longest counts.
  func matches(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    bytes.indices.compactMap { start in
      forms[Int(bytes[start])].first { bytes[start...].starts(with: $0) }.map { start..<(start + $0.count) }
    }
  }

  /// Returns the bytes between two offsets, with `***` for each secret that begins there. Secrets that overlap become
  /// one `***`.
  ///
  /// - Parameter start: The end of a secret that is already replaced. It may be after `end`.
  /// - Returns: The bytes, and the end of the last secret, which may be after `end`.
  package func replacing(
    in bytes: UnsafeRawBufferPointer, from start: Int = 0, to end: Int
  ) -> (bytes: [UInt8], secretEnd: Int) {
    var result: [UInt8] = []
    var secretEnd = start
    var done = min(start, end)
    for match in matches(in: bytes) where match.lowerBound < end {
      if match.lowerBound >= secretEnd {
        result += bytes[done..<match.lowerBound]
        result += "***".utf8
      }
      secretEnd = max(secretEnd, match.upperBound)
      done = min(secretEnd, end)
    }
    return (result + bytes[done..<end], secretEnd)
  }
}
