import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("RunService", .ownThread)
struct RunServiceTests {
  private func problems(_ restart: String) throws -> [String] {
    try TestLaunch(
      #"[ { "command": "RunService", "with": { "arguments": ["a"], "restart": \#(restart) } } ]"#
    ).problems()
  }

  @Test("A restart without its condition is an error", arguments: ["{}", #"{ "attempts": 3 }"#])
  func restart(policy: String) throws {
    #expect(try problems(policy) == [#""restart": give "when" or "with", or both"#])
  }

  @Test("A restart with its condition is valid", arguments: ["onFailure", "always", "never"])
  func condition(when: String) throws {
    #expect(try problems(#"{ "when": "\#(when)", "attempts": 3 }"#) == [])
  }

  @Test("A number of restarts that is out of range is an error", arguments: [0, -1, 1_000_001])
  func attempts(count: Int) throws {
    #expect(
      try problems(#"{ "when": "always", "attempts": \#(count) }"#)
        == [#""restart.attempts" must be a whole number from 1 to 1000000, not \#(count)"#])
  }

  @Test("A first wait that is longer than the longest one is an error")
  func backoff() throws {
    #expect(
      try problems(#"{ "when": "always", "backoff": "50s" }"#)
        == [#""restart.backoff" must not be longer than "maxBackoff", which is 30s: set both"#])
    #expect(try problems(#"{ "when": "always", "backoff": "50s", "maxBackoff": "50s" }"#) == [])
  }

  @Test("A service that is named twice in \"with\" is an error")
  func twice() throws {
    let problems = try TestLaunch(
      #"""
      [ { "command": "RunService", "id": "a", "with": { "arguments": ["a"] } },
        { "command": "RunService", "id": "b",
          "with": { "arguments": ["b"], "restart": { "with": ["a", "a"] } } } ]
      """#
    ).problems()
    #expect(problems == [#""restart.with[1]": name each service once"#])
  }

  @Test(
    "An unknown signal is an error with the closest one",
    arguments: [
      ("TREM", #"did you mean "TERM"?"#), ("please", "write the name of one, such as TERM, INT or QUIT"),
    ])
  func signal(name: String, advice: String) throws {
    let problems = try TestLaunch(
      #"[ { "command": "RunService", "with": { "arguments": ["a"], "stop": { "signal": "\#(name)" } } } ]"#
    ).problems()
    #expect(problems == [#""stop.signal": "\#(name)" is not a signal: \#(advice)"#])
  }

  @Test(
    "A number or STOP as the stop signal is an error",
    arguments: [
      ("9", #""stop.signal" must be the name of a signal such as "TERM", not a number"#),
      (#""STOP""#, #""stop.signal": STOP only suspends a process: write TERM, INT or QUIT"#),
    ])
  func noStop(signal: String, problem: String) throws {
    let problems = try TestLaunch(
      #"[ { "command": "RunService", "with": { "arguments": ["a"], "stop": { "signal": \#(signal) } } } ]"#
    ).problems(withHelp: true)
    #expect(problems == [problem])
  }
}
