import AppBootSystem

/// A directory for one test. It is removed with its contents in `deinit`.
final class TemporaryDirectory {
  let path: String

  init() throws { path = try FileSystem.makeTemporaryDirectory(prefix: "appboot-test") }

  deinit { try? FileSystem.removeTree(path) }

  func file(_ name: String) -> String { FileSystem.join(path, name) }
}
