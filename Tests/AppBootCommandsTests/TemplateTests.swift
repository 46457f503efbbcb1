import Testing

@testable import AppBootCommands

@Suite("Templates with placeholders")
struct TemplateTests {
  @Test(
    "A template replaces its placeholders and nothing else",
    arguments: [
      ("", ""), ("plain", "plain"), ("{a}", "1"), ("x{a}y{b}z", "x1y2z"), ("{a}{a}", "11"),
      ("{{a}}", "{a}"), ("{{{a}}}", "{1}"), ("line\n{b}", "line\n2"), ("{{", "{"), ("}}", "}"),
      ("é{a}", "é1"),
    ])
  func fills(text: String, expected: String) throws {
    let placeholders = Placeholders(values: ["a": "1", "b": "2"], environment: { _ in nil })
    #expect(try Template(text).filled(placeholders.value) == expected)
  }

  @Test("Values are not searched for placeholders")
  func once() throws {
    let placeholders = Placeholders(values: ["a": "{b} {{"], environment: { _ in nil })
    #expect(try Template("{a}").filled(placeholders.value) == "{b} {{")
  }

  @Test(
    "An unmatched brace is an error",
    arguments: [
      ("a {b", #""{b" has no "}": write "{{" for the brace itself"#),
      ("a {b {c}", #""{b {c}" has no "}": write "{{" for the brace itself"#),
      ("a } b", #"a "}" has no "{": write "}}" for the brace itself"#),
      ("a {} b", #""{}" names nothing: write "{{}}" for the braces themselves"#),
    ])
  func mistakes(text: String, expected: String) {
    let error = #expect(throws: TemplateError.self) { try Template(text) }
    #expect(error?.description == expected)
  }

  @Test("All errors of a template are reported, each once")
  func allMistakes() {
    #expect(Template.problems(in: "{} {a} } {} }") == [.unnamed, .unopened])
    #expect(Template.problems(in: "{a {b} {") == [.unclosed("a {b} {"), .unclosed("")])
    #expect(Template.problems(in: "{x {y}}") == [.unclosed("x {y}}")])
    #expect(Template.problems(in: "{a\nb} {c}") == [.unclosed("a")])
    #expect(Template.problems(in: String(repeating: "{ ", count: 100_000)).count <= 16)
    #expect(Template.problems(in: "{a} {{ }}").isEmpty && Template.problems(in: nil).isEmpty)
  }

  @Test("An unknown placeholder is reported with the known ones")
  func unknown() throws {
    let placeholders = Placeholders(
      values: ["id": "1", "launch.reason": "url"], environment: { $0 == "HOME" ? "/root" : nil })
    #expect(try Template("{env.HOME}").filled(placeholders.value) == "/root")
    let unset = #expect(throws: PlaceholderError.self) {
      try Template("{env.NONE}").filled(placeholders.value)
    }
    #expect(unset == .variableNotSet("NONE"))
    let error = #expect(throws: PlaceholderError.self) {
      try Template("{launch.raeson}").filled(placeholders.value)
    }
    #expect(
      error?.description == "unknown placeholder {launch.raeson}: did you mean {launch.reason}? "
        + "the placeholders are {id}, {launch.reason}, {env.NAME}")
  }
}
