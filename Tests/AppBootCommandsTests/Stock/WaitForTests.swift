import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("WaitFor", .ownThread)
struct WaitForTests {
  private func launch(_ parameters: String, _ more: String = "") -> TestLaunch {
    TestLaunch(#"[ { "command": "WaitFor", "with": \#(parameters) \#(more) } ]"#)
  }

  private func failure(_ launch: TestLaunch) throws -> String {
    try launch.run().failures.first?.state.failure?.description ?? "no failure"
  }

  @Test("A port that accepts connections is ready at the first attempt")
  func tcp() throws {
    let listener = try SocketListener()
    let record = try launch(#"{ "tcp": "127.0.0.1:\#(listener.port)" }"#).run()
    #expect(record.succeeded)
    #expect(record[0].details.note == "127.0.0.1:\(listener.port) accepts connections")
  }

  @Test("A wait that times out shows what was seen last, and how often it tried")
  func timeout() throws {
    // A port below 1024 is never assigned to another test, as a closed one could be.
    // On a busy machine the time can pass before the first attempt.
    let isShown = try Patience.wait {
      let record = try launch(#"{ "tcp": "127.0.0.1:1" }"#, #", "timeout": "20ms""#).run()
      guard case .timedOut(let failure) = record[0].state else { return false }
      #expect(failure.message == "timed out after 20ms")
      let cause = failure.causes.first ?? ""
      return failure.causes.count == 1 && cause.hasPrefix("connection refused by 127.0.0.1:1 (")
        && (cause.hasSuffix(" attempts)") || cause.hasSuffix(" attempt)"))
    }
    #expect(isShown)
  }

  @Test("A wait takes no slot: steps that it waits for run beside it", arguments: [1, 2])
  func noJob(jobs: Int) throws {
    let directory = try TemporaryDirectory()
    var launch = TestLaunch(
      #"""
      [
        { "command": "WaitFor", "id": "first", "after": [], "with": { "file": "a" } },
        { "command": "WaitFor", "id": "second", "after": [], "with": { "file": "a" } },
        { "command": "WaitFor", "id": "third", "after": [], "with": { "file": "b" } },
        { "command": "RunProcess", "id": "a", "after": [], "with": { "arguments": ["touch", "a"] } },
        { "command": "RunProcess", "id": "b", "after": ["first"], "with": { "arguments": ["touch", "b"] } }
      ]
      """#)
    launch.directory = directory.path
    launch.jobs = jobs
    #expect(try launch.run().succeeded)
  }

  @Test("A hundred waits run at once with one slot")
  func many() throws {
    let directory = try TemporaryDirectory()
    let waits = (0..<100).map {
      #"{ "command": "WaitFor", "id": "w\#($0)", "after": [], "with": { "file": "a" } },"#
    }
    var launch = TestLaunch(
      "[" + waits.joined()
        + #"{ "command": "RunProcess", "after": [], "with": { "arguments": ["touch", "a"] } } ]"#)
    launch.directory = directory.path
    launch.jobs = 1
    let record = try launch.run()
    #expect(record.succeeded)
    let last = try #require(record.last)
    #expect(record.dropLast().allSatisfy { ($0.execution.startTime ?? .max) <= last.execution.endTime ?? 0 })
  }

  @Test("A cancelled wait ends at once, in the engine and if another command executes it")
  func cancellation() async throws {
    let command = WaitFor(file: "/never/there")
    let plan = LaunchPlan(sequence: [FakeAsyncCommand { try await command.execute(in: $0) }])
    let task = Task { await plan.run() }
    task.cancel()
    #expect(await task.value.outcome.name == "cancelled")
    let direct = LaunchPlan(sequence: [command])
    let other = Task { await direct.run() }
    other.cancel()
    #expect(await other.value.outcome.name == "cancelled")
  }

  @Test("A wait that is executed directly ends when its condition holds")
  func direct() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a")
    let command = WaitFor(file: path)
    let plan = try LaunchPlan(steps: [
      (LaunchStep(FakeAsyncCommand { try await command.execute(in: $0) }, id: "wait"), []),
      (LaunchStep(FakeCommand { _ in try FileSystem.writeFile(atomically: [], to: path) }, id: "write"), []),
    ])
    #expect(await plan.run().succeeded)
  }

  @Test("A variable in a parameter is replaced, and one that is not set fails the step")
  func variables() throws {
    let listener = try SocketListener()
    var launch = launch(#"{ "tcp": "127.0.0.1:{env.PORT}" }"#)
    launch.environment = ["PORT": "\(listener.port)"]
    #expect(try launch.run().succeeded)
    launch.environment = ["PORT": "many"]
    #expect(try failure(launch).hasPrefix(#""127.0.0.1:many" is not an address"#))
    launch.environment = [:]
    #expect(try failure(launch).contains("the environment variable PORT is not set"))
  }

  @Test("A path that is too long for a socket's address fails the step at once")
  func longPath() throws {
    let path = "/" + String(repeating: "s", count: 120)
    let message = try failure(launch(#"{ "unix": "\#(path)" }"#))
    #expect(message.hasPrefix(#"the path of the socket "\#(path)" is too long"#))
  }

  @Test("Without curl an https URL is a missing precondition", .enabled(if: FakeCurl.isUsable))
  func noCurl() throws {
    var launch = launch(#"{ "http": "https://127.0.0.1/" }"#)
    launch.environment = ["PATH": "/nowhere"]
    let failure = try launch.run().failures.first?.state.failure
    #expect(failure?.isMissingPrecondition == true)
    #expect(failure?.message.hasPrefix(#"there is no program "curl" in PATH"#) == true)
  }

  @Test("A program that cannot be started fails the step at once")
  func noProgram() throws {
    let message = try failure(launch(#"{ "command": ["appboot-no-such-program"] }"#))
    #expect(message.hasPrefix(#"there is no program "appboot-no-such-program" in PATH"#))
  }

  @Test(
    "A mistake in the parameters is reported before the launch",
    arguments: [
      ("{}", #"WaitFor: give exactly one of "tcp", "unix", "http", "file", "command""#),
      (#"{ "tcp": "a:1", "file": "b" }"#, #""file": give only one of "tcp" and "file""#),
      (#"{ "tcp": 5432 }"#, #""tcp" must be an address such as "127.0.0.1:5432", not a number"#),
      (
        #"{ "tcp": "localhost" }"#,
        #""tcp": "localhost" is not an address: write a host and a port from 1 to 65535, as in "127.0.0.1:5432""#
      ),
      (#"{ "file": "" }"#, #""file" must not be empty"#),
      (#"{ "command": [] }"#, #""command": name the program to run as the first item"#),
      (
        #"{ "http": { "url": "http://a", "status": 99 } }"#,
        #""http.status" must be a whole number from 100 to 599, not 99"#
      ),
      (#"{ "http": "ftp://a" }"#, #""http": "ftp://a" is not an http or https URL"#),
      (#"{ "file": "{evn.A}" }"#, #""file": unknown placeholder {evn.A}"#),
      (#"{ "output": "x" }"#, #"unknown key "output""#),
    ])
  func mistakes(parameters: String, message: String) throws {
    let problems = try launch(parameters).problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
  }
}

extension WaitFor {
  fileprivate init(file: String) {
    self.init()
    self.file = file
  }
}
