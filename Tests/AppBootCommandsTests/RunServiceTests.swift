import Testing

@testable import AppBootCommands

@Suite("RunService")
struct RunServiceTests {
  private func problems(_ restart: String) throws -> [String] {
    try TestLaunch(
      #"[ { "command": "RunService", "with": { "arguments": ["a"], "restart": \#(restart) } } ]"#
    ).problems()
  }

  @Test("A restart without its condition is an error", arguments: ["{}", #"{ "attempts": 3 }"#])
  func restart(policy: String) throws {
    #expect(try problems(policy) == [#""restart" needs "when""#])
  }

  @Test("A restart with its condition is valid", arguments: ["onFailure", "always", "never"])
  func condition(when: String) throws {
    #expect(try problems(#"{ "when": "\#(when)", "attempts": 3 }"#) == [])
  }
}
