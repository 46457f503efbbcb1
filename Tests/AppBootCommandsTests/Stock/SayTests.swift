import AppBoot
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("Say", .ownThread)
struct SayTests {
  private func announcement(
    _ text: String, before: String = "", _ change: (inout TestLaunch) -> Void = { _ in }
  ) throws -> String? {
    var launch = TestLaunch(#"[ \#(before) { "command": "Say", "with": { "text": \#(text) } } ]"#)
    change(&launch)
    let record = try launch.run()
    return record["Say"]?.details.announcement ?? record.failures.first?.state.failure?.message
  }

  @Test("The text of a step is announced, as a string or as lines")
  func text() throws {
    #expect(try announcement(#""Open http://localhost""#) == "Open http://localhost")
    #expect(
      try announcement(#"["Web  http://a", "", "Docs {{http://b}}"]"#) == "Web  http://a\n\nDocs {http://b}")
  }

  @Test("Placeholders have the values of the environment, of the launch and of earlier commands")
  func placeholders() throws {
    let text = #""{env.PORT} {launch.reason} {launch.url}|{context.theme} {context.accent}""#
    let appearance = ##"{ "command": "Appearance", "with": { "theme": "dark", "accent": "#FF8000" } },"##
    let found = try announcement(text, before: appearance) { launch in
      launch.environment = ["PORT": "80"]
      launch.options = LaunchOptions(url: "a://b")
    }
    #expect(found == "80 url a://b|dark #FF8000")
  }

  @Test("The failure names the step that could have provided the value of a placeholder")
  func notProvided() throws {
    let found = try announcement(
      #""in {context.appearance}""#,
      before: #"{ "command": "Appearance", "when": { "platform": "ios" }, "with": { "theme": "dark" } },"#)
    let words = "\"Appearance\" did not provide it in this launch"
    #expect(
      found
        == "the placeholder {context.appearance} has no value: \(words); add a \"when\" that skips this step then"
    )
  }

  @Test("A placeholder without a value fails the step")
  func noValue() throws {
    #expect(
      try announcement(#""{env.PORT}""#) { $0.environment = [:] }
        == "the placeholder {env.PORT} has no value: the environment variable PORT is not set")
    #expect(
      try announcement(#""{context.port}""#)?.hasPrefix("the placeholder {context.port} has no value") == true
    )
  }

  @Test(
    "A mistake in the text is reported before the launch",
    arguments: [
      (#"{}"#, #"Say needs "text""#),
      (#"{ "text": 5 }"#, #""text" must be a string, or a list of strings, not a number"#),
      (#"{ "text": "{" }"#, #""text": "{" has no "}": write "{{" for the brace itself"#),
      (
        #"{ "text": "{lunch.url}" }"#,
        #""text": unknown placeholder {lunch.url}: did you mean {launch.url}? the placeholders are {launch.payload}"#
      ),
      (#"{ "text": "{screen}" }"#, #""text": unknown placeholder {screen}: "#),
      (#"{ "text": "{env.}" }"#, #""text": unknown placeholder {env.}: "#),
      (#"{ "text": "{context.}" }"#, #""text": unknown placeholder {context.}: "#),
    ])
  func mistakes(parameters: String, message: String) throws {
    let problems = try TestLaunch(#"[ { "command": "Say", "with": \#(parameters) } ]"#).problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
  }

  @Test("A placeholder for a value that a later command provides is an error before the launch")
  func order() throws {
    let problems = try TestLaunch(
      #"[ { "command": "Say", "with": { "text": "{context.appearance}" } }, "Appearance" ]"#
    ).problems()
    #expect(problems == [#""text": {context.appearance} has no value before "Appearance" provides it"#])
  }
}
