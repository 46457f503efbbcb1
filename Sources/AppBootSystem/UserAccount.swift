import AppBootLibC

/// A user of this machine.
struct UserAccount: Equatable {
  let name: String
  let user: UInt32
  let group: UInt32
  let home: String

  /// The bytes for the texts of one entry. A group may have thousands of members.
  private static let bufferSize = 1 << 20

  /// Returns the user with a name, or with a number in decimal digits (`getpwnam_r`, `getpwuid_r`, POSIX).
  ///
  /// Returns `nil` if there is none.
  static func find(_ text: String) -> UserAccount? {
    withBuffer { buffer in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      _ = getpwnam_r(text, &entry, buffer, bufferSize, &found)
      if found == nil, let number = UInt32(text) {
        _ = getpwuid_r(number, &entry, buffer, bufferSize, &found)
      }
      guard found != nil else { return nil }
      return UserAccount(
        name: String(cString: entry.pw_name), user: entry.pw_uid, group: entry.pw_gid,
        home: String(cString: entry.pw_dir))
    }
  }

  /// Returns the number of a group with a name, or the number in decimal digits (`getgrnam_r`, POSIX).
  ///
  /// Returns `nil` for an unknown name. A number needs no entry.
  static func groupNumber(_ text: String) -> UInt32? {
    withBuffer { buffer in
      var entry = group_entry()
      var found: UnsafeMutablePointer<group_entry>?
      _ = getgrnam_r(text, &entry, buffer, bufferSize, &found)
      return found == nil ? number(text) : entry.gr_gid
    }
  }

  /// Returns the number of a user or group in decimal digits. The largest one means "no change" (setresuid(2)).
  static func number(_ text: String) -> UInt32? { UInt32(text).flatMap { $0 == .max ? nil : $0 } }

  private static func withBuffer<Result>(_ body: (UnsafeMutablePointer<CChar>) -> Result) -> Result {
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: bufferSize)
    defer { buffer.deallocate() }
    return body(buffer)
  }
}

/// The numbers of a user and of a group.
package struct UserIdentity: Equatable, Sendable {
  let user: UInt32
  let group: UInt32

  package init(user: UInt32, group: UInt32) { (self.user, self.group) = (user, group) }
}

/// The system's `struct group`, whose name is also that of a property here.
private typealias group_entry = group
