import AppBoot
import AppBootCommands
import AppBootSystem
import AppBootTestSupport
import Testing

/// The parser and `Docs/commands.schema.json` accept and reject the same parameters of the stock commands.
///
/// This suite compares the parser with the recorded verdicts; `Tests/schema-parity.py` compares the schema with them.
@Suite("The schema of the stock commands", .ownThread)
struct StockSchemaTests {
  private let path = FileSystem.join(FileSystem.directory(of: #filePath), "../../stock-verdicts.json")

  @Test("The parser agrees with the recorded verdicts")
  func verdicts() throws {
    let text = SourceText(name: path, bytes: try FileSystem.readFile(path))
    let table = try JSONDocument(parsing: text).root.elements
    let wrong = try table.filter { row in
      let commands = row["manifest"]?["commands"]?.text ?? "[]"
      return try TestLaunch(commands).problems().isEmpty != row["valid"]?.bool
    }
    #expect(wrong.map(\.text) == [])
    #expect(table.count > 40)
  }
}
