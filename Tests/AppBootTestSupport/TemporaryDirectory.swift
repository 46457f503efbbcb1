import AppBootSystem

/// A directory for one test. It is removed with its contents in `deinit`.
package final class TemporaryDirectory {
  package let path: String

  package init() throws { path = try FileSystem.makeTemporaryDirectory(prefix: "appboot-test") }

  deinit { try? FileSystem.removeTree(path) }

  package func file(_ name: String) -> String { FileSystem.join(path, name) }
}
