import AppBootReports
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootAnalysis
@testable import AppBootRecords
@testable import AppBootTool

@Suite("The status of a running launch", .ownThread)
struct RunningLaunchTests {
  @Test("During a launch, status shows the running steps, what each step waits for, and that it is not ready")
  func status() throws {
    let entries = [
      Entry.shell("echo up; sleep 60", id: "slow"), Entry.shell("true", id: "next", #""after": ["slow"]"#),
    ]
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(entries.joined(separator: ", "))]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    func status(_ arguments: String...) throws -> ToolResult {
      try ToolProcess("status", "--state", tool.directory.file(".appboot")).with(arguments).run()
    }
    // The tool waits at most 100 ms for the journal before it starts a program.
    #expect(try Patience.wait { try status().output.contains("  running  slow  for ") })
    let text = try status()
    #expect(text.status == 0)
    #expect(text.output.contains("since the start, 0 of 2 steps ended\n  running  slow  for "))
    #expect(text.output.hasSuffix("  waiting  next  for slow\n"))
    let json = try status("--format", "json").json()
    #expect(json["running"]?.bool == true)
    #expect(json["launch"]?["outcome"]?.string == "running")
    let other = try status("other.json")
    #expect(other.status == 4 && other.errors.contains("is in use by commands.json, not by other.json"))
    let ready = try status("--ready")
    #expect(ready.status == 1 && ready.output == "not ready: launching\n")
    #expect(try status("--ready", "--format", "json").output == "{\"ready\":false,\"phase\":\"launching\"}\n")
    #expect(try status("--ready", "--watch").status == 2)
    running.signal(Signals.terminate)
    #expect(try running.finish().end == .signalled(Signals.terminate))
    #expect(try status("--ready").output == "not ready: not running\n")
  }

  @Test("status shows the last answer of a probe, and --watch shows it until the launch ends")
  func watched() throws {
    let wait = #"{ "command": "WaitFor", "id": "db", "with": { "unix": "db.sock" } }"#
    let tool = try ToolProcess("run", "--format", "jsonl").manifest("[\(wait)]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""kind":"noted""#))
    let watch = try ToolProcess("status", "--watch", "--state", tool.directory.file(".appboot")).start()
    #expect(try watch.waitForOutput(#", there is no socket "db.sock""#))
    running.signal(Signals.terminate)
    _ = try running.finish()
    let result = try watch.finish()
    #expect(result.status == 0)
    #expect(result.output.contains("\nno launch or app is running\nlast launch, at 2"))
    #expect(result.output.contains("\nTest did not boot: it was cancelled after "))
  }

  @Test("A launch that is frozen at a random moment shows what each waiting step waits for")
  func frozen() throws {
    for seed in UInt64(0)..<200 {
      var random = SeededGenerator(seed: seed)
      // The text lists at most 20 waiting steps.
      let count = Int.random(in: 1...20, using: &random)
      let steps = (0..<count).map { index in
        let command: any Command = random.chance(50) ? FakeCommand() : SimulatedWait()
        var step = LaunchStep(command, id: "s\(index)")
        step.onFailure = FailurePolicy.allCases.randomElement(using: &random) ?? .stop
        return step
      }
      let predecessors = (0..<count).map { step in (0..<step).filter { _ in random.chance(20) } }
      let plan = LaunchPlan(
        name: "Test", options: LaunchOptions(), steps: steps,
        graph: DependencyGraph(predecessors: predecessors), environment: LaunchEnvironment())
      let works = (0..<count).map { _ in
        Simulation.Work(
          duration: Int64.random(in: 0...50, using: &random),
          result: random.chance(10) ? .failure(Mishap()) : .success(()))
      }
      var simulation = Simulation(
        Coordinator(plan: plan, jobs: Int.random(in: 1...4, using: &random), grace: 15, ranks: nil)
      ) { works[$0.step] }
      var events: [LaunchEvent] = []
      while !simulation.isFinished { events += try simulation.advance() }
      let past = events.prefix(Int.random(in: 1..<events.count, using: &random))

      let directory = try TemporaryDirectory()
      let journal = LaunchJournal(directory: directory.path)
      _ = journal.open(for: plan.outline, header: RecordHeader())
      journal.begin(startedAt: WallClock.timestamp())
      for event in past { journal.add(event, in: plan.outline) }
      journal.write()
      var arguments = ParsedArguments()
      arguments.operands = [directory.path]
      let launch = try #require(try RunningLaunch(of: StateSource(arguments)))
      let shown = launch.text(TextStyle()).split(separator: "\n").filter { $0.hasPrefix("  waiting  ") }
        .map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }

      let touched = Set(past.compactMap(\.kind.step))
      let ended = Set(past.compactMap { if case .ended(let step, _) = $0.kind { step } else { nil } })
      let expected = (0..<count).filter { !touched.contains($0) }.map { step in
        let blockers = predecessors[step].filter { !ended.contains($0) }.map { "s\($0)" }
        return "waiting s\(step)" + (blockers.isEmpty ? "" : " for \(blockers.joined(separator: ", "))")
      }
      #expect(shown == expected, "seed \(seed)")
    }
  }

