import AppBootTestSupport
import Testing

@testable import AppBootSystem

import AppBootLibC

@Suite("The owner of files")
struct FileOwnershipTests {
  private static let isRoot = geteuid() == 0
  private static let stranger: uid_t = 12_345

  @Test(
    "A directory is this user's own if neither other users nor a shared group may write to it",
    arguments: [
      (0o700, true), (0o755, true), (0o775, true), (0o2775, true), (0o757, false), (0o1777, false),
    ] as [(UInt32, Bool)])
  func modes(mode: UInt32, isOwn: Bool) throws {
    let directory = try TemporaryDirectory()
    #expect(chown(directory.path, geteuid(), geteuid()) == 0 || mode & 0o020 == 0)
    try FileSystem.setPermissions(directory.path, to: mode)
    #expect(((try? FileSystem.checkOwn(directory: directory.path)) != nil) == isOwn)
  }

  @Test("A directory that a shared group may write to is not this user's own", .enabled(if: isRoot))
  func sharedGroup() throws {
    let directory = try TemporaryDirectory()
    #expect(chown(directory.path, geteuid(), Self.stranger) == 0)
    try FileSystem.checkOwn(directory: directory.path)
    try FileSystem.setPermissions(directory.path, to: 0o775)
    let error = #expect(throws: SystemError.self) { try FileSystem.checkOwn(directory: directory.path) }
    #expect(
      error?.reason == "other users may write to it: run `chmod go-w` on it, or use another directory")
  }

  @Test(
    "A directory that an access control list opens to others is not this user's own", .enabled(if: isRoot))
  func accessList() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("state")
    try FileSystem.createDirectory(path, mode: 0o700)
    // acl(5): the version, then tag, permissions and number of each entry: owner, user 12345, group, mask, others.
    let entries: [(tag: UInt16, permissions: UInt16, number: UInt32)] = [
      (1, 7, .max), (2, 7, Self.stranger), (4, 0, .max), (16, 7, .max), (32, 0, .max),
    ]
    var bytes: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      withUnsafeBytes(of: entry.tag.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: entry.permissions.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: entry.number.littleEndian) { bytes += $0 }
    }
    guard setAttribute(path, "system.posix_acl_access", bytes, bytes.count, 0) == 0 else {
      return #expect(errno == EOPNOTSUPP)
    }
    #expect(throws: SystemError.self) { try FileSystem.checkOwn(directory: path) }
    // The mask is what `chmod go-w` changes.
    try FileSystem.setPermissions(path, to: 0o750)
    try FileSystem.checkOwn(directory: path)
  }

  @Test("A group is shared if another user is its member or has it as the own group")
  func members() throws {
    let accounts = [
      "me:x:\(geteuid()):5000::/:", "bob:x:5001:5001::/:", "eve:x:5002:5001::/:", "broken", "",
    ].joined(separator: "\n")
    func isShared(_ group: UInt32) -> Bool { UserAccount.isGroup(group, ofOthersIn: Array(accounts.utf8)) }
    #expect(!isShared(5000) && isShared(5001) && !isShared(5002))
    // The group of root, and one without an entry.
    #expect(!UserAccount.isShared(group: Self.stranger + 1))
  }

  @Test("A directory or a link of another user is not this user's own", .enabled(if: isRoot))
  func otherOwner() throws {
    let directory = try TemporaryDirectory()
    let (path, link) = (directory.file("state"), directory.file("link"))
    try FileSystem.createDirectory(path)
    #expect(symlink(path, link) == 0)
    try FileSystem.checkOwn(directory: link)
    #expect(lchown(link, Self.stranger, Self.stranger) == 0)
    for link in [link, link + "/"] {
      let error = #expect(throws: SystemError.self) { try FileSystem.checkOwn(directory: link) }
      #expect(error?.reason == "it belongs to another user (uid 12345): move it away")
    }
    #expect(chown(path, Self.stranger, Self.stranger) == 0)
    let error = #expect(throws: SystemError.self) { try FileSystem.checkOwn(directory: path) }
    let advice = "run as that user, with `sudo -u '#12345'`, or use another directory"
    #expect(error?.reason == "it belongs to another user (uid 12345): \(advice)")
    #expect(error?.isDistrust == true)
  }

  @Test("A missing directory passes, and a link passes only where it is followed")
  func links() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.checkOwn(directory: directory.file("missing"))
    let link = directory.file("link")
    #expect(symlink(directory.path, link) == 0)
    try FileSystem.checkOwn(directory: link)
    #expect(throws: SystemError.self) { try FileSystem.checkOwn(directory: link, followingLinks: false) }
  }

  @Test("An own file is neither a link nor a pipe, and opening a pipe does not wait")
  func kinds() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("file")
    try FileSystem.writeFile(atomically: [1], to: file)
    #expect(try FileSystem.readOwnFile(file) == [1])
    #expect(symlink(file, directory.file("link")) == 0)
    #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
    for (name, words) in [("link", "a symbolic link"), ("pipe", "not a file")] {
      let error = #expect(throws: SystemError.self) { try FileSystem.readOwnFile(directory.file(name)) }
      #expect(error?.reason == "it is \(words): move it away")
    }
    let missing = #expect(throws: SystemError.self) {
      try FileSystem.readOwnFile(directory.file("missing"))
    }
    #expect(missing?.isNotFound == true && missing?.isDistrust == false)
  }

  @Test("A file that other users own or may write to is not read", .enabled(if: isRoot))
  func files() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("file")
    try FileSystem.writeFile(atomically: [1], to: file)
    try FileSystem.setPermissions(file, to: 0o666)
    let error = #expect(throws: SystemError.self) { try FileSystem.readOwnFile(file) }
    #expect(error?.reason == "other users may write to it: run `chmod go-w` on it")
    try FileSystem.setPermissions(file, to: 0o600)
    #expect(chown(file, Self.stranger, Self.stranger) == 0)
    #expect(throws: SystemError.self) { try FileSystem.readOwnFile(file) }
    #expect(throws: SystemError.self) { try FileSystem.checkOwn(socket: file) }
    #expect(throws: SystemError.self) { try FileLock.acquire(file) }
  }
}

/// The function setxattr(2), which Swift's Glibc module lacks.
@_silgen_name("setxattr")
private func setAttribute(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer, _ size: Int,
  _ flags: Int32
) -> Int32
