import AppBoot
import AppBootCommands
import AppBootSystem
import AppBootTestSupport
import Testing

import AppBootLibC

@Suite("The logs subcommand", .ownThread)
struct LogsTests {
  private let two =
    "[\(Entry.shell("echo one; echo two >&2", id: "a")), \(Entry.shell("printf three", id: "b"))]"

  @Test("logs shows the output of each step after its id")
  func all() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == "a | one\na | two\nb | three\n")
    #expect(result.status == 0)
  }

  @Test("logs --tail shows the last lines", arguments: [(1, 2), (2, 1), (3, 0), (9, 0)])
  func tail(count: Int, first: Int) throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", "--tail", "\(count)", "--state", launch.directory.file(".appboot"))
      .run()
    let lines = ["a | one\n", "a | two\n", "b | three\n"]
    #expect(result.output == lines[first...].joined(), "\(result.errors)")
  }

  @Test("The only argument of logs can be a directory or a manifest", arguments: ["", "/commands.json"])
  func source(path: String) throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", launch.directory.path + path).run()
    #expect(result.output == "a | one\na | two\nb | three\n", "\(result.errors)")
  }

  @Test("logs STEP --all shows only the step's lines, those of earlier launches first")
  func one() throws {
    let launch = try ToolProcess("run").manifest(two)
    for _ in 0..<2 { #expect(try launch.run().status == 0) }
    let latest = try ToolProcess("logs", "a", "--state", launch.directory.file(".appboot")).run()
    #expect(latest.output == "one\ntwo\n")
    let result = try ToolProcess("logs", "a", "--all", "--state", launch.directory.file(".appboot")).run()
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 6 && lines[1...2] == ["one", "two"] && lines[4...] == ["one", "two"])
    let records = try FileSystem.list(launch.directory.file(".appboot/records"))
    let launches = records.map { String($0.dropLast(".jsonl".count)) }
    #expect([lines[0], lines[3]] == launches.map { "-- launch \($0) --" })
    #expect(launch.directory.logDirectories == launches.map { launch.directory.file(".appboot/logs/\($0)") })
    for directory in launch.directory.logDirectories {
      #expect(try FileSystem.list(directory) == ["a.log", "a.times", "b.log", "b.times"])
    }
  }

  @Test("logs -N shows the launch that report -N shows")
  func numbered() throws {
    let launch = try ToolProcess("run").file("text", "old").manifest("[\(Entry.shell("cat text", id: "a"))]")
    let state = launch.directory.file(".appboot")
    #expect(try launch.run().status == 0)
    #expect(try launch.file("text", "new").run().status == 0)
    #expect(try ToolProcess("logs", "-1", "--state", state).run().output == "a | new\n")
    #expect(try ToolProcess("logs", "a", "-2", "--state", state).run().output == "old\n")
    let missing = try ToolProcess("logs", "-3", "--state", state).run()
    #expect(missing.status != 0 && missing.errors.contains("there is no record of a launch -3"))
    let both = try ToolProcess("logs", "a", "-2", "--all", "--state", state).run()
    #expect(both.status == 2 && both.errors.contains("-2 and --all"), "\(both.errors)")
  }

  @Test("logs -1 shows a launch that crashed and has no record yet, and logs -2 the one before")
  func crashed() throws {
    let crashing = "echo new; until grep -qs new .appboot/logs/*/a.log; do sleep 0.01; done; kill -9 $PPID"
    let launch = try ToolProcess("run").manifest("[\(Entry.shell("echo old", id: "a"))]")
    let state = launch.directory.file(".appboot")
    #expect(try launch.run().status == 0)
    let crashed = try launch.manifest("[\(Entry.shell(crashing, id: "a"))]")
    #expect(try crashed.start().end() == .signalled(Signals.kill))
    #expect(try ToolProcess("logs", "-1", "--state", state).run().output == "a | new\n")
    #expect(try ToolProcess("logs", "-2", "--state", state).run().output == "a | old\n")
  }

  @Test("--regex, --until and --launch select lines, and exclude what contradicts them")
  func selected() throws {
    let launch = try ToolProcess("run").manifest(two)
    for _ in 0..<2 { #expect(try launch.run().status == 0) }
    func logs(_ options: String...) throws -> ToolResult {
      try ToolProcess("logs", "--state", launch.directory.file(".appboot")).with(options).run()
    }
    #expect(try logs("--regex", "^t.o$").output == "a | two\n")
    #expect(try logs("--regex", "(").errors.contains("--regex \"(\" is not a regular expression"))
    #expect(try logs("--until", "1ns").output == "a | one\na | two\nb | three\n")
    #expect(try logs("--until", "1h").output.isEmpty)
    let first = try #require(launch.directory.logDirectories.first.map(FileSystem.lastComponent))
    let older = try logs("b", "--launch", first, "--format", "json")
    #expect(older.output.contains("\"launch\":\"\(first)\"") && older.output.contains("three"))
    #expect(try logs("--launch", "x").errors.contains("there is no log of a launch \"x\""))
    #expect(try logs("a", "--launch", first, "--all").status == 2)
    #expect(try logs("--until", "1s", "--follow").status == 2)
  }

  @Test("logs of several steps are in the order of time, and --grep, --since and --format json select lines")
  func several() throws {
    let steps = ["one", "two", "three"].map { Entry.shell("echo \($0)", id: $0) }
    let tool = try ToolProcess().manifest("[\(steps.joined(separator: ", "))]")
    #expect(try tool.with("run").run().status == 0)
    #expect(try tool.with("logs", "three", "one").run().output == "one   | one\nthree | three\n")
    #expect(try tool.with("logs", "three", "one", ".").run().output == "one   | one\nthree | three\n")
    #expect(try tool.with("logs", "--grep", "e").run().output == "one   | one\nthree | three\n")
    #expect(try tool.with("logs", "--since", "1h", "--tail", "1").run().output == "three | three\n")
    #expect(try tool.with("logs", "--since", "1ns").run().output.isEmpty)
    let json = try tool.with("logs", "two", "--format", "json").run().json()
    #expect(json["step"]?.string == "two" && json["text"]?.string == "two" && json["time"]?.string != nil)
    let unknown = try tool.with("logs", "one", "four").run()
    #expect(unknown.status == 4 && unknown.errors.contains("there is no log of a step \"four\""))
    #expect(try tool.with("logs", "--all").run().status == 2)
  }

  @Test("logs with a manifest shows the latest launch of that manifest")
  func manifest() throws {
    let tool = try ToolProcess().manifest("[\(Entry.shell("echo one", id: "a"))]")
    try tool.directory.write(
      "other.json", #"{ "version": 1, "commands": [\#(Entry.shell("echo two", id: "a"))] }"#)
    #expect(try tool.with("run").run().status == 0)
    #expect(try tool.with("run", "other.json").run().status == 0)
    #expect(try tool.with("logs", "commands.json").run().output == "a | one\n")
    #expect(try tool.with("logs", "a", "commands.json").run().output == "one\n")
    #expect(try tool.with("logs", "a").run().output == "two\n")
    try tool.directory.write(
      "commands.json", #"{ "version": 1, "commands": [\#(Entry.shell("true", id: "a"))] }"#)
    #expect(try tool.with("run").run().status == 0)
    #expect(try tool.with("run", "other.json").run().status == 0)
    let silent = try tool.with("logs", "a", "commands.json").run()
    try tool.directory.write("new.json", #"{ "version": 1, "commands": [] }"#)
    let none = try tool.with("logs", "new.json").run()
    #expect(
      none.status == 4 && none.errors.contains(#"there are no logs of a launch of "new.json""#), "\(none)")
    #expect(silent.output == "one\n" && silent.errors.contains("has no log of the latest launch"))
  }

  @Test("logs STEP says that its output is of an earlier launch")
  func earlierLaunch() throws {
    let tool = try ToolProcess().manifest("[\(Entry.shell("echo one", id: "a"))]")
    #expect(try tool.with("run").run().status == 0)
    #expect(try tool.with("logs", "a").run().errors.isEmpty)
    let other = try tool.manifest("[\(Entry.shell("echo two", id: "b")), \(Entry.shell("true", id: "a"))]")
    #expect(try other.with("run").run().status == 0)
    let logs = try other.with("logs", "a").run()
    #expect(logs.output == "one\n")
    #expect(logs.errors.contains("\"a\" has no log of the latest launch; this is launch "))
    let silent = try other.manifest("[\(Entry.shell("true", id: "a"))]")
    #expect(try other.with("logs").run().errors.isEmpty)
    #expect(try silent.with("run").run().status == 0)
    let all = try silent.with("logs").run()
    #expect(all.output == "b | two\n")
    #expect(all.errors.contains("the latest launch has no log; this is launch "), "\(all.errors)")
    #expect(try silent.with("logs", "b").run().errors.contains("\"b\" has no log of the latest launch"))
  }

  @Test("logs beside a running app shows the app's output and that of newer launches")
  func besideApp() throws {
    let web = Entry.service("echo up; exec sleep 1000", id: "web")
    let app = try Staying.start(commands: "[\(Entry.shell("echo done", id: "migrate")), \(web)]")
    let records = FileSystem.join(app.state, "records")
    #expect(Patience.wait { (try? FileSystem.list(records))?.count == 1 })
    let manifest = app.tool.directory.file("commands.json")
    let run = try app.ask("run", "-q", "--only", "migrate", manifest)
    #expect(run.status == 0, "\(run.errors)")
    let logs = try app.ask("logs")
    #expect(logs.output.hasPrefix("migrate | done\nweb     | up\n"), "\(logs.output)\(logs.errors)")
    #expect(logs.output.hasSuffix("--\nmigrate | done\n") && logs.errors.isEmpty)
    let one = try app.ask("logs", "web")
    #expect(one.output == "up\n" && one.errors.isEmpty)
    _ = try app.end()
    #expect(try app.ask("logs").output == "migrate | done\n")
  }

  @Test("logs --format json names the stream of each line")
  func streams() throws {
    let script = "echo out; echo err >&2; printf end"
    let tool = try ToolProcess().manifest("[\(Entry.shell(script, id: "a"))]")
    #expect(try tool.with("run").run().status == 0)
    let lines = try tool.with("logs", "--format", "json").run().output.split(separator: "\n")
    let streams = try lines.map { line in
      let json = try JSONDocument(parsing: SourceText(name: "line", text: String(line))).root
      return "\(json["text"]?.string ?? "") \(json["stream"]?.string ?? "")"
    }
    #expect(streams.sorted() == ["end stdout", "err stderr", "out stdout"])
  }

  @Test("logs STEP shows the log of a step with a long id")
  func longID() throws {
    let id = String(repeating: "a", count: 255)
    let launch = try ToolProcess("run").manifest("[\(Entry.shell("echo one", id: id))]")
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", id, "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == "one\n", "\(result.errors)")
  }

  @Test("logs shows only the steps of the latest launch, in chronological order")
  func latest() throws {
    let steps = ["one", "two", "three"].map { Entry.shell("echo \($0)", id: $0) }
    let launch = try ToolProcess("run").manifest("[\(steps.joined(separator: ", "))]")
    #expect(try launch.run().status == 0)
    let state = launch.directory.file(".appboot")
    #expect(
      try ToolProcess("logs", "--state", state).run().output == "one   | one\ntwo   | two\nthree | three\n")
    #expect(try launch.with("--skip", "two").run().status == 0)
    #expect(try ToolProcess("logs", "--state", state).run().output == "one   | one\nthree | three\n")
  }

  @Test("A log that is a FIFO or a link is left out with a warning")
  func leftOut() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let state = launch.directory.file(".appboot")
    let script = "mkfifo fifo.log; ln -s a.log link.log"
    let logs = launch.directory.log("")
    #expect(try ProcessRequest(["sh", "-c", script], directory: logs).start().wait() == .exited(0))
    let result = try ToolProcess("logs", "--state", state).run()
    #expect(result.status == 0 && result.output.hasSuffix("| three\n"), "\(result.output)")
    for step in ["fifo", "link"] {
      #expect(result.errors.contains("warning: the log of \"\(step)\" is left out: "), "\(result.errors)")
    }
    #expect(try ToolProcess("logs", "fifo", "--state", state).run().status == 4)
  }

  @Test("logs --follow waits for the first output of a step that runs")
  func firstOutput() throws {
    let quiet = "mkfifo go; echo > go; read x < go; echo first"
    let launch = try ToolProcess("run").manifest("[\(Entry.shell(quiet, id: "quiet"))]")
    let running = try launch.start()
    #expect(running.waitForFile("go"))
    let state = launch.directory.file(".appboot")
    let logs = try ToolProcess("logs", "quiet", "--follow", "--state", state).start()
    let unknown = try ToolProcess("logs", "other", "--follow", "--state", state).run()
    #expect(unknown.status == 4)
    let going = ["read x < go; echo > go"]
    #expect(
      try ProcessRequest(["sh", "-c"] + going, directory: launch.directory.path).start().wait() == .exited(0))
    let isThere = try logs.waitForOutput("first\n")
    logs.signal(Signals.terminate)
    let end = try logs.finish()
    #expect(isThere, "\(end)")
    #expect(try running.finish().status == 0)
  }

  @Test("A tab in the output stays a tab, and a rewritten line shows its last part")
  func rewritten() throws {
    let script = "printf 'a\\tb\\n10%%\\r100%%\\n'"
    let launch = try ToolProcess("run", "-v").manifest("[\(Entry.shell(script, id: "a"))]")
    #expect(try launch.run().errors.hasPrefix("a | a\tb\na | 100%\n"))
    let result = try ToolProcess("logs", "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == "a | a\tb\na | 100%\n")
  }

  @Test("logs --timestamps begins each line with its time")
  func timestamps() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let state = launch.directory.file(".appboot")
    let result = try ToolProcess("logs", "-t", "--state", state).run()
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    // 2026-11-22T10:21:40.123Z
    #expect(lines.allSatisfy { $0.dropFirst(10).first == "T" && $0.dropFirst(23).hasPrefix("Z ") })
    #expect(lines.map { String($0.dropFirst(25)) } == ["a | one", "a | two", "b | three"])
  }

  @Test("A last line without an end is shown in its place in time")
  func unfinished() throws {
    let launch = try ToolProcess("run").manifest(
      "[\(Entry.shell("printf one", id: "one")), \(Entry.shell("echo two", id: "two"))]")
    #expect(try launch.run().status == 0)
    let state = launch.directory.file(".appboot")
    #expect(try ToolProcess("logs", "--state", state).run().output == "one | one\ntwo | two\n")
    let running = try ToolProcess("logs", "--follow", "--state", state).start()
    #expect(try running.waitForOutput("one | one\n"))
    running.signal(Signals.terminate)
    #expect(running.end() == .signalled(Signals.terminate))
  }

  @Test("logs --follow ends with its reader, even if nothing is printed")
  func readerEnds() throws {
    let launch = try ToolProcess("run").manifest("[\(Entry.shell("echo one", id: "a"))]")
    #expect(try launch.run().status == 0)
    let following = try ToolProcess("logs", "--follow", "--state", launch.directory.file(".appboot"))
    let result = try following.script(#""$0" "$@" 2>"$APPBOOT_TEST_ERRORS" | head -n 1"#).run()
    #expect(result.output == "a | one\n" && result.errors.isEmpty)
  }

  @Test("logs fails if it cannot read a log file")
  func unreadable() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    // A directory, because root may read every file.
    let path = launch.directory.log("a.log")
    try FileSystem.remove(path)
    try FileSystem.createDirectory(path)
    let result = try ToolProcess("logs", "a", "--state", launch.directory.file(".appboot")).run()
    #expect(result.status == 4)
    #expect(
      result.errors.contains(#"/a.log": it is not a regular file: move it away"#), "\(result.errors)")
  }

  @Test("logs names a symbolic link among its files")
  func link() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let linking = ["ln", "-s", "a.log", launch.directory.log("a.1.log")]
    #expect(try ProcessRequest(linking).start().wait() == .exited(0))
    let result = try ToolProcess("logs", "a", "--state", launch.directory.file(".appboot")).run()
    #expect(result.status == 4)
    #expect(
      result.errors.contains(#"/a.1.log": it is a symbolic link: move it away"#), "\(result.errors)")
  }

  @Test("logs and report warn about a directory that other users may write to, and show its contents")
  func untrusted() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let state = launch.directory.file(".appboot")
    func found() throws -> [String] {
      try ["logs", "report"].map { subcommand in
        let result = try ToolProcess(subcommand, "--state", state).run()
        #expect(result.status == 0)
        #expect(result.output.contains(subcommand == "logs" ? "a | one\n" : "Test booted in"))
        return result.errors
      }
    }
    #expect(try found() == ["", ""])
    try FileSystem.setPermissions(state, to: 0o777)
    let advice = "other users may write to it: run `chmod go-w` on it, or use another directory"
    #expect(
      try found()
        == ["logs", "records"].map {
          "appboot: warning: another user may have changed the \($0) shown here: "
            + "a launch cannot use \"\(state)\": \(advice)\n"
        })
    try FileSystem.setPermissions(state, to: 0o700)
    for folder in ["logs", "records"] {
      try FileSystem.rename("\(state)/\(folder)", to: "\(state)/of-\(folder)")
      #expect(symlink("of-\(folder)", "\(state)/\(folder)") == 0)
    }
    let errors = try found()
    #expect(errors.allSatisfy { $0.hasSuffix("it is a symbolic link: move it away\n") }, "\(errors)")
  }

  @Test("A log file ends at a line end, so no masked secret is split")
  func secrets() throws {
    let entry = Entry.shell("for i in $(seq 1 900); do echo $TOKEN $i; done", id: "a")
    let members =
      #""name": "Test", "secrets": ["TOKEN"], "logs": { "maxSize": "4KiB", "files": 9 }"#
    let launch = try ToolProcess("run").manifest("[\(entry)]", members: members)
      .environment("TOKEN", "a-long-secret")
    #expect(try launch.run().status == 0)
    let directory = launch.directory.log("")
    for file in try FileSystem.list(directory) where file.hasSuffix(".log") {
      let bytes = try FileSystem.readFile(FileSystem.join(directory, file))
      #expect(bytes.starts(with: Array("*** ".utf8)) && bytes.last == UInt8(ascii: "\n"))
    }
    let result = try ToolProcess("logs", "a", "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == (1...900).map { "*** \($0)\n" }.joined())
  }

  @Test("The attempts of a step share the log of the launch")
  func attempts() throws {
    let entry = Entry.shell(
      "echo try; [ -e done ] || { echo x > done; exit 1; }", id: "a", #""retry": { "attempts": 2 }"#)
    let launch = try ToolProcess("run").manifest("[\(entry)]")
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", "a", "--state", launch.directory.file(".appboot")).run()
    #expect(result.output == "try\ntry\n")
  }

  @Test("The manifest limits the size and the number of the logs")
  func limits() throws {
    let entry = Entry.shell("head -c 20000 /dev/zero", id: "a")
    let members = #""name": "Test", "logs": { "maxSize": "4KiB", "files": 2 }"#
    let launch = try ToolProcess("run").manifest("[\(entry)]", members: members)
    #expect(try launch.run().status == 0)
    let directory = launch.directory.log("")
    #expect(try FileSystem.list(directory) == ["a.3.log", "a.3.times", "a.4.log", "a.4.times"])
    #expect(FileSystem.size(of: FileSystem.join(directory, "a.3.log")) == 4096)
  }

  @Test("logs of an unknown step names those that have a log")
  func unknown() throws {
    let launch = try ToolProcess("run").manifest(two)
    #expect(try launch.run().status == 0)
    let result = try ToolProcess("logs", "x", "--state", launch.directory.file(".appboot")).run()
    #expect(result.status == 4)
    #expect(
      result.errors.contains("there is no log of a step \"x\"") && result.errors.contains("with a log: a, b"))
    let none = try ToolProcess("logs").run()
    #expect(none.status == 4 && none.errors.contains("there are no logs in"))
  }

  @Test("A process that a step leaves running writes to its log, and no broken pipe kills it")
  func leftover() throws {
    // The step ends at once; its child prints when the test asks for it, long after the launch.
    let child = "read x < go; echo late; echo later; echo done > end"
    let script = "mkfifo go end; (\(child)) & true"
    let launch = try ToolProcess("run").manifest("[\(Entry.shell(script, id: "a"))]")
    #expect(try launch.run().status == 0)
    let directory = launch.directory
    let following = try ToolProcess("logs", "a", "--follow", "--state", directory.file(".appboot"))
    #expect(try following.run().status == 4)
    let asking = try ProcessRequest(
      ["sh", "-c", "echo x > go; cat end"], directory: directory.path, captureOutput: true
    ).start()
    #expect(asking.wait() == .exited(0))
    #expect(directory.waitForLog("a.log"))
    let running = try ToolProcess("logs", "a", "--follow", "--state", directory.file(".appboot")).start()
    #expect(try running.waitForOutput("late\nlater\n"))
    running.signal(Signals.terminate)
    #expect(running.end() == .signalled(Signals.terminate))
  }

  @Test("Later launches keep the log of a process that a step left running")
  func laterLaunches() throws {
    let script = "mkfifo go end; echo start; (read x < go; echo late; read x < end) & true"
    let entry = Entry.shell("[ -e go ] || { \(script); }; echo again", id: "a")
    let launch = try ToolProcess("run").manifest(
      "[\(entry)]", members: #""name": "Test", "logs": { "files": 1 }"#)
    #expect(try launch.run().status == 0)
    let logs = OutputLogs.directory(in: launch.directory.file(".appboot"))
    // The reader of the process begins after the launch.
    #expect(try Patience.wait { try LogFile.replaceable(in: logs).isEmpty })
    for _ in 0..<2 { #expect(try launch.run().status == 0) }
    let asking = "echo x > go; until grep -qsx late .appboot/logs/*/a.log; do :; done"
    #expect(
      try ProcessRequest(["sh", "-c", asking], directory: launch.directory.path).start().wait() == .exited(0))
    let result = try ToolProcess("logs", "a", "--all", "--state", launch.directory.file(".appboot")).run()
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 6 && lines[1...3] == ["start", "again", "late"] && lines[5] == "again")
    let ending = try ProcessRequest(["sh", "-c", "echo x > end"], directory: launch.directory.path).start()
    #expect(ending.wait() == .exited(0))
  }

  @Test("Log files of an earlier build, which are beside the directories of launches, are not shown")
  func earlierBuild() throws {
    let launch = try ToolProcess("run").manifest(two)
    let state = launch.directory.file(".appboot")
    try FileSystem.createDirectory(FileSystem.join(state, "logs"), mode: 0o700, parents: true)
    for name in ["a.log", "a.times", "old.log"] {
      try FileSystem.writeFile(atomically: Array("x\n".utf8), to: FileSystem.join(state, "logs/\(name)"))
    }
    let result = try launch.run()
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(try ToolProcess("logs", "--state", state).run().output == "a | one\na | two\nb | three\n")
    #expect(try ToolProcess("logs", "old", "--state", state).run().status == 4)
  }

  /// Runs a step that leaves a script behind, which waits for a line in the pipe `go`. Follows the step's log.
  private func following(_ script: String, files: Int) throws -> (
    logs: RunningTool, directory: TemporaryDirectory
  ) {
    let step = Entry.shell("mkfifo go; echo start; (read x < go; \(script)) & true", id: "a")
    let launch = try ToolProcess("run").manifest(
      "[\(step)]", members: #""name": "Test", "logs": { "maxSize": "4KiB", "files": \#(files) }"#)
    #expect(try launch.run().status == 0)
    let state = launch.directory.file(".appboot")
    let running = try ToolProcess("logs", "a", "--follow", "--state", state).start()
    #expect(try running.waitForOutput("start\n"))
    return (running, launch.directory)
  }

  @Test("Every line is followed, also across many full files")
  func rotation() throws {
    let (running, directory) = try following("seq 1 3000; echo end", files: 50)
    let asking = try ProcessRequest(["sh", "-c", "echo x > go"], directory: directory.path).start()
    #expect(asking.wait() == .exited(0))
    let lines = (1...3000).map { "\($0)\n" }.joined()
    #expect(try running.waitForOutput("start\n\(lines)end\n"))
    running.signal(Signals.terminate)
    #expect(running.end() == .signalled(Signals.terminate))
  }

  @Test("logs --follow reports in one line that output was pruned before it was read")
  func pruned() throws {
    let (running, directory) = try following("seq 1 5000", files: 2)
    // Stopped, it cannot read while the log begins new files.
    running.signal(Signals.stop)
    #expect(running.waitForStop())
    let script = "echo x > go; until tail -qn 1 .appboot/logs/*/a.*log | grep -qx 5000; do :; done"
    let asking = try ProcessRequest(["sh", "-c", script], directory: directory.path).start()
    #expect(asking.wait() == .exited(0))
    running.signal(Signals.resume)
    #expect(try running.waitForOutput("5000\n"))
    running.signal(Signals.terminate)
    let result = try running.finish()
    #expect(
      result.errors.hasPrefix(
        "appboot: warning: output of \"a\" is missing: 3 log files were pruned before they were read")
        && result.errors.split(separator: "\n").count == 1)
  }
}
