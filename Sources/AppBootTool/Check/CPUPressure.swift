import AppBootSystem

/// The time for which tasks of this machine waited for a processor, as Linux measures it (pressure stall information).
enum CPUPressure {
  private static let file = "/proc/pressure/cpu"

  /// Returns the nanoseconds since the machine's start during which at least one task waited; `nil` if they are
  /// unknown.
  static func total() -> Int64? {
    guard let bytes = try? FileSystem.readFile(file) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
    let field = line.split(separator: " ").first { $0.hasPrefix("total=") }
    return field.flatMap { Int64($0.dropFirst("total=".count)) }.map { $0 * 1000 }
  }
}
