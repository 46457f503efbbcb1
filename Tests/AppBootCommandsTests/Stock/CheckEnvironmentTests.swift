import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("CheckEnvironment", .ownThread)
struct CheckEnvironmentTests {
  private func launch(_ parameters: String) -> TestLaunch {
    TestLaunch(#"[ { "command": "CheckEnvironment", "with": \#(parameters) } ]"#)
  }

  private func findings(_ launch: TestLaunch) throws -> String? {
    let record = try launch.run()
    return record.failures.first?.state.failure.map { failure in
      #expect(failure.isMissingPrecondition)
      return failure.message
    }
  }

  @Test("A machine that has everything passes")
  func complete() throws {
    let directory = try TemporaryDirectory()
    try directory.write("a", "")
    var launch = launch(
      #"""
      { "programs": [{ "name": "sh" }, { "name": "/bin/sh" }], "variables": [{ "name": "A", "pattern": "^[0-9]+$" }],
        "files": [{ "path": "a" }, { "path": "." }], "disk": [{ "free": "1B" }], "memory": "1MiB",
        "system": ["linux", "macos"], "architecture": ["x86_64", "aarch64"] }
      """#)
    launch.directory = directory.path
    launch.environment = ["A": "12", "PATH": "/usr/bin:/bin"]
    let record = try launch.run()
    #expect(record.succeeded)
    #expect(record[0].details.note == "nothing is missing")
  }

  @Test("A check of nothing passes")
  func empty() throws { #expect(try launch("{}").run().succeeded) }

  @Test("All findings are reported at once, each with what to do")
  func all() throws {
    let directory = try TemporaryDirectory()
    let listener = try SocketListener()
    try directory.write("plain", "")
    var launch = launch(
      #"""
      { "programs": [{ "name": "no-such-program", "hint": "apt install it" }, { "name": "./plain" }],
        "variables": [{ "name": "A" }, { "name": "SECRET", "pattern": "^x", "hint": "begin it with x" }],
        "files": [{ "path": "b" }], "ports": [\#(listener.port)], "disk": [{ "free": "1000000TiB" }],
        "memory": "1000000TiB", "architecture": "pdp11" }
      """#)
    launch.directory = directory.path
    launch.environment = ["SECRET": "hunter2", "PATH": "/usr/bin:/bin"]
    let lines = try #require(try findings(launch)).split(separator: "\n").map(String.init)
    #expect(lines.first == "9 things are missing:")
    #expect(
      Array(lines[1...6]) == [
        #"  "no-such-program" is not in PATH: apt install it"#,
        #"  "./plain" is not executable: give it the permission (chmod +x)"#,
        "  the variable A is not set: set it",
        #"  the variable SECRET does not match "^x": begin it with x"#,
        #"  there is no file "b": create it"#,
        "  port \(listener.port) is in use: end the program that listens on it",
      ])
    #expect(lines[7].contains("are free at \".\", and 1000000 TiB are needed: delete files"))
    #expect(lines[8].contains("of memory are there, and 1000000 TiB are needed"))
    #expect(lines[9].hasPrefix("  the architecture is "))
    #expect(!lines.joined().contains("hunter2"))
  }

  @Test("A value that takes too long to match is a finding")
  func longValue() throws {
    var launch = launch(#"{ "variables": [{ "name": "A", "pattern": "(.*a){64}c" }] }"#)
    launch.environment = ["A": String(repeating: "a", count: 60_000)]
    let limit = try SearchExpression("(.*a){64}c").longestText
    #expect(
      try findings(launch)
        == "the variable A has more than \(limit) bytes, too many for \"(.*a){64}c\": use a simpler pattern, or none"
    )
  }

  @Test("A finding alone is the whole message")
  func one() throws {
    #expect(
      try findings(launch(#"{ "files": [{ "path": "/no/such" }] }"#))
        == #"there is no file "/no/such": create it"#)
  }

  @Test(
    "A program's version is compared with the requirement",
    arguments: [
      ("echo Python 3.11.4", ">=3.11", nil),
      ("echo v18.2.0 >&2; exit 1", ">=18 <19", nil),
      (
        "echo tool 3.9.2", ">=3.11",
        #""./tool" has version 3.9.2, and >=3.11 is needed: install a version that fits"#
      ),
      (
        "echo none", ">=1",
        #"the version of "./tool" is unknown, because `./tool --version` printed no number: "#
          + #"name the right arguments in "versionArguments""#
      ),
    ] as [(String, String, String?)])
  func versions(script: String, requirement: String, finding: String?) throws {
    let directory = try TemporaryDirectory()
    try directory.write("tool", "#!/bin/sh\n\(script)\n", mode: 0o755)
    var launch = launch(#"{ "programs": [{ "name": "./tool", "version": "\#(requirement)" }] }"#)
    launch.directory = directory.path
    #expect(try findings(launch) == finding)
  }

  @Test("Other arguments may print the version")
  func arguments() throws {
    let directory = try TemporaryDirectory()
    try directory.write("tool", "#!/bin/sh\necho $1$2\n", mode: 0o755)
    var launch = launch(
      #"{ "programs": [{ "name": "./tool", "version": "=1.5", "versionArguments": ["1", ".5"] }] }"#)
    launch.directory = directory.path
    #expect(try findings(launch) == nil)
  }

  @Test("A cancelled check kills the programs that it asked")
  func cancelled() throws {
    let directory = try TemporaryDirectory()
    try directory.write("tool", "#!/bin/sh\necho $$ > pid.new; mv pid.new pid; sleep 1000\n", mode: 0o755)
    var launch = TestLaunch(
      #"""
      [ { "command": "CheckEnvironment", "after": [], "with": {
            "programs": [{ "name": "./tool", "version": ">=1" }] } },
        { "command": "WaitFor", "after": [], "with": { "file": "pid" } },
        { "command": "RunProcess", "with": { "arguments": ["cat", "pid"] } } ]
      """#)
    launch.directory = directory.path
    let canceller = Canceller(afterStep: 2)
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [canceller]
    let runner = LaunchRunner(try launch.plan(), configuration: configuration)
    canceller.runner.withLock { $0 = runner }
    let record = runner.runBlocking()
    #expect(record[0].state.name == "cancelled")
    let pid = try #require(
      Int32(String(decoding: try FileSystem.readFile(directory.file("pid")), as: UTF8.self).dropLast()))
    #expect(isGone(pid))
  }

  @Test("A port may come from a variable")
  func variablePort() throws {
    let listener = try SocketListener()
    var launch = launch(#"{ "ports": ["{env.PORT}"] }"#)
    func finding(_ port: String?) throws -> String {
      launch.environment = port.map { ["PORT": $0] } ?? [:]
      return try launch.run().failures.first?.state.failure?.message ?? "no failure"
    }
    #expect(try finding("\(listener.port)").contains("port \(listener.port) is in use"))
    for wrong in ["70000", "0", "+5", "abc"] {
      let found = try finding(wrong)
      #expect(found.contains(#"the value of "{env.PORT}" is not a port: give a port from 1 to 65535"#))
      #expect(!found.contains(wrong + "\"") && !found.contains("+5") && !found.contains("abc"))
    }
    #expect(try finding(nil).contains("the environment variable PORT is not set"))
  }

  @Test(
    "A mistake in the parameters is reported before the launch",
    arguments: [
      (#"{ "ports": ["none"] }"#, #""ports[0]""#),
      (#"{ "ports": [0] }"#, #""ports[0]" must be a whole number from 1 to 65535, not 0"#),
      (#"{ "programs": [{}] }"#, #""programs[0]" needs "name""#),
      (
        #"{ "programs": ["git>=2"] }"#,
        #""programs[0].name" must be a program's name: write { "name": "git", "version": ">=2" }"#
      ),
      (
        #"{ "programs": [{ "name": "node >=20 <21" }] }"#,
        #""programs[0].name" must be a program's name: write { "name": "node", "version": ">=20 <21" }"#
      ),
      (
        #"{ "programs": [{ "name": "a", "version": "3" }] }"#,
        #""programs[0].version": "3" is not a version requirement"#
      ),
      (
        #"{ "variables": [{ "name": "A", "pattern": "(" }] }"#,
        #""variables[0].pattern" must be an extended regular"#
      ),
      (#"{ "disk": [{ "free": "10G" }] }"#, #""disk[0].free": unknown unit "G": write "10GiB""#),
      (#"{ "memory": 5 }"#, #""memory" must be a size such as "10GiB", not a number"#),
      (#"{ "system": "windows" }"#, #""system" cannot be "windows""#),
      (#"{ "architecture": [] }"#, #""architecture" must have at least one value"#),
    ])
  func mistakes(parameters: String, message: String) throws {
    let problems = try launch(parameters).problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
  }
}

/// An observer that cancels a launch when one of its steps succeeds.
private final class Canceller: LaunchObserver {
  let runner = Lock<LaunchRunner?>(nil)
  private let step: Int

  init(afterStep step: Int) { self.step = step }

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    guard case .ended(step, .succeeded) = event.kind, let runner = runner.withLock(\.self) else { return }
    Thread.detach(name: "cancel") { runner.cancel("enough") }
  }
}
