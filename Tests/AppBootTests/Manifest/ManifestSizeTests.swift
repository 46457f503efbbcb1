import AppBootSchema
import Testing
import AppBootTestSupport

@testable import AppBoot

/// A command with a list and a dictionary.
private struct Lists: Command {
  @Parameter("Texts.")
  var texts: [String] = []
  @Parameter("Texts by name.")
  var named: [String: String] = [:]
  @Parameter("Times.")
  var times: [Duration] = []

  func validate(_ validation: inout ParameterValidation) {
    for (index, text) in texts.enumerated() where text.isEmpty {
      validation.reject("give a text", at: "texts", .index(index))
    }
  }

  func execute(in context: LaunchContext) {}
}

@Suite("Manifests with many mistakes", .ownThread)
struct ManifestSizeTests {
  private let registry = CommandRegistry(Lists.self, Plain.self)

  private func found(_ parameters: String) throws -> Diagnostics {
    let text = manifest(of: Lists.self, with: parameters)
    let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: text))
    return StartupCommandsBuilder(manifest: manifest, registry: registry).problems()
  }

  private func list(_ element: String, _ count: Int) -> String {
    "[\([String](repeating: element, count: count).joined(separator: ","))]"
  }

  @Test("Each wrong element of a long list is counted once")
  func elements() throws {
    #expect(try found(#"{ "texts": \#(list("1", 30_000)) }"#).errorCount == 30_000)
    #expect(try found(#"{ "times": \#(list("\"x\"", 3000)) }"#).errorCount == 3000)
    #expect(try found(#"{ "texts": \#(list("\"\"", 3000)) }"#).errorCount == 3000)
  }

  @Test("A wrong element of a long list is not rejected a second time")
  func mixed() throws {
    let elements = (0..<2000).map { $0 % 2 == 0 ? "1" : "\"\"" }
    #expect(try found("{ \"texts\": [\(elements.joined(separator: ","))] }").errorCount == 2000)
    let problems = try found("{ \"texts\": [\(elements.prefix(50).joined(separator: ","))] }")
    #expect(problems.errorCount == 50)
    #expect(problems.shown[0].message == #""texts[0]" must be a string, not a number"#)
    #expect(problems.shown[1].message == #""texts[1]": give a text"#)
  }

  @Test("Each wrong member of a long object is counted once")
  func members() throws {
    let members = (0..<20_000).map { "\"n\($0)\": 1" }.joined(separator: ",")
    #expect(try found("{ \"named\": { \(members) } }").errorCount == 20_000)
  }

  @Test("A long object is decoded in the order of its members, whatever its keys are")
  func decodes() throws {
    let members = (0..<2000).map { "\"n\($0)\": \"v\($0)\"" }.joined(separator: ",")
    let command = try decoded(Lists.self, with: "{ \"named\": { \(members), \"é\": \"e\" } }")
    #expect(command.named.count == 2001 && command.named["n1999"] == "v1999" && command.named["é"] == "e")
  }

  @Test("Equal keys are counted, and the first of them are shown")
  func equalKeys() throws {
    let members = [String](repeating: "\"key\": 1", count: 5000).joined(separator: ",")
    let manifest = try Manifest(parsing: SourceText(name: "m", text: "{ \"commands\": [], \(members) }"))
    // Each is an unknown key, and each but the first one a duplicate.
    #expect(manifest.problems.errorCount == 9999)
    #expect(manifest.problems.shown.count == 101)
  }

  @Test("An error of a manifest lists the first 100 mistakes and the number of the others")
  func error() throws {
    let entries = list(#"{ "command": "Unknown" }"#, 1000)
    let text = "{ \"commands\": \(entries) }"
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(parsing: text, registry: registry).build()
    }
    #expect(error?.mistakes.count == 100)
    // A duplicate id for each entry but the first one comes to the unknown command of each.
    #expect(error?.description.contains("note: and 1899 more problems") == true)
  }

  @Test("The path of a long cycle has its first ids")
  func cycle() {
    let entries = (0..<5000).map {
      "{ \"command\": \"Plain\", \"id\": \"e\($0)\", \"after\": [\"e\(($0 + 1) % 5000)\"] }"
    }
    let text = "{ \"commands\": [\(entries.joined(separator: ","))] }"
    let path = problems(in: text, registry).first
    #expect(path?.contains("e0 → e1 → ") == true)
    #expect(path?.contains("e98 → e99 and 4900 more → e0") == true)
  }
}
