import AppBoot
import AppBootSchema
import AppBootTestSupport
import Testing

/// The parser and the JSON Schema accept and reject the same manifests.
///
/// This suite compares the schema with `Fixtures/schema.json`, and the parser with the verdicts in
/// `Fixtures/schema-verdicts.json`. `Tests/schema-parity.py` compares that schema with the same verdicts, by a
/// third-party validator.
@Suite("The manifest schema")
struct ManifestSchemaTests {
  /// The command `Plain`, which can also start the programs of `unless`.
  private struct Program: PolledCommand {
    static let name = "Plain"
    static var startUnlessCheck: UnlessCheckStart? { FakeUnlessCheck.start }
    func execute(in context: LaunchContext) async throws {}
  }

  private let registry: CommandRegistry = {
    var registry = CommandRegistry(
      Program.self, Kinds.self, Integers.self, Renamed.self, ByHand.self, Recursive.self, Slashed.self)
    for event in ["syncDidEnd", "openURL", "didFinishLaunching", "x-no"] {
      registry.declare(EventName(event))
    }
    return registry
  }()

  @Test("The schema of a registry is the recorded one, byte for byte")
  func schema() throws {
    try Fixture.expect(registry.jsonSchema(), is: "schema.json")
  }

  @Test("The schema is JSON without duplicate keys")
  func form() throws {
    let document = try JSONDocument(parsing: SourceText(name: "schema", text: registry.jsonSchema()))
    #expect(document.duplicateKeys.isEmpty)
    let empty = try JSONDocument(parsing: SourceText(name: "schema", text: CommandRegistry().jsonSchema()))
    #expect(empty.duplicateKeys.isEmpty)
  }

  @Test("The schema allows a program in unless only if a registered command can start programs")
  func programs() throws {
    func keys(_ registry: CommandRegistry) throws -> [String] {
      let text = SourceText(name: "schema", text: registry.jsonSchema())
      let definition = try JSONDocument(parsing: text).root["$defs"]?["unless"]
      return definition?["properties"]?.members.map(\.key.string) ?? []
    }
    #expect(try keys(registry) == ["file", "command"])
    #expect(try keys(CommandRegistry(Plain.self)) == ["file"])
  }

  @Test("The parser agrees with the recorded verdicts")
  func verdicts() throws {
    let table = try JSONDocument(
      parsing: SourceText(name: "verdicts", bytes: try Fixture.bytes(of: "schema-verdicts.json")))
    var wrong: [String] = []
    for row in table.root.elements {
      guard let isValid = row["valid"]?.bool, let manifest = row["manifest"] else {
        wrong.append(row.text)
        continue
      }
      if problems(in: manifest.text, registry).isEmpty != isValid { wrong.append(manifest.text) }
    }
    #expect(wrong == [])
    #expect(table.root.elements.count > 300)
  }
}
