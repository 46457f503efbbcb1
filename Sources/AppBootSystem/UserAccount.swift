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
      if found == nil, let number = number(text) {
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

  /// Returns whether a user other than this process's is a member of a group (`getgrgid_r`, POSIX), or has it in
  /// `/etc/passwd`.
  static func isShared(group number: UInt32) -> Bool {
    let own = find(String(geteuid()))?.name
    let hasMember = withBuffer { buffer in
      var entry = group_entry()
      var found: UnsafeMutablePointer<group_entry>?
      _ = getgrgid_r(number, &entry, buffer, bufferSize, &found)
      guard found != nil, var member = entry.gr_mem else { return false }
      while let name = member.pointee {
        if String(cString: name) != own { return true }
        member += 1
      }
      return false
    }
    return hasMember
      || isGroup(number, ofOthersIn: (try? FileSystem.readFile("/etc/passwd", limit: 1 << 24)) ?? [])
  }

  /// Returns whether a group is the own group of another user than this process's.
  ///
  /// - Parameter accounts: The lines of a file like `/etc/passwd` (passwd(5)).
  static func isGroup(_ number: UInt32, ofOthersIn accounts: [UInt8]) -> Bool {
    accounts.split(separator: UInt8(ascii: "\n")).contains { line in
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      return fields.count > 3 && fields[3].elementsEqual(String(number).utf8)
        && !fields[2].elementsEqual(String(geteuid()).utf8)
    }
  }

  /// Returns the number of a user or group in decimal digits without a sign. The largest one means "no change"
  /// (setresuid(2)).
  static func number(_ text: String) -> UInt32? {
    text.hasPrefix("+") ? nil : UInt32(text).flatMap { $0 == .max ? nil : $0 }
  }

  /// Returns a group and the user's supplementary groups (getgrouplist(3)).
  func groups(besides group: UInt32) -> [UInt32] {
    var count = Self.mostGroups
    var groups = [GroupNumber](repeating: 0, count: Int(count))
    getgrouplist(name, GroupNumber(truncatingIfNeeded: group), &groups, &count)
    return groups.prefix(Int(count)).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// The maximum number of supplementary groups (`NGROUPS_MAX`).
  #if canImport(Darwin)
  private typealias GroupNumber = Int32
  private static let mostGroups: Int32 = 16
  #else
  private typealias GroupNumber = UInt32
  private static let mostGroups: Int32 = 1 << 16
  #endif

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
