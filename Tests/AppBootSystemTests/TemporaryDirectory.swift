import AppBootSystem

/// A directory for one test, removed with all that is in it.
final class TemporaryDirectory {
  let path: String

  init() throws { path = try FileSystem.makeTemporaryDirectory(prefix: "appboot-test") }

  deinit { try? FileSystem.removeTree(path) }

  func file(_ name: String) -> String { FileSystem.join(path, name) }
}
