package import AppBoot

extension ByteSize {
  /// The size for people, with at most one decimal, for example `"1.5 GiB"` or `"812 B"`.
  package var brief: String {
    guard let (name, size) = Self.units.prefix(4).first(where: { bytes >= $0.size }) else {
      return "\(bytes) B"
    }
    let tenths = bytes / (size / 10)
    return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}
