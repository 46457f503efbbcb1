import AppBoot
import Testing

@Suite("Texts that are no manifest")
struct ManifestFormTests {
  private let registry = CommandRegistry(Plain.self, Other.self)

  @Test(
    "Each gets one message of its own",
    arguments: [
      ("[]", "1:1: a manifest is an object, not an array | write { \"version\": 1, \"commands\": [ … ] }"),
      ("\"x\"", "1:1: a manifest is an object, not a string | write { \"version\": 1, \"commands\": [ … ] }"),
      ("5", "1:1: a manifest is an object, not a number | write { \"version\": 1, \"commands\": [ … ] }"),
      ("null", "1:1: a manifest is an object, not null | write { \"version\": 1, \"commands\": [ … ] }"),
    ])
  func otherValues(text: String, message: String) {
    #expect(problems(in: text, registry) == [message])
  }

  @Test("An empty file and one of spaces are errors, not empty launches", arguments: ["", " ", "\n\t \r\n"])
  func empty(text: String) {
    #expect(throws: ManifestError.self) { try Manifest(parsing: SourceText(name: "f", text: text)) }
    #expect(problems(in: text, registry).count == 1)
  }

  @Test("Binary rubbish is an error with a place")
  func binary() {
    var seed: UInt32 = 1
    let bytes = (0..<100_000).map { _ -> UInt8 in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: seed >> 24)
    }
    let error = #expect(throws: ManifestError.self) {
      try Manifest(parsing: SourceText(name: "rubbish", bytes: bytes))
    }
    #expect(error?.description.hasPrefix("rubbish:1:1: error: ") == true)
  }

  @Test("50 MB of brackets are one error, at the depth where reading stopped")
  func brackets() {
    let source = SourceText(name: "deep", bytes: [UInt8](repeating: UInt8(ascii: "["), count: 50_000_000))
    // What the macros keep of an error they describe, and describing this one takes a minute.
    var found: [Diagnostic] = []
    do { _ = try Manifest(parsing: source) } catch { found = error.diagnostics }
    #expect(found.map(\.range.start) == [512])
  }

  @Test("A file that cannot be read is not a manifest with mistakes")
  func unreadable() {
    #expect(throws: ManifestUnreadable.self) { try Manifest(reading: "/nowhere/commands.json") }
    #expect(throws: ManifestUnreadable.self) { try Manifest(reading: "/") }
    let error = #expect(throws: ManifestUnreadable.self) {
      try StartupCommandsBuilder(reading: "/nowhere/commands.json", registry: registry)
    }
    #expect(error?.path == "/nowhere/commands.json")
    #expect(error?.description.contains("/nowhere/commands.json") == true)
  }

  @Test("Every mistake of a manifest is shown at once, in the order of the file")
  func manyMistakes() throws {
    let source = SourceText(name: "commands.json", bytes: try Fixture.bytes(of: "many-mistakes.json"))
    let registry = CommandRegistry(Plain.self, Other.self, Kinds.self, Required.self)
    let error = #expect(throws: ManifestError.self) {
      try StartupCommandsBuilder(manifest: Manifest(parsing: source), registry: registry).build()
    }
    try Fixture.expect(error?.description ?? "", is: "many-mistakes.txt")
  }
}
