import AppBootSystem
import Testing

/// An expected output that is kept as a file beside the tests.
///
/// With `APPBOOT_RECORD=1` in the environment the file is overwritten, and the test fails: a recording is no pass.
enum Fixture {
  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = file(name)
    if ProcessEnvironment.value(of: "APPBOOT_RECORD") == "1" {
      try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
      Issue.record(
        "recorded \(name): look at it, and run again without APPBOOT_RECORD", sourceLocation: sourceLocation)
      return
    }
    let expected = String(decoding: try FileSystem.readFile(path), as: UTF8.self)
    #expect(
      text == expected, "\(name) differs; APPBOOT_RECORD=1 records it anew", sourceLocation: sourceLocation)
  }

  static func bytes(of name: String) throws -> [UInt8] { try FileSystem.readFile(file(name)) }

  private static func file(_ name: String, here: String = #filePath) -> String {
    let tests = FileSystem.directory(of: FileSystem.directory(of: here))
    return FileSystem.join(FileSystem.join(tests, "Fixtures"), name)
  }
}
