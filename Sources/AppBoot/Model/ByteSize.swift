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
      throw ByteSizeError("\"\(text)\" is not a size: write a number and a unit, for example \"512MiB\"")
    }
    guard !unit.isEmpty else {
      throw ByteSizeError("\"\(number)\" has no unit: add one, for example \"\(number)MiB\"")
    }
    guard let size = Self.units.first(where: { $0.name == unit || ($0.name == "kB" && unit == "KB") })?.size
    else {
      throw ByteSizeError("unknown unit \"\(unit)\": \(Self.help(for: unit, number))")
    }
    // A number without a fraction is exact.
    let bytes: Int64? =
      if let product = Int64(number)?.multipliedReportingOverflow(by: size) {
        product.overflow ? nil : product.partialValue
      } else {
        Int64(exactly: (value * Double(size)).rounded(.down))
      }
    guard let bytes else { throw ByteSizeError("\"\(text)\" is more than 8388607TiB") }
    self.init(bytes: bytes)
  }

  private static func help(for unit: String, _ number: String) -> String {
    guard let letter = unit.uppercased().first, "KMGT".contains(letter) else {
      return "the units are B, KiB, MiB, GiB, TiB (1024) and kB, MB, GB, TB (1000)"
    }
    let decimal = letter == "K" ? "kB" : "\(letter)B"
    return "write \"\(number)\(letter)iB\" (units of 1024) or \"\(number)\(decimal)\" (units of 1000)"
  }
}

/// An error in the text of a size.
package struct ByteSizeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The error message: the mistake and its correction.
  package let description: String

  fileprivate init(_ description: String) { self.description = description }
}

/// The limits of the history of a manifest's launches.
package struct HistoryLimits: Sendable, Hashable {
  /// The valid numbers of launches. The file of the largest history of 5,000 steps has about 50 MB.
  package static let keepRange = 1...1000
  /// The valid ages in days.
  package static let dayRange = 1...3650

  /// The number of launches that are kept.
  package var keep: Int
  /// The age in days after which a launch is removed; `nil` for no limit.
  package var maxDays: Int?

  /// Creates limits.
  package init(keep: Int = 200, maxDays: Int? = nil) {
    (self.keep, self.maxDays) = (keep, maxDays)
  }
}
