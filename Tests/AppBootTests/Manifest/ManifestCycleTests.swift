import AppBoot
import Testing

@Suite("Cycles in a manifest")
struct ManifestCycleTests {
  /// Returns the problems of entries in the form `id` or `id: after after`; `id:` has an empty `after`.
  private func found(_ entries: String...) -> [String] {
    let lines = entries.map { entry -> String in
      let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return "{ \"id\": \"\(entry)\", \"command\": \"Plain\" }" }
      let ids = parts[1].split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
      return "{ \"id\": \"\(parts[0])\", \"command\": \"Plain\", \"after\": [\(ids)] }"
    }
    return problems(
      in: "{ \"commands\": [\n\(lines.joined(separator: ",\n"))\n] }", CommandRegistry(Plain.self))
  }

  private let help = " | each waits for the next; remove one id from an \"after\""

  @Test("A cycle is reported whole, beginning with its first entry in the file")
  func whole() {
    #expect(
      found("x:", "c: a", "a: b", "b: c") == ["3:9: these entries wait for each other: c → a → b → c\(help)"])
  }

  @Test("An entry that waits for itself has its own message")
  func itself() {
    #expect(
      found("a", "b: b") == [
        "3:9: this entry waits for itself: b → b | remove its own id from its \"after\""
      ])
  }

  @Test("Of several connected cycles, the shortest one through a step is reported")
  func shortest() {
    #expect(
      found("a: d c", "b: a", "c: b", "d: a")
        == ["2:9: these entries wait for each other: a → d → a\(help)"])
    #expect(
      found("a: b", "b: c", "c: a d", "d: c")
        == ["2:9: these entries wait for each other: a → b → c → a\(help)"])
  }

  @Test("The notes of a cycle explain its implicit dependencies")
  func implicit() {
    #expect(
      found("a: c", "b", "c") == [
        "2:9: these entries wait for each other: a → c → b → a\(help)"
          + " @ 4:9: \"c\" has no \"after\", so it comes after the entry above it"
          + " @ 3:9: \"b\" has no \"after\", so it comes after the entry above it"
      ])
  }

  @Test("Independent cycles are all reported, in the order of the file")
  func several() {
    #expect(
      found("a: b", "b: a", "between: b", "c: between d", "d: e", "e: c", "f: f") == [
        "2:9: these entries wait for each other: a → b → a\(help)",
        "5:9: these entries wait for each other: c → d → e → c\(help)",
        "8:9: this entry waits for itself: f → f | remove its own id from its \"after\"",
      ])
  }

  @Test("At most 16 cycles are reported, and one entry of the next")
  func many() {
    let lines = (0..<20).map { index in
      "{ \"id\": \"s\(index)\", \"command\": \"Plain\", \"after\": [\"s\(index)\"] }"
    }
    let problems = problems(
      in: "{ \"commands\": [\n\(lines.joined(separator: ",\n"))\n] }", CommandRegistry(Plain.self))
    #expect(problems.count == 17)
    #expect(
      problems.last == "18:9: there are more cycles, and this entry is in one of them"
        + " | 16 cycles are reported at a time: correct those first")
  }

  @Test("Cycles are reported together with unknown and duplicate ids")
  func withOtherMistakes() {
    #expect(
      found("a: b", "b: a nobody", "twin:", "twin:", "c: twin c") == [
        "2:9: these entries wait for each other: a → b → a\(help)",
        "3:49: no entry has the id \"nobody\" | the ids here are a, b, twin, c",
        "5:9: two entries have the id \"twin\" | give one of them an \"id\" of its own @ 4:9: the first one",
        "6:9: this entry waits for itself: c → c | remove its own id from its \"after\"",
      ])
  }

  @Test("A cycle through a duplicate id is reported with the entry that the id refers to")
  func throughDuplicate() {
    #expect(
      found("a: b", "b: a", "a") == [
        "2:9: these entries wait for each other: a → b → a\(help)",
        "4:9: two entries have the id \"a\" | give one of them an \"id\" of its own @ 2:9: the first one",
      ])
  }

  @Test("A cycle in event handlers is reported")
  func inEvents() {
    let text = """
      { "commands": [], "on": { "openURL": [
        { "command": "Plain", "id": "a", "after": ["b"] }, { "command": "Plain", "id": "b", "after": ["a"] }] } }
      """
    #expect(
      problems(in: text, CommandRegistry(Plain.self))
        == ["2:31: these entries wait for each other: a → b → a\(help)"])
  }

  @Test("A wrong `after` is not reported as a cycle")
  func wrongAfter() {
    #expect(
      problems(
        in:
          #"{ "commands": [{ "command": "Plain", "after": ["Other"] }, { "command": "Other", "after": 5 }] }"#,
        CommandRegistry(Plain.self, Other.self)
      ).count == 1)
  }
}
