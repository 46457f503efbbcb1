import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("run with a command after two dashes", .ownThread)
struct ReplacementTests {
  private static let step = Entry.shell("true", id: "a")

  @Test(
    "The command replaces a launch that succeeded, and decides the exit code",
    arguments: [step, #""Appearance""#])
  func replaces(entry: String) throws {
    let result = try ToolProcess(
      "run", "-q", "--", "sh", "-c", #"echo "$0 $*"; exit 7"#, "x", "--quiet", "y z"
    )
    .manifest("[\(entry)]").run()
    #expect(result.output == "x --quiet y z\n")
    #expect(result.errors.isEmpty)
    #expect(result.status == 7)
  }

  @Test("The command replaces an isolated launch too, and decides the exit code", arguments: [0, 7, 147])
  func isolated(code: Int32) throws {
    let result = try ToolProcess("run", "-q", "--isolate", "--", "sh", "-c", "echo hi; exit \(code)")
      .manifest("[\(Self.step)]").run()
    if result.status == 4 { return #expect(result.errors.contains("--isolate: cannot ")) }
    #expect(result.output == "hi\n")
    #expect(result.status == code)
  }

  @Test("A launch that fails does not start the command")
  func failure() throws {
    let tool = try ToolProcess("run", "--", "sh", "-c", "echo started > trace")
      .manifest("[\(Entry.shell("exit 3", id: "a"))]")
    #expect(try tool.run().status == 1)
    #expect(!FileSystem.exists(tool.directory.file("trace")))
  }

  @Test("A command that cannot be started leads to exit code 4 and its reason")
  func missing() throws {
    let result = try ToolProcess("run", "--", "no-such-program").manifest("[\(Self.step)]").run()
    #expect(result.status == 4)
    #expect(
      result.errors.contains(
        "the command after -- could not be started: there is no program \"no-such-program\" in PATH"))
  }

  @Test("The error for a command that cannot be started shows no secret")
  func secret() throws {
    let result = try ToolProcess("run", "--", "/no/hunter2-secret").environment("KEY", "hunter2-secret")
      .manifest("[\(Self.step)]", members: #""name": "Test", "secrets": ["KEY"]"#).run()
    #expect(result.status == 4)
    #expect(result.errors.contains("there is no program \"/no/***\""))
    #expect(!result.errors.contains("hunter2"))
  }

  @Test("The process that was started forwards signals to the command")
  func signals() throws {
    let script = "trap 'echo got; exit 5' TERM; echo up; while :; do sleep 0.01; done"
    let running = try ToolProcess("run", "--", "sh", "-c", script).manifest("[\(Self.step)]").start()
    #expect(try running.waitForOutput("up\n"))
    running.signal(Signals.terminate)
    let result = try running.finish()
    #expect(result.status == 5 && result.output.hasSuffix("up\ngot\n"))
  }

  #if os(Linux)
  private func runs(_ process: Int32) -> Bool {
    ProcessEntry.all().contains { $0.process == process && $0.state != UInt8(ascii: "Z") }
  }

  @Test("A KILL of the process that was started ends the command")
  func killed() throws {
    let tool = try ToolProcess("run", "--", "sh", "-c", "echo $$ > pid; echo up; exec sleep 1000")
      .manifest("[\(Self.step)]")
    let running = try tool.start()
    #expect(try running.waitForOutput("up\n"))
    let text = String(decoding: try FileSystem.readFile(tool.directory.file("pid")), as: UTF8.self)
    let command = try #require(Int32(text.dropLast()))
    running.signal(Signals.kill)
    // The pipe closes when the command has ended.
    #expect(try running.finish().end == .signalled(Signals.kill))
    let deadline = MonotonicClock.now() + 60_000_000_000
    while runs(command), MonotonicClock.now() < deadline {}
    #expect(!runs(command))
  }

  @Test("The command has the signals, descriptors and limits that appboot was started with")
  func inherited() throws {
    // The last seven digits are the signals up to 28: 32 and 33 belong to the C library.
    let probe =
      #"grep -E "^Sig(Blk|Ign|Cgt)" /proc/self/status | sed 's/:.*\(.......\)$/ \1/'; ls /proc/self/fd; ulimit -n"#
    let result = try ToolProcess("run", "-q", "--", "sh", "-c", probe).manifest("[\(Self.step)]")
      .environment("PROBE", probe)
      .script(
        #"ulimit -Sn 40; trap '' USR2 INT; sh -c "$PROBE" 2>/dev/null | cat > direct; "#
          + #""$0" "$@" 2>/dev/null | cat > own; diff direct own && echo same"#
      ).run()
    #expect(result.output == "same\n")
  }
  #endif

  @Test("Services, --stay, --then-stop and --event are errors with a command")
  func conflicts() throws {
    let service = #"{ "command": "RunService", "id": "web", "with": { "arguments": ["sleep", "1000"] } }"#
    let tool = try ToolProcess("run", "--", "true").manifest("[\(service)]")
    let result = try tool.run()
    #expect(result.status == 2)
    #expect(result.errors.contains("the plan has services (web), and nothing would keep them once \"true\""))
    #expect(result.errors.contains("--skip web"))
    for option in [["--stay"], ["--then-stop"], ["--event", "openURL"]] {
      let result = try ToolProcess("run").with(option).with("--", "true").manifest("[]").run()
      #expect(
        result.status == 2 && result.errors.contains("cannot be used together"), "\(option): \(result.errors)"
      )
    }
  }
}
