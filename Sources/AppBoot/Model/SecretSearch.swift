/// A search for the forms of all secrets in bytes.
struct SecretSearch: Sendable {
  /// The forms by their first byte, longest first.
  private let forms: [[[UInt8]]]
  private let longest: Int

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

  /// Returns the first offset from which on all remaining bytes are the beginning of a longer form.
  ///
  /// Returns the number of bytes if there is no such offset.
  func openEnd(of bytes: UnsafeRawBufferPointer) -> Int {
    (max(0, bytes.count - longest + 1)..<bytes.count).first { start in
      let rest = bytes[start...]
      return forms[Int(bytes[start])].contains { $0.count > rest.count && $0.starts(with: rest) }
    } ?? bytes.count
  }
}
