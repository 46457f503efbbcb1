import AppBoot
import AppBootSystem

/// A random identifier of this device: 32 bytes, stored as 64 hexadecimal digits. All launches use the same one.
struct DeviceToken: Sendable, Hashable {
  /// The name of the token's file in the launch's state.
  static let stateName = "device-token"
  static let byteCount = 32

  /// The 64 hexadecimal digits.
  let hexadecimal: String
  /// True if this launch created the token.
  let isNew: Bool

  /// Returns the stored token, or creates and stores a new one. Concurrent launches get the same token.
  static func obtain(from state: any StateStore) throws -> DeviceToken {
    if let bytes = try state.read(stateName) { return try DeviceToken(stored: bytes, in: state) }
    var created: String?
    var stored: [UInt8] = []
    // A launch beside another saves only updates.
    try state.update(stateName) { bytes in
      created = nil
      if let bytes {
        stored = bytes
      } else {
        let digits = SecureRandom.hexadecimal(bytes: byteCount)
        created = digits
        stored = Array("\(digits)\n".utf8)
      }
      return stored
    }
    if let created { return DeviceToken(hexadecimal: created, isNew: true) }
    return try DeviceToken(stored: stored, in: state)
  }

  private init(hexadecimal: String, isNew: Bool) {
    (self.hexadecimal, self.isNew) = (hexadecimal, isNew)
  }

  private init(stored bytes: [UInt8], in state: any StateStore) throws {
    // ASCII white space: an editor may add some at the end.
    let text = String(decoding: bytes.filter { !(9...13).contains($0) && $0 != 32 }, as: UTF8.self)
    guard Hexadecimal.bytes(of: text)?.count == Self.byteCount else {
      throw RemoteNotificationsError.damagedToken(place: FileSystem.join(state.place, Self.stateName))
    }
    self.init(hexadecimal: text.lowercased(), isNew: false)
  }

  /// The first 8 digits and an ellipsis, for output.
  var abbreviated: String { String(hexadecimal.prefix(8)) + "…" }
}
