import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

import AppBootLibC

@Suite("The directory state store")
struct DirectoryStateStoreTests {
  private func inTemporaryDirectory(_ body: (String) throws -> Void) throws {
    let path = try FileSystem.makeTemporaryDirectory()
    defer { try? FileSystem.removeTree(path) }
    try body(path)
  }

  @Test("A store creates its directory at the first write")
  func lazily() throws {
    try inTemporaryDirectory { root in
      let path = FileSystem.join(root, "a/.appboot")
      let store = DirectoryStateStore(path: path)
      #expect(try store.read("launches") == nil)
      #expect(!FileSystem.exists(path))
      try store.write("launches", [49])
      #expect(try store.read("launches") == [49])
      #expect(try FileSystem.readFile(FileSystem.join(path, ".gitignore")) == Array("*\n".utf8))
      try store.write("launches", [50])
      #expect(try DirectoryStateStore(path: path).read("launches") == [50])
    }
  }

  @Test("An update changes the stored bytes atomically: no concurrent change is lost")
  func updates() throws {
    try inTemporaryDirectory { root in
      let path = FileSystem.join(root, ".appboot")
      let threads = try (0..<4).map { _ in
        try Thread.start(name: "updates") {
          let store = DirectoryStateStore(path: path)
          for _ in 0..<50 { try? store.update("count") { ($0 ?? []) + [49] } }
        }
      }
      for thread in threads { thread.join() }
      #expect(try DirectoryStateStore(path: path).read("count")?.count == 200)
    }
  }

  @Test("A store removes what a killed process left a day ago, and nothing else")
  func leftovers() throws {
    try inTemporaryDirectory { root in
      let path = FileSystem.join(root, ".appboot")
      try DirectoryStateStore(path: path).prepare()
      for (name, isOld) in [(".a.1.tmp", true), (".b.2.tmp", false), ("c.tmp", true), (".d", true)] {
        let file = FileSystem.join(path, name)
        try FileSystem.writeFile(atomically: [], to: file)
        let days = isOld ? 2 : 0
        let time = timeval(tv_sec: time(nil) - days * 86_400, tv_usec: 0)
        #expect(utimes(file, [time, time]) == 0)
      }
      try DirectoryStateStore(path: path).prepare()
      #expect(try FileSystem.list(path) == [".b.2.tmp", ".d", ".gitignore", "c.tmp"])
    }
  }

  @Test("An update whose function throws changes nothing, and releases the lock")
  func refusedUpdate() throws {
    try inTemporaryDirectory { root in
      let store = DirectoryStateStore(path: root)
      try store.write("count", [49])
      #expect(throws: Mishap.self) { try store.update("count") { _ in throw Mishap() } }
      try store.update("count") { ($0 ?? []) + [50] }
      #expect(try store.read("count") == [49, 50])
    }
  }

