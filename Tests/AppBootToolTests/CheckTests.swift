import AppBoot
import AppBootRecords
import AppBootSystem
import AppBootTestKit
import AppBootTool
import AppBootTestSupport
import Testing

@Suite("check", .ownThread)
struct CheckTests {
  private let fine = "[\(Entry.shell("true", id: "a"))]"

  private func text(of file: String, in tool: ToolProcess) throws -> String {
    String(decoding: try FileSystem.readFile(tool.directory.file(file)), as: UTF8.self)
  }

  /// Returns twenty equal launches with one step.
  private func baseline(step: Int, id: String = "a") -> String {
    let record =
      #"{"format":"appboot-record","version":1,"name":"Test","startedAt":"","outcome":"succeeded","#
      + #""duration":\#(2 * step),"steps":[{"id":"\#(id)","command":"RunProcess","after":[],"#
      + #""state":"succeeded","ready":0,"start":0,"end":\#(step)}]}"#
    return String(repeating: record + "\n", count: 20)
  }

  @Test("A check prints a line per step and a summary")
  func passed() throws {
    let result = try ToolProcess("check", "--runs", "5").manifest(fine).run()
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("ok      a  "))
    #expect(result.output.contains("\ncheck passed: Test booted in"))
    #expect(result.output.hasSuffix("; the median of 5 launches\n"))
  }

  @Test("A check without options is a smoke test: one launch, without a warm-up")
  func smoke() throws {
    let tool = try ToolProcess("check")
    let result = try tool.manifest("[\(Entry.shell("echo x >> count", id: "a"))]").run()
    #expect(result.status == 0)
    #expect(result.output.hasSuffix(": 1 step\n"), "\(result.output)")
    #expect(try text(of: "count", in: tool) == "x\n")
  }

  @Test("A check of services beside a running app is the error of run")
  func besideApp() throws {
    let web = Entry.service("echo up; exec sleep 1000", id: "web")
    let app = try Staying.start(commands: "[\(web)]")
    let check = try app.ask("check", app.tool.directory.file("commands.json"))
    #expect(check.status == 4)
    #expect(check.errors.hasPrefix("appboot: error: an app is already running"), "\(check.errors)")
    _ = try app.end()
  }

  @Test("A comparison says at its start how many launches it takes, and --max-time ends it")
  func announced() throws {
    let tool = try ToolProcess("check", "--against", ".", "--max-time", "1ns")
    let result = try tool.manifest("[\(Entry.shell("echo x >> count", id: "a"))]").run()
    #expect(
      result.errors.hasPrefix(
        "appboot: comparing 10 launches and as many of the base; up to 80 within 1ns if the result is uncertain. "
          + "Each launch runs its steps\n"), "\(result.errors)")
    #expect(try text(of: "count", in: tool).count == 2 * 22)
    #expect(try ToolProcess("check", "--max-time", "1s").manifest(fine).run().status == 2)
  }

  @Test("A check launches --runs times after a warm-up, each time in its own process")
  func runs() throws {
    let tool = try ToolProcess("check", "--runs", "3")
    let result = try tool.manifest("[\(Entry.shell("echo $PPID >> parents", id: "a"))]").run()
    #expect(result.status == 0)
    let parents = try text(of: "parents", in: tool)
      .split(separator: "\n")
    #expect(parents.count == 4 && Set(parents).count == 4)
  }

  @Test("A check leaves nothing in the state directory, so that the next launch can be the first one")
  func state() throws {
    let parallel = #"[\#(Entry.shell("echo x", id: "a")), \#(Entry.shell("true", id: "b", #""after": []"#))]"#
    let tool = try ToolProcess("check", "--runs", "1", "--jobs", "1").manifest(parallel)
    #expect(try tool.run().status == 0)
    #expect(!FileSystem.exists(tool.directory.file(".appboot")))
  }

  @Test("A check exits with 1 after two failed launches, and names the failure")
  func failed() throws {
    let tool = try ToolProcess("check", "--runs", "5")
      .manifest("[\(Entry.shell("echo x >> count; exit 5", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 1)
    #expect(result.output.contains("FAIL    a  "))
    #expect(result.output.contains("\ncheck failed: Test did not boot in 2 of 2 launches: a failed"))
    #expect(try FileSystem.readFile(tool.directory.file("count")).count == 4)
    let advice = "no record was saved: --record FILE writes one, which `appboot report FILE` shows\n"
    #expect(result.errors.hasSuffix(advice))
    #expect(try !tool.with("--record", "r").run().errors.contains(advice))
  }

  @Test("A median over its budget fails the check with code 5")
  func overBudget() throws {
    let step = Entry.shell("true", id: "a", #""budget": "1ns""#)
    let result = try ToolProcess("check", "--runs", "5").manifest("[\(step)]").run()
    #expect(result.status == 5)
    #expect(result.output.contains("slow    a  "))
    #expect(result.output.contains("\ncheck failed: a took "))
    #expect(result.output.contains("over its budget of 1ns (median of 3 launches)"))
    let whole = try ToolProcess("check", "--runs=1").manifest(
      fine, members: #""name": "T", "budget": "1ns""#
    )
    .run()
    #expect(whole.status == 5 && whole.output.contains("the launch took "))
  }

  @Test("One launch over a budget does not fail the check")
  func oneOverBudget() throws {
    // The first launch that counts waits; the four after it do not.
    let script = "echo x >> count; [ $(wc -l < count) -ne 2 ] || sleep 1"
    let step = Entry.shell(script, id: "a", #""budget": "900ms""#)
    let result = try ToolProcess("check", "--runs", "5").manifest("[\(step)]").run()
    #expect(result.status == 0, "\(result.output)")
  }

  @Test("An invalid manifest ends the check with 3 and a missing file with 4, before anything runs")
  func mistakes() throws {
    let wrong = try ToolProcess("check").manifest(#"["Nothing"]"#).run()
    #expect(wrong.status == 3 && wrong.errors.contains("unknown command"))
    let missing = try ToolProcess("check", "--baseline", "b").manifest(fine).run()
    #expect(missing.status == 4 && missing.errors.contains(#"cannot open "b""#))
    let noRecord = try ToolProcess("check", "--baseline", "commands.json").manifest(fine).run()
    #expect(noRecord.status == 3 && noRecord.errors.contains("is not a launch's record"))
    let output = try ToolProcess("check", "--junit", "no/x").manifest(fine).run()
    #expect(output.status == 4 && output.output.isEmpty)
    let percent = try ToolProcess("check", "--max-slowdown", "10").manifest(fine).run()
    #expect(percent.status == 2 && percent.errors.contains(#"needs a percentage such as 10%, not "10""#))
  }

  @Test("A manifest from standard input is launched several times")
  func standardInput() throws {
    let result = try ToolProcess("check", "-", "--no-state", "--runs=2")
      .input(#"{ "version": 1, "name": "Piped", "commands": \#(fine) }"#).run()
    #expect(result.status == 0 && result.output.contains("Piped booted in"))
  }

  @Test("A crashed launch names its step, and the requested files are written")
  func crash() throws {
    let steps = [
      Entry.shell("true", id: "a"), Entry.shell("kill -9 $PPID", id: "b"), Entry.shell("true", id: "c"),
    ]
    let tool = try ToolProcess(
      "check", "--runs", "5", "--no-state", "--junit", "j.xml", "--record", "r.jsonl", "--markdown", "m.md",
      "--html",
      "h.html"
    ).manifest("[\(steps.joined(separator: ", "))]")
    let result = try tool.environment("GITHUB_ACTIONS", "true").run()
    #expect(result.status == 1)
    // The width of the columns depends on the times.
    let words = result.output.split(separator: " ").joined(separator: " ")
    #expect(words.contains("CRASH b it was running when the launch's process crashed\n"))
    #expect(result.output.contains("check failed: a launch's process was killed by SIGKILL in \"b\""))
    #expect(result.output.contains("::error file=commands.json,line=2,"))
    #expect(result.output.contains("::the process ended while b was running\n"))
    let ended = "<error message=\"the step was running at the end of the record\"/>"
    #expect(try text(of: "j.xml", in: tool).contains(ended))
    #expect(try text(of: "m.md", in: tool).contains("SIGKILL"))
    #expect(try text(of: "h.html", in: tool).contains("<html"))
    let records = try text(of: "r.jsonl", in: tool).split(separator: "\n")
    #expect(records.count == 2 && records.allSatisfy { $0.contains(#""outcome":"running""#) })
    #expect(!FileSystem.exists(tool.directory.file(".appboot")))
  }

  #if os(Linux)
  @Test("A signal is forwarded to the launch and ends the check")
  func signal() throws {
    // The parent of the launch is the check.
    let script = "read -r _ _ _ process _ </proc/$PPID/stat; kill -TERM $process; sleep 100"
    let result = try ToolProcess("check").manifest("[\(Entry.shell(script, id: "a"))]").run()
    #expect(result.end == .signalled(Signals.terminate))
  }
  #endif

  @Test("A check does not start itself forever")
  func endless() throws {
    let result = try ToolProcess("check").environment("APPBOOT_CHECK_DEPTH", "3").manifest(fine).run()
    #expect(result.status == 2 && result.errors.contains("a check started a check"))
  }

  @Test("An executable that cannot be started again is an error")
  func notRelaunchable() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("commands.json")
    try FileSystem.writeFile(atomically: Array(#"{"version":1,"commands":["Fake"]}"#.utf8), to: path)
    let tool = CommandLineTool(name: "app", version: "1", registry: CommandRegistry(FakeCommand.self))
    let report = directory.file("report.xml")
    let status = await onThread {
      tool.runBlocking(arguments: ["check", path, "--no-state", "--quiet", "--junit", report])
    }
    #expect(status == 4)
    let text = String(decoding: try FileSystem.readFile(report), as: UTF8.self)
    #expect(text.contains("can be started again"))
  }

  // MARK: - Preparation

  @Test("The command of --prepare runs before the warm-up and before each launch, and is not timed")
  func prepare() throws {
    let tool = try ToolProcess(
      "check", "--runs=2", "--no-state", "--prepare", "echo p >> \"$PWD\"/log; sleep 0"
    )
    .manifest("[\(Entry.shell("echo l >> log", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 0 && !result.output.contains("sleep"))
    #expect(try text(of: "log", in: tool) == "p\nl\np\nl\np\nl\n")
  }

  @Test("A failure of --prepare ends the check with its output and with advice")
  func failedPreparation() throws {
    let tool = try ToolProcess(
      "check", "--no-state", "--markdown=m", "--prepare", "echo no disk >&2; exit 3"
    ).manifest("[\(Entry.shell("touch launched", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 4)
    #expect(
      result.errors == """
        appboot: error: the command of --prepare exited with code 3: echo no disk >&2; exit 3; output: no disk
        help: if its failure does not matter, append ` || true` to the command

        """)
    #expect(!FileSystem.exists(tool.directory.file("launched")))
    #expect(try text(of: "m", in: tool).contains("the command of --prepare exited with code 3"))
  }

  // MARK: - Baselines

  @Test("A slower step fails the check with code 5 after more launches")
  func slower() throws {
    let tool = try ToolProcess("check", "--max-runs=10", "--baseline", "b", "--record", "r")
      .manifest(fine).file("b", baseline(step: 1000))
    let result = try tool.run()
    #expect(result.status == 5)
    #expect(result.output.contains("slow    a  "))
    #expect(result.output.contains("\ncheck failed: a is slower than the baseline by "))
    #expect(result.output.contains("the medians of 10 launches"))
    #expect(try FileSystem.readFile(tool.directory.file("r")).split(separator: 0x0A).count == 10)
  }

  @Test("A check that is not slower passes, and its record is the next baseline")
  func baselines() throws {
    let tool = try ToolProcess("check", "--max-runs=10", "--baseline", "b", "--record", "r")
      .manifest(fine).file("b", baseline(step: 3_600_000_000_000))
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.output.hasSuffix(", not slower than the baseline\n"))
    let next = try ToolProcess("report", tool.directory.file("r"), "--format=json").run()
    #expect(try next.json()["host"] != nil)
  }

  @Test("Warnings report a baseline that is too small or of another machine")
  func warnings() throws {
    let one = try #require(baseline(step: 1000).split(separator: "\n").first)
    let result = try ToolProcess("check", "--max-runs=10", "--baseline", "b").manifest(fine)
      .file("b", "\(one)\n").run()
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "\ncheck inconclusive: the baseline has 1 launch, too few to tell a slowdown from noise: at least 4 are"
      ))
    let other = baseline(step: 1000).replacing(
      #""startedAt""#,
      with: #""host":{"system":"X","release":"1","architecture":"a","cores":64},"startedAt""#)
    let machine = try ToolProcess("check", "--max-runs=10", "--baseline", "b").manifest(fine)
      .file("b", other).run()
    #expect(machine.output.contains("warning: the baseline was measured on another machine"))
  }

  @Test("A --runs that is too small for a comparison is a usage error")
  func fewestLaunches() throws {
    for option in ["--baseline=b", "--against=b"] {
      let tool = try ToolProcess("check", "--runs=9", option).manifest(fine).file("b", baseline(step: 1000))
      let result = try tool.run()
      #expect(result.status == 2 && result.output.isEmpty)
      #expect(result.errors.contains("error: --runs must be at least 10, not 9\n"))
    }
  }

  @Test(
    "A --max-runs that is too small for a comparison is a usage error", arguments: [("10", 10), ("20", 20)])
  func tooFewLaunches(runs: String, least: Int) throws {
    let tool = try ToolProcess("check", "--runs", runs, "--max-runs", "9", "--baseline=b").manifest(fine)
    let result = try tool.file("b", baseline(step: 1000)).run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains("error: --max-runs must be at least \(least), not 9\n"))
  }

  @Test("A baseline without a step of the manifest ends the check before its first launch")
  func otherBaseline() throws {
    let tool = try ToolProcess("check", "--baseline=b").file("b", baseline(step: 1000, id: "old"))
      .manifest("[\(Entry.shell("touch launched", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(
      result.errors.hasPrefix(
        """
        appboot: error: the baseline has no step of this manifest: its steps are old; the manifest's are a
        help: select another --baseline, or write one with `appboot check --record FILE`

        """))
    #expect(!FileSystem.exists(tool.directory.file("launched")))
  }

  @Test(
    "The compare subcommand shows the decision that a check made on the same records",
    arguments: [1000, 3_600_000_000_000])
  func compare(step: Int) throws {
    let tool = try ToolProcess("check", "--max-runs=10", "--baseline=b", "--record=r")
      .manifest(fine).file("b", baseline(step: step))
    let result = try tool.run()
    let files = ["b", "r"].map(tool.directory.file)
    let comparison = try ToolProcess("compare", "--format=json").with(files).run().json()
    let decision = comparison["steps"]?.elements.first { $0["id"]?.string == "a" }?["decision"]?.string
    #expect(result.status == (step == 1000 ? 5 : 0))
    #expect((result.status == 5) == (decision == "slower"))
    let isWorse = try ToolProcess("compare", "--max-slowdown=x").with(files).run()
    #expect(isWorse.status == 2 && isWorse.errors.contains("needs a percentage such as 10%"))
  }

  // MARK: - Files

  @Test("A check writes every requested file in one run")
  func files() throws {
    let tool = try ToolProcess(
      "check", "-q", "--max-runs=10", "--record=r", "--junit=j", "--markdown=m", "--html=h",
      "--baseline=b"
    ).manifest(fine).file("b", baseline(step: 1000))
    let result = try tool.run()
    #expect(result.status == 5)
    #expect(
      try text(of: "j", in: tool).contains(#"name="(check)""#)
        && text(of: "j", in: tool).contains(#"<failure type="check""#))
    #expect(
      try text(of: "m", in: tool).hasPrefix("## ❌ **check failed")
        && text(of: "m", in: tool).contains("**slower**"))
    #expect(try text(of: "h", in: tool).hasPrefix("<!DOCTYPE html>"))
  }

  @Test(
    "A file that cannot be written does not prevent the others", .enabled(if: FileSystem.exists("/dev/full")))
  func otherFiles() throws {
    let tool = try ToolProcess(
      "check", "-q", "--runs=1", "--record=/dev/full", "--junit=/dev/full", "--markdown=m"
    ).manifest(fine)
    let result = try tool.run()
    #expect(result.status == 4)
    #expect(result.errors.split(separator: "\n").count { $0.contains("\"/dev/full\"") } == 2)
    #expect(FileSystem.exists(tool.directory.file("m")))
  }

  @Test("A check in GitHub Actions annotates, appends to the summary, and makes output inert")
  func gitHub() throws {
    let script = "echo '::error::injected'; echo '##[error]injected'; exit 1"
    let tool = try ToolProcess("check").environment("GITHUB_ACTIONS", "true")
      .environment("GITHUB_STEP_SUMMARY", "summary.md").file("summary.md", "before\n")
      .manifest("[\(Entry.shell(script, id: "a"))]")
    let lines = try tool.run().output.split(separator: "\n").map(String.init)
    let first = try #require(lines.first)
    #expect(first.hasPrefix("::stop-commands::"))
    let end = try #require(lines.firstIndex(of: "::\(first.dropFirst("::stop-commands::".count))::"))
    let commands = lines[(end + 1)...]
    #expect(commands.count == 1)
    #expect(commands.first?.hasPrefix("::error file=commands.json,line=2,") == true)
    let summary = try text(of: "summary.md", in: tool)
    #expect(summary.hasPrefix("before\n## ❌ **check failed"))
  }

  @Test("The requested files are written even if nothing was launched")
  func noLaunch() throws {
    let tool = try ToolProcess(
      "check", "--junit", "j.xml", "--record", "r.jsonl", "--markdown", "m.md", "--html", "h.html"
    ).environment("GITHUB_ACTIONS", "true").environment("GITHUB_STEP_SUMMARY", "summary.md")
    for file in ["j.xml", "m.md", "h.html", "r.jsonl"] { _ = try tool.file(file, "of the last check") }
    let invalid = try tool.manifest(#"["<No>"]"#).run()
    #expect(invalid.status == 3)
    #expect(try text(of: "j.xml", in: tool).contains(#"failures="1""#))
    #expect(
      try text(of: "m.md", in: tool).hasPrefix(
        "## ❌ **check failed&#58; commands.json is not valid**"))
    #expect(try text(of: "h.html", in: tool).contains("unknown command &quot;&lt;No&gt;&quot;"))
    #expect(try text(of: "r.jsonl", in: tool) == "of the last check")
    #expect(try text(of: "summary.md", in: tool) == text(of: "m.md", in: tool))
    let baseline = try tool.with("--baseline", "none").manifest(fine).run()
    #expect(baseline.status == 4)
    #expect(baseline.output.hasPrefix("::error title=appboot::"))
    #expect(try text(of: "j.xml", in: tool).contains("none"))
  }

  @Test("Annotations name files by their paths from the repository's root")
  func gitHubWorkspace() throws {
    let tool = try ToolProcess("check").environment("GITHUB_ACTIONS", "true").manifest(#"["No"]"#)
      .script(
        #"""
        mkdir -p app && mv commands.json app && cd app && "$0" "$@"; "$0" validate --format github
        mv commands.json ..
        """#
      )
    let inside = try tool.environment("GITHUB_WORKSPACE", tool.directory.path).run().output
    #expect(
      inside.split(separator: "\n").count { $0.hasPrefix("::error file=app/commands.json,line=2,") } == 2)
    let outside = try tool.environment("GITHUB_WORKSPACE", "/usr").run().output
    #expect(outside.split(separator: "\n").count { $0.hasPrefix("::error file=commands.json,line=2,") } == 2)
  }

  @Test(
    "A signal ends a check with its launch, and leaves no temporary file",
    arguments: [Signals.interrupt, Signals.terminate, Signals.hangup, Signals.quit])
  func signals(signal: Int32) throws {
    let tool = try ToolProcess("check", "--runs=1")
      .manifest("[\(Entry.shell("echo $$ >up.new; mv up.new up; exec sleep 60", id: "slow"))]")
      .script(#"ulimit -c 0; mkdir tmp; export TMPDIR="$PWD/tmp"; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    let running = try tool.start()
    #expect(running.waitForFile("up"))
    #expect(try FileSystem.list(tool.directory.file("tmp")).count == 1)
    running.signal(signal)
    // Standard output closes when its last holder ends.
    let result = try running.finish()
    #expect(result.end == .signalled(signal))
    #expect(
      result.errors
        == "appboot: check cancelled (\(Signals.name(signal))) after 0 of 1 launches; no verdict\n")
    #expect(try FileSystem.list(tool.directory.file("tmp")).isEmpty)
    let process = try text(of: "up", in: tool).dropLast()
    #expect(Int32(process).map { Signals.send(0, to: $0) } == false)
  }

  @Test("An invalid manifest is annotated in GitHub Actions")
  func gitHubManifest() throws {
    let result = try ToolProcess("check").environment("GITHUB_ACTIONS", "true").manifest(#"["No"]"#).run()
    #expect(result.status == 3)
    #expect(result.output.hasPrefix("::error file=commands.json,line=2,"))
  }

  @Test("A check runs no event handlers, except in a run that a command starts")
  func noLists() throws {
    let step = Entry.shell(#"echo "$APPBOOT_CHECK_RECORD" >path"#, id: "a")
    let tool = try ToolProcess("check", "--runs", "1", "--record", "r.jsonl").manifest(
      #"[{ "command": "InitialScreen", "with": { "default": "Home" } }, \#(step)]"#,
      members: #""name": "Test", "on": { "didShowFirstScreen": [\#(Entry.shell("touch listed", id: "b"))] }"#)
    #expect(try tool.run().status == 0)
    #expect(!FileSystem.exists(tool.directory.file("listed")))
    #expect(try RecordArchive.read(tool.directory.file("r.jsonl")).record.events.isEmpty)
    let path = try text(of: "path", in: tool)
      .dropLast()
    let nested = tool.environment("APPBOOT_CHECK_RECORD", String(path))
    #expect(try nested.script(#""$0" run -q --no-state --record other.json"#).run().status == 0)
    #expect(FileSystem.exists(tool.directory.file("listed")))
  }

  @Test("check --shuffle names the two steps whose order decides, and tells what to add")
  func shuffle() throws {
    let needy = Entry.shell("test -f made", id: "needy", #""after": []"#)
    let steps = [
      Entry.shell("touch made", id: "maker", #""after": []"#),
      Entry.shell("true", id: "other", #""after": []"#),
    ]
    let tool = try ToolProcess(
      "check", "--shuffle", "--prepare", "rm -f made", "--junit", "junit.xml", "--markdown", "check.md")
    let result = try tool.manifest("[\((steps + [needy]).joined(separator: ", "))]").run()
    #expect(result.status == 1)
    let finding = "the launch fails if needy runs before maker, and succeeds if it runs after"
    #expect(result.output.contains("\ncheck failed: \(finding): add \"maker\" to the \"after\" of needy; "))
    for file in ["junit.xml", "check.md"] { #expect(try text(of: file, in: tool).contains(finding)) }
  }

  @Test("check --shuffle passes if no order fails, and is not for comparisons")
  func shufflePasses() throws {
    let steps = ["a", "b"].map { Entry.shell("true", id: $0, #""after": []"#) }.joined(separator: ", ")
    let result = try ToolProcess("check", "--shuffle").manifest("[\(steps)]").run()
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("; the median of 2 launches; no order fails\n"))
    let conflict = try ToolProcess("check", "--shuffle", "--runs", "3").manifest("[\(steps)]").run()
    #expect(conflict.status == 2)
    #expect(conflict.errors.contains("--shuffle and --runs cannot be used together"))
  }
}
