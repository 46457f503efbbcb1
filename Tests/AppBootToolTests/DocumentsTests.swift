import AppBootSystem
import AppBootTestSupport
import Testing

/// Checks the documents that the tool prints.
///
/// `APPBOOT_RECORD=1 swift test --filter DocumentsTests` records them. A recording run fails: it checks nothing.
@Suite("The documents that the tool prints", .ownThread)
struct DocumentsTests {
  static let documents: [Document] = [
    Document(file: "cli.md", arguments: ["help", "--format", "markdown"]),
    Document(file: "commands.md", arguments: ["commands", "--format", "markdown"]),
    Document(file: "commands.schema.json", arguments: ["schema"]),
    Document(file: "record.schema.json", arguments: ["schema", "record"]),
  ]

  struct Document: Sendable, CustomTestStringConvertible {
    let file: String
    let arguments: [String]

    var testDescription: String { file }

    var path: String {
      FileSystem.join(FileSystem.directory(of: #filePath), "../../Docs/\(file)")
    }
  }

  @Test("A document in Docs matches the tool's output", arguments: documents)
  func areCurrent(document: Document) throws {
    let result = try ToolProcess().with(document.arguments).run()
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
    if ProcessEnvironment.value(of: "APPBOOT_RECORD") == "1" {
      try FileSystem.writeFile(atomically: Array(result.output.utf8), to: document.path)
      Issue.record("recorded \(document.file): review the difference, and run again without APPBOOT_RECORD")
      return
    }
    let written = String(decoding: try FileSystem.readFile(document.path), as: UTF8.self)
    #expect(
      written == result.output,
      "Docs/\(document.file) is out of date: APPBOOT_RECORD=1 swift test --filter DocumentsTests")
  }
}
