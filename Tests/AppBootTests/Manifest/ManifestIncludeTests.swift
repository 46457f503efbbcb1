import AppBootSchema
import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The files that a manifest includes", .ownThread)
final class ManifestIncludeTests: Sendable {
  private struct Named: Command {
    @Parameter("The text.") var text: String

    func execute(in context: LaunchContext) {}
  }

  private let directory: String
  private let registry = CommandRegistry(Plain.self, Other.self, Named.self)

  init() throws { directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-include") }

  deinit { try? FileSystem.removeTree(directory) }

  private func path(_ name: String) -> String { FileSystem.join(directory, name) }

  private func write(_ name: String, _ text: String) throws {
    try FileSystem.createDirectory(FileSystem.directory(of: path(name)), mode: 0o700, parents: true)
    try FileSystem.writeFile(atomically: Array(text.utf8), to: path(name))
  }

  private func plan(_ text: String) throws -> LaunchPlan {
    try StartupCommandsBuilder(parsing: text, name: path("main.json"), registry: registry).build()
  }

  /// Returns the problems as `file:line:column: message | help @ file:line:column: note`, with paths in the directory.
  private func problems(_ text: String, name: String = "main.json") throws -> [String] {
    let source = SourceText(name: path(name), text: text)
    let manifest = try Manifest(parsing: source)
    let found = StartupCommandsBuilder(manifest: manifest, registry: registry).problems().shown
    let files = SourceFiles(manifest.source)
    func place(_ range: SourceRange) -> String {
      let (lines, range) = files.place(of: range)
      return "\(lines.source.name.dropFirst(directory.count + 1)):\(lines.location(of: Int(range.start)))"
    }
    return found.map { problem in
      let notes = problem.notes.map { " @ \(place($0.range)): \($0.message)" }
      return "\(place(problem.range)): \(problem.message)" + problem.help.map { " | \($0)" }.joined()
        + notes.joined()
    }
  }

  private func entry(_ id: String, _ members: String = "") -> String {
    #"{ "command": "Plain", "id": "\#(id)"\#(members) }"#
  }

  @Test(
    "The entries of included files come first, in list order, and after those of their own includes")
  func order() throws {
    try write("a.json", #"{ "include": ["sub/deep.json"], "commands": [\#(entry("a"))] }"#)
    try write("sub/deep.json", #"{ "include": ["beside.json"], "commands": [\#(entry("deep"))] }"#)
    try write("sub/beside.json", #"{ "commands": [\#(entry("beside"))] }"#)
    try write("b.json", #"{ "commands": [\#(entry("b", #", "after": ["beside"]"#))] }"#)
    let plan = try plan(#"{ "commands": [\#(entry("main"))], "include": ["a.json", "b.json"] }"#)
    #expect(plan.map(\.id) == ["beside", "deep", "a", "b", "main"])
    #expect(plan.indices.map { Array(plan.outline.predecessors(of: $0)) } == [[], [0], [1], [0], [3]])
  }

  @Test("A manifest that includes others needs no commands of its own")
  func noCommands() throws {
    try write("a.json", #"{ "commands": ["Plain"] }"#)
    #expect(try plan(#"{ "include": ["a.json"] }"#).count == 1)
    #expect(try problems(#"{ "include": [] }"#).count == 1)
  }

  @Test("The handlers of an event come from all files")
  func events() throws {
    try write(
      "a.json", #"{ "commands": [], "on": { "openURL": ["Plain"], "didEnterBackground": ["Plain"] } }"#)
    let plan = try plan(#"{ "include": ["a.json"], "commands": [], "on": { "openURL": ["Other"] } }"#)
    #expect(plan.events["openURL"]?.map(\.id) == ["Plain", "Other"])
    #expect(plan.events["didEnterBackground"]?.map(\.id) == ["Plain"])
  }

  @Test(
    "The defaults of a file apply to its own entries; the name and the limits of an included file are ignored"
  )
  func ownDefaults() throws {
    try write(
      "a.json", #"{ "name": "A", "timeout": "1h", "defaults": { "timeout": "1s" }, "commands": ["Plain"] }"#)
    let plan = try plan(#"{ "name": "M", "include": ["a.json"], "commands": ["Other"] }"#)
    #expect(plan.name == "M")
    #expect(plan.timeoutTime == nil)
    #expect(plan[0].timeout == .seconds(1))
    #expect(plan[1].timeout == nil)
  }

  @Test("Each problem and each of its notes names its own file and line")
  func places() throws {
    try write("a.json", "{ \"commands\": [\n  \"Plain\", \"Nothing\" ] }")
    try write(
      "b.json",
      "{ \"commands\": [\n\n    \"Plain\", { \"command\": \"Named\", \"with\": {} } ],\n \"nme\": 1 }")
    let found = try problems("{ \"include\": [\"a.json\", \"b.json\"],\n\"commands\": [\"Other\", 5] }")
    #expect(found.count == 5)
    #expect(found[0].hasPrefix("main.json:2:23: an entry is a command's name or an object"))
    #expect(found[1].hasPrefix("a.json:2:12: unknown command \"Nothing\""))
    #expect(found[2].hasPrefix("b.json:3:5: two entries have the id \"Plain\""))
    #expect(found[2].hasSuffix(" @ a.json:2:3: the first one"))
    #expect(found[3].hasPrefix("b.json:3:27: Named needs "))
    #expect(found[4].hasPrefix("b.json:4:2: unknown key \"nme\" in a manifest"))
  }

  @Test("A mistake in the text of an included file is reported with the others")
  func notJSON() throws {
    try write("a.json", "{ \"commands\": [\n  \"Plain\" \"Other\" ] }")
    try write("empty.json", " \n")
    let found = try problems(#"{ "include": ["a.json", "empty.json"], "commands": ["Nothing"] }"#)
    #expect(found.count == 3)
    #expect(found[1].hasPrefix("a.json:2:"))
    #expect(found[2].hasPrefix("empty.json:1:1: the manifest is empty"))
  }

  @Test("The error for a duplicate key in an included file shows both places")
  func duplicateKey() throws {
    try write("a.json", "{ \"commands\": [],\n \"name\": \"a\",\n \"name\": \"b\" }")
    #expect(
      try problems(#"{ "include": ["a.json"] }"#) == [
        #"a.json:3:2: duplicate key "name" | remove one of the two, or rename it @ a.json:2:2: the first is here"#
      ])
  }

  @Test("A variable is secret if any file's secretPattern matches it")
  func secretPatterns() throws {
    try write("a.json", #"{ "secretPattern": "^(A|B)A_KEY$", "commands": [] }"#)
    let text = #"{ "include": ["a.json"], "secretPattern": "^(TOKEN)$", "commands": ["Other"] }"#
    let plan = try StartupCommandsBuilder(parsing: text, name: path("main.json"), registry: registry)
      .environment(["TOKEN": "own-value", "AA_KEY": "included-value", "AB_KEY": "plain-value"]).build()
    let shown = plan.environment.secrets.masking("own-value included-value plain-value")
    #expect(shown == "*** *** plain-value")
  }

  @Test("A file that cannot be read is an error at its path in the manifest")
  func unreadable() throws {
    let found = try problems("{ \"commands\": [],\n\"include\": [\"no.json\"] }")
    #expect(found.count == 1)
    #expect(found[0].hasPrefix(#"main.json:2:13: "no.json" cannot be read: "#))
    #expect(found[0].hasSuffix(#" | a path in "include" is relative to the directory of its own file"#))
  }

  @Test("Files that include each other are an error that names them in order")
  func cycle() throws {
    let main = #"{ "include": ["a.json"], "commands": [] }"#
    try write("main.json", main)
    try write("a.json", #"{ "include": ["sub/b.json"], "commands": [] }"#)
    try write("sub/b.json", #"{ "include": ["../main.json"], "commands": [] }"#)
    let found = try problems(main)
    let names = ["main.json", "a.json", "sub/b.json", "main.json"].map(path).joined(separator: " → ")
    #expect(
      found == [
        #"sub/b.json:1:15: these files include each other: \#(names) | remove it from this "include""#
      ])
    // The manifest is not in the cycle.
    let other = try problems(#"{ "include": ["sub/b.json"] }"#, name: "other.json")
    #expect(other.count == 1 && other[0].hasPrefix("sub/../a.json:1:15: these files include each other: "))
    #expect(other[0].contains(": \(path("sub/b.json")) → "))
    try write("self.json", #"{ "include": ["./self.json"], "commands": [] }"#)
    #expect(
      try problems(#"{ "include": ["self.json"] }"#, name: "other.json") == [
        #"self.json:1:15: this file includes itself | remove it from this "include""#
      ])
  }

  @Test("A file that is included twice is an error, even by another path")
  func twice() throws {
    try write("a.json", #"{ "commands": [] }"#)
    let up = "../\(FileSystem.lastComponent(directory))/a.json"
    try write("b.json", #"{ "commands": [], "include": ["\#(up)"] }"#)
    let found = try problems(#"{ "include": ["a.json", "b.json"] }"#)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("b.json:1:31: "))
    #expect(
      found[0].contains(
        #"a.json" is included twice | remove it from one "include" @ main.json:1:15: the first"#))
  }

  @Test(
    "A value that is not a list of paths is an error",
    arguments: [
      (
        #""a.json""#, #"main.json:1:14: "include" must be a list of strings, not a string | write ["a.json"]"#
      ),
      ("5", #"main.json:1:14: "include" must be a list of strings, not a number"#),
      ("[5]", #"main.json:1:15: "include[0]" must be a string, not a number | write "5""#),
      (#"[""]"#, #"main.json:1:15: "include[0]" must not be empty"#),
      (#"["a\u0000"]"#, #"main.json:1:15: "include[0]" must not contain a zero byte"#),
    ])
  func form(value: String, message: String) throws {
    #expect(try problems(#"{ "include": \#(value), "commands": [] }"#) == [message])
  }

  @Test("The digest changes if an included file changes, and a record keeps the file of each step")
  func record() throws {
    let text = "{ \"include\": [\"a.json\"],\n\"commands\": [\"Other\"] }"
    try write("a.json", #"{ "commands": ["Plain"] }"#)
    let first = try plan(text)
    try write("a.json", #"{ "commands": [ "Plain"] }"#)
    let second = try plan(text)
    #expect(first.outline.manifestDigest != second.outline.manifestDigest)
    let alone = try plan(#"{ "commands": ["Other"] }"#).outline
    #expect(alone.locations()[0]?.file == nil)
    let record = LaunchRunner(second).runBlocking()
    let locations = try LaunchRecord(json: record.json()).outline.locations()
    #expect(locations.map { $0?.file } == [path("a.json"), nil])
    #expect(locations.map { $0?.description } == ["1:17", "2:14"])
    #expect(locations == record.outline.locations())
  }

  @Test("An error names the file of each problem")
  func formats() throws {
    try write("a.json", "{ \"commands\": [\n  \"Nothing\" ] }")
    let error = #expect(throws: PlanError.self) {
      try plan(#"{ "include": ["a.json"], "commands": ["No"] }"#)
    }
    let text = error?.description ?? ""
    #expect(text.contains("\(path("main.json")):1:39: error: unknown command \"No\""))
    #expect(text.contains("\(path("a.json")):2:3: error: unknown command \"Nothing\""))
    #expect(error?.mistakes.map(\.file) == [path("main.json"), path("a.json")])
    #expect(error?.mistakes.map(\.line) == [1, 2])
  }

  @Test("Commands with equal parameters in two files are read from their own file")
  func parameters() throws {
    func entries(_ prefix: String, _ count: Int) -> String {
      (0..<count).map { #"{ "command": "Named", "id": "\#(prefix)\#($0)", "with": { "text": "x" } }"# }
        .joined(separator: ", ")
    }
    try write("a.json", #"{ "commands": [\#(entries("a", 100))] }"#)
    let plan = try plan(#"{ "include": ["a.json"], "commands": [\#(entries("m", 1))] }"#)
    #expect(plan.count == 101)
  }
}
