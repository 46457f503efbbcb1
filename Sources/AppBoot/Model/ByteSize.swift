/// A number of bytes, which a manifest writes with a unit, for example `"512MiB"` or `"1.5GB"`.
package struct ByteSize: Sendable, Hashable {
  /// The number of bytes.
  package let bytes: Int64

  /// Creates a size.
  package init(bytes: Int64) { self.bytes = bytes }

  /// The names of the units and their sizes in bytes: powers of 1024 and of 1000.
  package static let units: [(name: String, size: Int64)] = [
    ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000), ("B", 1),
  ]

  /// Parses a number and a unit. A fraction of a byte is dropped.
  ///
  /// - Throws: ``ByteSizeError``.
  package init(parsing text: String) throws(ByteSizeError) {
    let digits = text.utf8.prefix {
      $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: ".")
    }
    let number = String(Substring(digits))
    let unit = String(text.dropFirst(number.count))
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, !parts.contains(where: \.isEmpty), let value = Double(number) else {
      throw .malformed(text)
    }
    guard !unit.isEmpty else { throw .missingUnit(number) }
    guard let size = Self.units.first(where: { $0.name == unit || ($0.name == "kB" && unit == "KB") })?.size
    else {
      throw .unknownUnit(unit, number: number)
    }
    // A number without a fraction is exact.
    if let whole = Int64(number) {
      let (bytes, overflow) = whole.multipliedReportingOverflow(by: size)
      guard !overflow else { throw .tooLarge(text) }
      self.init(bytes: bytes)
    } else {
      guard let bytes = Int64(exactly: (value * Double(size)).rounded(.down)) else { throw .tooLarge(text) }
      self.init(bytes: bytes)
    }
  }
}

/// An error in the text of a size.
package enum ByteSizeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The number has no unit.
  case missingUnit(_ number: String)
  /// The unit is unknown.
  case unknownUnit(_ unit: String, number: String)
  /// The number of bytes is greater than `Int64.max`.
  case tooLarge(_ text: String)
  /// The text is not a number with a unit.
  case malformed(_ text: String)

  /// The error message: the mistake and its correction.
  package var description: String {
    switch self {
    case .missingUnit(let number): "\"\(number)\" has no unit: add one, for example \"\(number)MiB\""
    case .unknownUnit(let unit, let number): "unknown unit \"\(unit)\": \(Self.help(for: unit, number))"
    case .tooLarge(let text): "\"\(text)\" is more than 8388607TiB"
    case .malformed(let text): "\"\(text)\" is not a size: write a number and a unit, for example \"512MiB\""
    }
  }

  private static func help(for unit: String, _ number: String) -> String {
    guard let letter = unit.uppercased().first, "KMGT".contains(letter) else {
      return "the units are B, KiB, MiB, GiB, TiB (1024) and kB, MB, GB, TB (1000)"
    }
    let decimal = letter == "K" ? "kB" : "\(letter)B"
    return "write \"\(number)\(letter)iB\" (units of 1024) or \"\(number)\(decimal)\" (units of 1000)"
  }
}
