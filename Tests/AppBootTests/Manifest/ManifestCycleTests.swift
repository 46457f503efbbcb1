import AppBoot
import Testing

@Suite("Cycles in a manifest")
struct ManifestCycleTests {
  /// Entries as `id` or `id: after, after`; `id:` comes after nothing.
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

  private let help = " | each comes after the next; take one id out of an \"after\""

  @Test("A cycle is printed whole, from its first line in the file")
  func whole() {
    #expect(
      found("x:", "c: a", "a: b", "b: c") == ["3:9: these entries wait for each other: c → a → b → c\(help)"])
  }

  @Test("An entry that waits for itself is told so")
  func itself() {
    #expect(
      found("a", "b: b") == [
        "3:9: this entry waits for itself: b → b | take its own id out of its \"after\""
      ])
  }

  @Test("Of several ways round the shortest is shown, wherever it begins")
  func shortest() {
    #expect(
      found("a: d c", "b: a", "c: b", "d: a")
        == ["2:9: these entries wait for each other: a → d → a\(help)"])
    #expect(
      found("a: b", "b: c", "c: a d", "d: c")
        == ["4:9: these entries wait for each other: c → d → c\(help)"])
  }

  @Test("The edges that nobody wrote are explained")
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
        "8:9: this entry waits for itself: f → f | take its own id out of its \"after\"",
      ])
  }

  @Test("Of many cycles sixteen are told, and one entry of the next")
  func many() {
    let lines = (0..<20).map { index in
      "{ \"id\": \"s\(index)\", \"command\": \"Plain\", \"after\": [\"s\(index)\"] }"
    }
    let problems = problems(
      in: "{ \"commands\": [\n\(lines.joined(separator: ",\n"))\n] }", CommandRegistry(Plain.self))
    #expect(problems.count == 17)
    #expect(
      problems.last == "18:9: more entries than these wait for each other or for themselves, this one too"
        + " | 16 cycles are reported at a time: correct those first")
  }

  @Test("Cycles are found beside unknown and doubled ids")
  func besideOthers() {
    #expect(
      found("a: b", "b: a nobody", "twin:", "twin:", "c: twin c") == [
        "2:9: these entries wait for each other: a → b → a\(help)",
        "3:49: no entry has the id \"nobody\" | the ids here are a, b, twin, twin, c",
        "5:9: two entries have the id \"twin\" | give one of them an \"id\" of its own @ 4:9: the first one",
        "6:9: this entry waits for itself: c → c | take its own id out of its \"after\"",
      ])
  }

  @Test("A cycle through a doubled id is found, and says which entry it takes to be meant")
  func throughDoubled() {
    #expect(
      found("a: b", "b: a", "a") == [
        "2:9: these entries wait for each other: a → b → a\(help)"
          + " @ 2:9: of the entries with the id \"a\" this one is taken to be meant",
        "4:9: two entries have the id \"a\" | give one of them an \"id\" of its own @ 2:9: the first one",
      ])
  }

  @Test("A cycle in an event's list is found as well")
  func inEvents() {
    let text = """
      { "commands": [], "on": { "openURL": [
        { "command": "Plain", "id": "a", "after": ["b"] }, { "command": "Plain", "id": "b", "after": ["a"] }] } }
      """
    #expect(
      problems(in: text, CommandRegistry(Plain.self))
        == ["2:31: these entries wait for each other: a → b → a\(help)"])
  }

  @Test("A wrong `after` makes no cycle of its own")
  func wrongAfter() {
    #expect(
      problems(
        in:
          #"{ "commands": [{ "command": "Plain", "after": ["Other"] }, { "command": "Other", "after": 5 }] }"#,
        CommandRegistry(Plain.self, Other.self)
      ).count == 1)
  }
}
