import AppBoot
import AppBootSystem

/// The 32 random bytes that identify this device, stored as 64 hexadecimal digits across launches.
struct DeviceToken: Sendable, Hashable {
  /// The name that it is kept under in the state.
  static let stateName = "device-token"
  static let byteCount = 32

  /// The digits.
  let hexadecimal: String
  /// True if this launch created it.
  let isNew: Bool

  /// Returns the stored token, or creates and stores a new one.
  static func obtain(from state: any StateStore) throws -> DeviceToken {
    if let bytes = try state.read(stateName) {
      // ASCII white space: an editor may add some at the end.
      let text = String(decoding: bytes.filter { !(9...13).contains($0) && $0 != 32 }, as: UTF8.self)
      guard Hexadecimal.bytes(of: text)?.count == byteCount else {
        throw RemoteNotificationsError.damagedToken(place: FileSystem.join(state.place, stateName))
      }
      return DeviceToken(hexadecimal: text.lowercased(), isNew: false)
    }
    let digits = try SecureRandom.hexadecimal(bytes: byteCount)
    try state.write(stateName, Array("\(digits)\n".utf8))
    return DeviceToken(hexadecimal: digits, isNew: true)
  }

  /// The first digits, for output.
  var abbreviated: String { String(hexadecimal.prefix(8)) + "…" }
}
