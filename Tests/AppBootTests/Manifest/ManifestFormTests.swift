import AppBoot
import AppBootTestSupport
import Testing

@Suite("Texts that are not a manifest", .ownThread)
struct ManifestFormTests {
  private let registry = CommandRegistry(Plain.self, Other.self)

  @Test(
    "A value other than an object is an error that names its type",
    arguments: [
      ("[]", "1:1: a manifest is an object, not an array | write { \"version\": 1, \"commands\": [ … ] }"),
      ("\"x\"", "1:1: a manifest is an object, not a string | write { \"version\": 1, \"commands\": [ … ] }"),
      ("5", "1:1: a manifest is an object, not a number | write { \"version\": 1, \"commands\": [ … ] }"),
      ("null", "1:1: a manifest is an object, not null | write { \"version\": 1, \"commands\": [ … ] }"),
    ])
  func otherValues(text: String, message: String) {
    #expect(problems(in: text, registry) == [message])
  }

  @Test(
    "An empty file or one of white space is an error, not an empty launch", arguments: ["", " ", "\n\t \r\n"])
  func empty(text: String) {
    #expect(throws: PlanError.self) { try Manifest(parsing: SourceText(name: "f", text: text)) }
    #expect(problems(in: text, registry).count == 1)
  }

  @Test("A file of random bytes is an error with a location")
  func binary() {
    var seed: UInt32 = 1
    let bytes = (0..<100_000).map { _ -> UInt8 in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: seed >> 24)
    }
    let error = #expect(throws: PlanError.self) {
      try Manifest(parsing: SourceText(name: "rubbish", bytes: bytes))
    }
    #expect(error?.description.hasPrefix("rubbish:1:") == true)
  }

  @Test("1 MB of brackets are one error, at the first bracket that is too deep")
  func brackets() {
    let source = SourceText(name: "deep", bytes: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
    // The macros describe each error they catch, and a description of this one takes a minute.
    var found: [Diagnostic] = []
    do { _ = try Manifest(parsing: source) } catch { found = error.diagnostics }
    #expect(found.map(\.range.start) == [512])
  }

  @Test("A file that cannot be read has an error of its own")
  func unreadable() {
    #expect(throws: ManifestUnreadable.self) { try Manifest(reading: "/nowhere/commands.json") }
    #expect(throws: ManifestUnreadable.self) { try Manifest(reading: "/") }
    let error = #expect(throws: ManifestUnreadable.self) {
      try StartupCommandsBuilder(reading: "/nowhere/commands.json", registry: registry)
    }
    #expect(error?.path == "/nowhere/commands.json")
    #expect(error?.description.contains("/nowhere/commands.json") == true)
  }

  @Test(
    "A manifest without commands is one error, also if a key resembles them",
    arguments: [
      ("{}", "the manifest has no \"commands\""), ("{\"x-commands\":[]}", "the manifest has no \"commands\""),
      ("{\"comands\":[]}", "unknown key \"comands\" in a manifest"),
      ("{\"scripts\":{}}", "unknown key \"scripts\" in a manifest"),
    ])
  func noCommands(text: String, message: String) throws {
    let problems = try Manifest(parsing: SourceText(name: "commands.json", text: text)).problems
    #expect(problems.shown.map(\.message) == [message])
  }

  @Test("All mistakes of a manifest are reported together, in the order of the file")
  func manyMistakes() throws {
    let source = SourceText(name: "commands.json", bytes: try Fixture.bytes(of: "many-mistakes.json"))
    let registry = CommandRegistry(Plain.self, Other.self, Kinds.self, Required.self)
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(manifest: Manifest(parsing: source), registry: registry).build()
    }
    try Fixture.expect(error?.description ?? "", is: "many-mistakes.txt")
  }

  @Test("A manifest error lists each mistake with its line, its column and the corrections")
  func mistakes() throws {
    let text = """
      { "version": 1, "commands": [
        "Plain",
        "Pain"
      ] }
      """
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(parsing: text, name: "boot.json", registry: registry).build()
    }
    let mistake = try #require(error?.mistakes.first)
    #expect(error?.mistakes.count == 1)
    #expect(mistake.file == "boot.json")
    #expect(mistake.line == 3 && mistake.column == 3)
    #expect(mistake.message == "unknown command \"Pain\"")
    #expect(mistake.help.first == "did you mean \"Plain\"?")
  }
}
