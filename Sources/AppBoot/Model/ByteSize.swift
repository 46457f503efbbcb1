/// A number of bytes as a text such as `"512KiB"` or `"1.5GB"`.
package enum ByteSize {
  /// The units: powers of 1024 (IEC 80000-13) and of 1000.
  package static let units: [(name: String, size: Int64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ("kB", 1000), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("B", 1),
  ]

  /// Returns the number of bytes; `nil` if the text is not a number with a unit, or is too large.
  package static func parse(_ text: String) -> Int64? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
    let digits = text.dropLast(unit.name.count)
    let isPlain = digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E }
    guard isPlain, digits.utf8.first != 0x2E, let number = Double(digits) else { return nil }
    return Int64(exactly: (number * Double(unit.size)).rounded())
  }
}