  @Test("After a launch that failed, status shows when it began and what failed")
  func failed() throws {
    let tool = try ToolProcess("run", "-q").manifest("[\(Entry.shell("exit 3", id: "a"))]")
    #expect(try tool.run().status == 1)
    let status = try ToolProcess("status", "--state", tool.directory.file(".appboot"))
    let text = try status.run()
    #expect(text.status == 4 && text.errors.isEmpty)
    #expect(text.output.hasPrefix("no launch or app is running\nlast launch, at 2"))
    #expect(text.output.contains("error: a (RunProcess) failed\n"))
    #expect(text.output.contains("\nTest did not boot: a failed at "))
    let json = try status.with("--format", "json").run()
    #expect(json.status == 4)
    #expect(try json.json()["launch"]?["outcome"]?.string == "failed")
  }

  @Test("After a launch in safe mode, status shows why it ran in safe mode")
  func safeMode() throws {
    let tool = try ToolProcess("run", "-q", "--safe-mode").manifest("[\(Entry.shell("true", id: "a"))]")
    #expect(try tool.run().status == 0)
    let status = try ToolProcess("status", "--state", tool.directory.file(".appboot"))
    let text = try status.run().output.split(separator: "\n")
    #expect(text[2] == "safe mode: requested" && text[3].hasPrefix("Test booted in "), "\(text)")
    let json = try status.with("--format", "json").run().json()
    #expect(json["launch"]?["safeMode"]?["reason"]?.string == "requested")
  }

  @Test("A report of the running launch has no error and says that the launch is still running")
  func report() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(
      "[\(Entry.shell("echo up; exec sleep 60", id: "slow"))]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    let report = try ToolProcess("report", "--state", tool.directory.file(".appboot"))
    let annotations = try report.with("--format", "github").run()
    #expect(annotations.status == 0 && annotations.output.isEmpty)
    #expect(try report.run().output.contains("Test is still running: in \"slow\", after "))
    running.signal(Signals.terminate)
    _ = try running.finish()
  }

  @Test("status says that the journal of the running launch is damaged")
  func damaged() throws {
    let tool = try ToolProcess("run", "--format", "jsonl").manifest(
      "[\(Entry.shell("echo up; exec sleep 60", id: "slow"))]")
    let running = try tool.start()
    #expect(try running.waitForOutput(#""text":"up""#))
    let damage = try ProcessRequest(
      ["sh", "-c", "echo x > .appboot/journal.jsonl"], directory: tool.directory.path
    ).start()
    #expect(damage.wait() == .exited(0))
    let result = try ToolProcess("status", "--state", tool.directory.file(".appboot")).run()
    #expect(result.status == 4)
    #expect(result.errors.contains("a launch is running, but its journal is damaged: "))
    running.signal(Signals.terminate)
    _ = try running.finish()
  }
}
