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

  @Test("A signal to the pid of appboot reaches the command that replaced it")
  func signals() throws {
    let script = "trap 'echo got; exit 5' TERM; echo up; while :; do sleep 0.01; done"
    let running = try ToolProcess("run", "--", "sh", "-c", script).manifest("[\(Self.step)]").start()
    #expect(try running.waitForOutput("up\n"))
    running.signal(Signals.terminate)
    let result = try running.finish()
    #expect(result.status == 5 && result.output.hasSuffix("up\ngot\n"))
  }

  #if os(Linux)
  @Test("A command that replaces the launch adopts no orphans")
  func orphans() throws {
    let parent = #"$(cut -d" " -f4 /proc/$$/stat)"#
    // The orphan writes whether its new parent is the command.
    let orphan = #"until [ "\#(parent)" != "$0" ]; do :; done; [ "\#(parent)" = "$1" ]; echo $? >adopted"#
    let script = #"sh -c 'sh -c "$0" $$ $PPID & exit 0' "$0"; until [ -s adopted ]; do :; done; cat adopted"#
    let result = try ToolProcess("run", "-q", "--", "sh", "-c", script, orphan)
      .manifest("[\(Self.step)]").run()
    #expect(result.output == "1\n")
  }

  @Test(
    "As PID 1, appboot exits with the exit code of the command, or with 128 plus its signal",
    .enabled(if: Namespace.hasProcesses, "unshare is not permitted"))
  func firstProcess() throws {
    let first = #"exec unshare --pid --fork --mount-proc "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#
    for (script, status) in [("kill -TERM 1; exec sleep 600", Int32(143)), ("echo $PPID; exit 7", 7)] {
      let result = try ToolProcess("run", "-q", "--", "sh", "-c", script).manifest("[\(Self.step)]")
        .script(first).run()
      #expect(result.status == status)
      #expect(result.output == (status == 7 ? "1\n" : ""))
    }
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
