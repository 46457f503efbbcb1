import AppBootSystem
package import Testing

/// A file that a test compares its output with, or reads.
///
/// With `APPBOOT_RECORD=1` in the environment the file is overwritten, and the test fails: a recording is no pass.
package enum Fixture {
  package static func expect(
    _ text: String, is name: String, from test: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = file(name, of: test)
    if ProcessEnvironment.value(of: "APPBOOT_RECORD") == "1" {
      try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
      Issue.record(
        "recorded \(name): look at it, and run again without APPBOOT_RECORD", sourceLocation: sourceLocation)
      return
    }
    let expected = String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    #expect(
      text == expected, "\(name) differs: to record it again, set APPBOOT_RECORD=1",
      sourceLocation: sourceLocation)
  }

  package static func bytes(of name: String, from test: String = #filePath) throws -> [UInt8] {
    try FileSystem.readFile(file(name, of: test))
  }

  /// Returns the path of a file in the folder `Fixtures` of a test's target.
  private static func file(_ name: String, of test: String) -> String {
    let tests = FileSystem.directory(of: FileSystem.directory(of: test))
    return FileSystem.join(FileSystem.join(tests, "Fixtures"), name)
  }
}