  @Test("A state cannot have the name of the lock file of updates")
  func lockName() throws {
    try inTemporaryDirectory { root in
      let store = DirectoryStateStore(path: root)
      try store.update("count") { _ in [49] }
      let others = try FileSystem.list(root).filter { $0 != "count" }
      #expect(others.count == 1)
      for name in others { #expect(throws: StateStoreError.self) { try store.read(name) } }
    }
  }

  @Test("A file that other users may read becomes private when it is read")
  func loose() throws {
    try inTemporaryDirectory { root in
      let file = FileSystem.join(root, "device-token")
      try FileSystem.writeFile(atomically: [49], to: file)
      for mode in [0o644, 0o440] as [UInt32] {
        try FileSystem.setPermissions(file, to: mode)
        #expect(try DirectoryStateStore(path: root).read("device-token") == [49])
        #expect(try FileSystem.permissions(file) == mode & 0o700)
      }
    }
  }

  @Test("A pipe in place of a file is an error without a wait")
  func pipe() throws {
    try inTemporaryDirectory { root in
      let path = FileSystem.join(root, "launches")
      #expect(mkfifo(path, 0o600) == 0)
      let store = DirectoryStateStore(path: root)
      let words = "\"\(path)\" is not a file: move it away"
      let onReading = #expect(throws: StateStoreError.self) { try store.read("launches") }
      let onWriting = #expect(throws: StateStoreError.self) { try store.write("launches", [49]) }
      #expect(onReading?.message == words && onWriting?.message == words)
    }
  }

  @Test("A symbolic link in place of a file is neither read nor written")
  func linked() throws {
    try inTemporaryDirectory { root in
      let target = FileSystem.join(root, "shared")
      try FileSystem.writeFile(atomically: [49], to: target)
      let link = FileSystem.join(root, "device-token")
      #expect(symlink(target, link) == 0)
      let store = DirectoryStateStore(path: root)
      let words = "cannot use \"\(link)\": it is a symbolic link: move it away"
      let onReading = #expect(throws: StateStoreError.self) { try store.read("device-token") }
      let onWriting = #expect(throws: StateStoreError.self) { try store.write("device-token", [50]) }
      #expect(onReading?.message == words && onWriting?.message == words)
      #expect(try FileSystem.readFile(target) == [49])
    }
  }

  @Test("A file of another user is not read", .enabled(if: geteuid() == 0))
  func planted() throws {
    try inTemporaryDirectory { root in
      let file = FileSystem.join(root, "device-token")
      try FileSystem.writeFile(atomically: [49], to: file)
      #expect(chown(file, 12_345, 12_345) == 0)
      let error = #expect(throws: StateStoreError.self) {
        try DirectoryStateStore(path: root).read("device-token")
      }
      #expect(
        error?.message == "cannot use \"\(file)\": it belongs to another user (uid 12345): move it away")
    }
  }

  @Test("A directory that other users may write to is neither read nor written")
  func writableByOthers() throws {
    try inTemporaryDirectory { root in
      try FileSystem.writeFile(atomically: [49], to: FileSystem.join(root, "count"))
      try FileSystem.setPermissions(root, to: 0o777)
      let store = DirectoryStateStore(path: root)
      let error = #expect(throws: StateStoreError.self) { try store.read("count") }
      #expect(
        error?.message
          == "cannot use \"\(root)\": other users may write to it: run `chmod go-w` on it, or use another directory"
      )
      #expect(throws: StateStoreError.self) { try store.write("count", [50]) }
      #expect(throws: StateStoreError.self) { try store.update("count") { _ in [50] } }
      #expect(throws: StateStoreError.self) { try store.prepare() }
      #expect(try FileSystem.list(root) == ["count"])
      try FileSystem.setPermissions(root, to: 0o755)
      #expect(try store.read("count") == [49])
    }
  }

  @Test(
    "A name that is not a valid file name is rejected",
    arguments: [
      "", ".", "..", ".x", "a/b", "/etc/passwd", "a b", "é", "a\0b", String(repeating: "a", count: 129),
    ])
  func names(name: String) throws {
    try inTemporaryDirectory { root in
      let store = DirectoryStateStore(path: root)
      #expect(throws: StateStoreError.self) { try store.write(name, []) }
      #expect(throws: StateStoreError.self) { try store.read(name) }
    }
  }

  @Test("A file in place of the directory is an error that names it")
  func blocked() throws {
    try inTemporaryDirectory { root in
      let path = FileSystem.join(root, "state")
      try FileSystem.writeFile(atomically: [], to: path)
      let error = #expect(throws: StateStoreError.self) {
        try DirectoryStateStore(path: path).write("a", [1])
      }
      #expect(error?.description.contains(path) == true)
    }
  }

  @Test("A state that exists but cannot be read is an error, not a first launch")
  func unreadable() throws {
    try inTemporaryDirectory { root in
      try FileSystem.createDirectory(FileSystem.join(root, "launches"), mode: 0o700, parents: false)
      #expect(throws: StateStoreError.self) { try DirectoryStateStore(path: root).read("launches") }
    }
  }
}
