import AppBootSystem

/// A directory for one test. It is removed with its contents in `deinit`.
package final class TemporaryDirectory {
  package let path: String

  package init() throws { path = try FileSystem.makeTemporaryDirectory(prefix: "appboot-test") }

  deinit {
    try? FileSystem.setPermissions(path, to: 0o700)
    try? FileSystem.removeTree(path)
  }

  package func file(_ name: String) -> String { FileSystem.join(path, name) }

  /// Writes a file into the directory.
  package func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws {
    try FileSystem.writeFile(atomically: Array(text.utf8), to: file(name), mode: mode)
  }

  /// Waits until a file exists; returns false after a minute.
  package func wait(for name: String) -> Bool { Patience.wait { FileSystem.exists(file(name)) } }
}
