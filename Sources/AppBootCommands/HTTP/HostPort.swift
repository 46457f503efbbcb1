/// A TCP address in a manifest, for example `localhost:80` or `[::1]:80`.
struct HostPort: Sendable, Hashable, CustomStringConvertible {
  /// The host name or the IP address, without brackets.
  let host: String
  let port: UInt16

  /// Parses an address; returns `nil` for invalid text.
  ///
  /// - Parameter defaultPort: The port for a text without a port; `nil` if the text must have a port.
  init?(_ text: String, defaultPort: UInt16? = nil) {
    let isBracketed = text.hasPrefix("[")
    let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex
    guard let end else { return nil }
    let host = text[..<end].dropFirst(isBracketed ? 1 : 0)
    let rest = text[end...].dropFirst(isBracketed ? 1 : 0)
    let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard !host.isEmpty, isPlain, let port = Self.port(rest, defaultPort) else { return nil }
    (self.host, self.port) = (String(host), port)
  }

  private static func port(_ text: Substring, _ defaultPort: UInt16?) -> UInt16? {
    guard !text.isEmpty else { return defaultPort }
    return text.hasPrefix(":") ? port(text.dropFirst()) : nil
  }

  /// Returns the port that a text of digits represents, from 1 to 65535; `nil` for any other text.
  static func port(_ digits: some StringProtocol) -> UInt16? {
    guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return UInt16(digits).flatMap { $0 == 0 ? nil : $0 }
  }

  /// The address as it is written in a manifest, with brackets around an IPv6 address.
  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
