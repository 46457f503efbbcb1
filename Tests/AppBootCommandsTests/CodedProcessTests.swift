import AppBoot
import AppBootCommands
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Processes in a plan in code", .ownThread)
struct CodedProcessTests {
  @Test("A process is kept as a service, and the steps after it run when it is ready")
  func service() async throws {
    let isReady = Gate()
    let plan = try LaunchPlan {
      Step(
        "web",
        RunService(
          "sh", ["-c", "echo up; exec sleep 3600"], ready: .output("^up$"),
          restart: RestartPolicy(.onFailure),
          stop: StopPolicy(signal: "INT", grace: .seconds(60))))
      Step("ready") { _ in isReady.open() }
    }
    let runner = try ServiceRunner(plan)
    let run = Task { try await runner.run() }
    await isReady.passed()
    #expect(runner.services == ["web": .ready])
    runner.shutDown()
    let record = try await run.value
    #expect(record.map(\.state.name) == ["succeeded", "succeeded"])
    #expect(runner.services == ["web": .ended] || runner.services == ["web": .stopped])
  }

  @Test("A process has its arguments, its variables and the placeholders of a manifest")
  func process() async throws {
    let builder = StartupCommandsBuilder {
      Step(
        "echo",
        RunProcess(
          "sh", ["-c", "echo $0 $GREETING; exit 3", "{env.NAME}"], environment: ["GREETING": "hello"],
          expect: [3]))
      Step("insert", RunProcess("echo", ["[{step.echo.output}]"]))
      Step("wait", WaitFor(command: "test", ["-d", "."]))
      Step("file", WaitFor(file: "."))
      Step("say", Say("{env.NAME} is ready"))
    }
    let record = try await builder.environment(["NAME": "shop", "PATH": "/usr/bin:/bin"]).build().run()
    #expect(record.succeeded)
    #expect(record["echo"]?.details.lastOutput == "shop hello")
    #expect(record["insert"]?.details.lastOutput == "[shop hello]")
    #expect(record["say"]?.details.announcement == "shop is ready")
  }

  @Test("A value that a manifest forbids is a mistake at the line of its step")
  func mistakes() {
    let line = #line
    func plan() throws -> LaunchPlan {
      try LaunchPlan {
        Step("a", RunService("", ready: .tcp("nowhere"), stop: StopPolicy(signal: "TERMM")))
        Step("b", RunService("b", ready: .http("ftp://b"), restart: RestartPolicy(.always, attempts: 0)))
        Step("c", RunProcess("c", expect: []))
        Step("d", WaitFor(http: "d"))
        Step("e", WaitFor())
        Step("f", SendHTTPRequest("f"))
      }
    }
    let error = #expect(throws: PlanError.self) { try plan() }
    let found = error?.mistakes.map { "\($0.line - line): \($0.message)" } ?? []
    let expected = [
      "3: \"ready.tcp\": \"nowhere\" is not an address", "3: \"stop.signal\": \"TERMM\" is not a signal",
      "3: \"arguments\": name the program", "4: \"ready.http\": ",
      "4: \"restart.attempts\" must be a whole number",
      "5: \"expect\": list at least one", "6: \"http\": ", "7: WaitFor: ", "8: \"url\": ",
    ]
    #expect(found.count == expected.count)
    for (message, start) in zip(found, expected) { #expect(message.hasPrefix(start)) }
  }
}
