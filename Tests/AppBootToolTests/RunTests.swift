import AppBoot
import AppBootLibC
import AppBootRecords
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The run subcommand", .ownThread)
struct RunTests {
  private let good = "[\(Entry.shell("true", id: "a")), \(Entry.shell("true", id: "b"))]"

  @Test("A successful run shows a row per step and a summary, and exits with 0")
  func succeeds() throws {
    let result = try ToolProcess("run").manifest(good).run()
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    // On a busy machine, a line about waiting steps is added.
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("waited ") }
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("✓ a") == true)
    #expect(lines.last?.hasPrefix("Test booted in ") == true)
    #expect(lines.last?.hasSuffix(": 2 steps") == true)
  }

  @Test("run reads the manifest from standard input for a dash")
  func standardInput() throws {
    let text = #"{ "version": 1, "name": "Piped", "commands": \#(good) }"#
    let result = try ToolProcess("run", "-").input(text).run()
    #expect(result.status == 0)
    #expect(result.output.contains("Piped booted"))
  }

  @Test(
    "A failed command exits with 1, and its policy decides about the other steps",
    arguments: [
      ("stop", "– b            skipped: the launch stopped when \"a\" failed", 1 as Int32),
      ("continue", "✓ b", 0), ("skipDependents", "skipped: \"a\" did not succeed", 1),
      ("rollback", "skipped: the launch stopped when \"a\" failed", 1),
    ])
  func policies(policy: String, expected: String, status: Int32) throws {
    let failing = Entry.shell("exit 7", id: "a", #""onFailure": "\#(policy)""#)
    let result = try ToolProcess("run").manifest("[\(failing), \(Entry.shell("true", id: "b"))]").run()
    #expect(result.status == status)
    let severity = status == 0 ? "warning" : "error"
    #expect(result.output.contains("commands.json:2:29: \(severity): a (RunProcess) failed"))
    #expect(result.output.contains("exited with code 7"))
    let words = expected.split(separator: " ").joined(separator: " ")
    #expect(result.output.split(separator: " ").joined(separator: " ").contains(words))
    #expect(result.output.contains(status == 0 ? "Test booted" : "Test did not boot: a failed at"))
    if status == 0 { #expect(result.output.contains("1 allowed failure")) }
  }

  @Test("A missing precondition exits with 4, unless its failure is allowed")
  func missingPrecondition() throws {
    let check = #"{ "command": "CheckEnvironment", "with": { "files": [{ "path": "a" }] } }"#
    let result = try ToolProcess("run").manifest("[\(check)]").run()
    #expect(result.status == 4)
    #expect(result.output.contains(#"there is no file "a": create it"#))
    let allowed = check.dropLast() + #", "onFailure": "continue" }"#
    #expect(try ToolProcess("run").manifest("[\(allowed)]").run().status == 0)
    let other = "[\(Entry.shell("exit 1", id: "b")), \(check)]"
    #expect(try ToolProcess("run").manifest(other).run().status == 1)
  }

  @Test("run shows why a failure skipped each step after it")
  func chains() throws {
    let entries = [
      Entry.shell("exit 1", id: "a", #""onFailure": "skipDependents""#), Entry.shell("true", id: "b"),
      Entry.shell("true", id: "c"),
    ]
    let result = try ToolProcess("run").manifest("[\(entries.joined(separator: ", "))]").run()
    #expect(result.output.contains("– b           skipped: \"a\" did not succeed\n"))
    #expect(result.output.contains("– c           skipped: \"b\" did not succeed\n"))
  }

  @Test("A launch that times out exits with 124")
  func deadline() throws {
    let result = try ToolProcess("run", "--timeout", "50ms")
      .manifest("[\(Entry.shell("sleep 60", id: "slow")), \(Entry.shell("true", id: "b"))]").run()
    #expect(result.status == 124)
    #expect(result.output.contains("Test did not boot: it timed out after"))
    #expect(result.output.contains("timeout 50ms"))
  }

  @Test("--dry-run cannot be used with --format jsonl or a file for the record")
  func dryEvents() throws {
    let result = try ToolProcess("run", "--dry-run", "--format", "jsonl").manifest("[]").run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains("--dry-run and --format jsonl cannot be used together"))
    let file = try ToolProcess("run", "-n", "--junit=j.xml").manifest("[]").run()
    #expect(file.status == 2 && file.errors.contains("--dry-run and --junit cannot be used together"))
  }

  @Test("run raises the limit of descriptors for the processes of --jobs")
  func manyProcesses() throws {
    // Each process waits until all have begun, or times out.
    let wait = "touch begun.$$; while [ $(ls begun.* | wc -l) -lt 30 ]; do sleep 0.01; done"
    let entries = (0..<30).map { Entry.shell(wait, id: "s\($0)", #""after": [], "timeout": "60s""#) }
    let result = try ToolProcess("run", "--jobs", "30", "--no-state")
      .manifest("[\(entries.joined(separator: ", "))]")
      .script(#"ulimit -Sn 48; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("--dry-run runs nothing")
  func dryRun() throws {
    let tool = try ToolProcess("run", "--dry-run").manifest("[\(Entry.shell("touch made", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 0)
    #expect(result.output.contains("1  a (RunProcess)"))
    #expect(!FileSystem.exists(tool.directory.file("made")))
    #expect(!FileSystem.exists(tool.directory.file(".appboot")))
  }

  @Test("--only and --skip skip steps, with the reason")
  func selection() throws {
    let only = try ToolProcess("run", "--only", "b", "--record", "r.json").manifest(good)
    let result = try only.run()
    #expect(result.status == 0 && result.output.contains("\n– 1 step left out: not in --only\n"))
    #expect(!result.output.contains("– a"))
    let record = try RecordArchive.read(only.directory.file("r.json")).record
    #expect(record["a"]?.state == .skipped(.excluded("not in --only")))
    let skip = try ToolProcess("run", "--skip=b").manifest(good).run()
    #expect(skip.status == 0 && skip.output.contains("\n– 1 step left out: --skip b\n"))
    #expect(skip.output.contains("1 of 2 steps, 1 left out"))
    let list = try ToolProcess("list", "--only", "b").manifest(good).run()
    #expect(list.output.hasSuffix("after a\n– 1 step left out: not in --only\n"))
  }

  @Test("--to runs a step and everything that it needs, and nothing else")
  func upTo() throws {
    let entries = [
      Entry.shell("true", id: "a"), Entry.shell("true", id: "b"),
      Entry.shell("true", id: "c", #""after": ["a"]"#), Entry.shell("true", id: "d", #""after": ["c", "b"]"#),
    ]
    let tool = try ToolProcess("run", "--to", "c").manifest("[\(entries.joined(separator: ", "))]")
    let result = try tool.run()
    #expect(result.status == 0)
    // On a busy machine, a line about waiting steps is added.
    let rows = result.output.split(separator: "\n").filter { !$0.hasPrefix("waited ") }.prefix(3)
    #expect(rows.map { $0.prefix(3) } == ["✓ a", "✓ c", "– 2"])
    #expect(result.output.contains("– 2 steps left out: not needed by --to c\n"))
    let above = try ToolProcess("run", "--to=b", "-n").manifest("[\(entries.joined(separator: ", "))]").run()
    #expect(above.output.contains("1  a (RunProcess)") && above.output.contains("2  b (RunProcess)"))
    #expect(above.output.hasSuffix("– 2 steps left out: not needed by --to b\n"))
    let both = try tool.with("--only", "a").run()
    #expect(both.status == 2 && both.errors.contains("--only and --to cannot be used together"))
  }

  @Test("A step in the arguments runs with the steps that it needs")
  func stepAsArgument() throws {
    let result = try ToolProcess("run", "b", "--format", "json").manifest(good).run()
    let states = try result.json()["steps"]?.elements.map {
      "\($0["id"]?.string ?? "") \($0["state"]?.string ?? "")"
    }
    #expect(result.status == 0 && states == ["a succeeded", "b succeeded"])
    let first = try ToolProcess("run", "commands.json", "a").manifest(good).run()
    #expect(first.status == 0 && first.output.contains("1 step left out: not needed by --to a"))
    let unknown = try ToolProcess("run", "x").manifest(good).run()
    #expect(unknown.status == 2 && unknown.errors.contains("there is no step \"x\""))
    let both = try ToolProcess("run", "b", "--only", "a").manifest(good).run()
    #expect(both.status == 2 && both.errors.contains("STEP and --only cannot be used together"))
  }

  @Test("An argument that is a step and a file is an error that says how to write either")
  func stepOrFile() throws {
    let tool = try ToolProcess("run", "b").manifest(good).file("b", "")
    let result = try tool.run()
    #expect(result.status == 2)
    #expect(
      result.errors == """
        appboot: error: "b" can be a step or the manifest: a file or directory has this name
        help: for the step, write -f MANIFEST b, or --to b; for the manifest, -f b

        """)
    #expect(try tool.with("-f", "commands.json").run().status == 0)
    #expect(try ToolProcess("run", "commands.json", "b").manifest(good).file("b", "").run().status == 0)
    let folder = try ToolProcess("run", "b").manifest(good)
    try FileSystem.createDirectory(folder.directory.file("b"))
    #expect(try folder.run().status == 0)
    #expect(try ToolProcess("run", "").manifest(good).run().status == 2)
  }

  @Test("The manifest of the nearest directory above is used, and named")
  func manifestAbove() throws {
    let tool = try ToolProcess().manifest(good)
    try FileSystem.createDirectory(tool.directory.file("sub"))
    let above = try tool.script(#"exec 2>"$APPBOOT_TEST_ERRORS"; cd sub && exec "$0" run a"#).run()
    #expect(above.status == 0, "\(above.errors)")
    #expect(above.errors == "appboot: the manifest is ../commands.json\n")
    #expect(FileSystem.exists(tool.directory.file(".appboot")))
    let changed = try tool.script(#"cd / && exec "$0" -C "$OLDPWD/sub" list a"#).run()
    #expect(changed.status == 0 && changed.output.contains("1  a"))
    #expect(chmod(tool.directory.path, 0o777) == 0)
    let writable = try tool.script(#"exec 2>"$APPBOOT_TEST_ERRORS"; cd sub && exec "$0" run a"#).run()
    #expect(writable.status == 4 && writable.errors.contains("commands.json"))
  }

  @Test("--env and --env-file set variables in place of those of the manifest and of the environment")
  func variables() throws {
    let commands = #"[{ "id": "a", "run": "echo $A $B $C $D", "environment": { "D": "entry" } }]"#
    let members = #""name": "Test", "environment": { "A": "manifest", "B": "{env.A:-none}", "C": null }"#
    func line(_ arguments: String...) throws -> String? {
      let tool = try ToolProcess("run", "--format", "json").with(arguments).manifest(
        commands, members: members
      )
      .environment("C", "inherited").file("vars", "C=file\nD=\"file\"\n")
      return try tool.run().json()["steps"]?.elements.first?["lastOutput"]?.string
    }
    #expect(try line() == "manifest none entry")
    #expect(try line("-e", "A=option", "--env", "D=d") == "option option d")
    #expect(try line("--env-file", "vars") == "manifest none file file")
    #expect(try line("--env-file", "vars", "-e", "C=c") == "manifest none c file")
    let wrong = try ToolProcess("run", "--env", "1A=x").manifest(good).run()
    #expect(wrong.status == 2 && wrong.errors.contains("a name has letters, digits"))
    #expect(!wrong.errors.contains("=x"))
  }

  @Test("An unknown id is an error with a suggestion", arguments: ["--only", "--skip", "--to"])
  func unknownIDs(option: String) throws {
    let result = try ToolProcess("run", option, "screan")
      .manifest("[\(Entry.shell("true", id: "screen"))]").run()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(
      result.errors == """
        appboot: error: there is no step "screan"
        help: did you mean "screen"?

        """)
    let several = try ToolProcess("list", option, "a,screen,b")
      .manifest("[\(Entry.shell("true", id: "screen"))]").run()
    #expect(several.status == 2)
    #expect(
      several.errors == """
        appboot: error: there are no steps "a", "b"
        help: the steps are screen

        """)
  }

  @Test("The help for an unknown id shows the ids as they are written in its place")
  func unknownIDPlaces() throws {
    let tool = try ToolProcess().manifest("[\(Entry.shell("true", id: "seed,all"))]")
    #expect(try tool.with("run", "-q").run().status == 0)
    for arguments in [["run", "x"], ["list", "x"], ["report", "--why", "x"]] {
      let result = try tool.with(arguments).run()
      #expect(result.status == 2 && result.errors.hasSuffix("\nhelp: the steps are seed,all\n"), "\(result)")
    }
    for arguments in [["run", "--only", "x"], ["history", "--step", "x"]] {
      let result = try tool.with(arguments).run()
      #expect(result.errors.hasSuffix("\nhelp: the steps are seed\\,all\n"), "\(result)")
    }
  }

  @Test("--quiet prints only failures, on standard error")
  func quiet() throws {
    let fine = try ToolProcess("run", "-q").manifest(good).run()
    #expect(fine.status == 0 && fine.output.isEmpty && fine.errors.isEmpty)
    let failed = try ToolProcess("run", "--quiet").manifest("[\(Entry.shell("exit 9", id: "a"))]").run()
    #expect(failed.status == 1 && failed.output.isEmpty)
    #expect(failed.errors.contains("exited with code 9"))
  }

  @Test("--verbose prints lanes and the output of the steps")
  func verbose() throws {
    let result = try ToolProcess("run", "--verbose").manifest("[\(Entry.shell("echo hi", id: "a"))]")
      .run()
    #expect(result.output.contains("background lane"))
    #expect(result.output.contains("last output: hi"))
    #expect(result.errors == "a | hi\n")
  }

  @Test("Control characters in the output of programs are shown, not sent to the terminal")
  func visibleText() throws {
    let result = try ToolProcess("run", "-v").manifest(
      "[\(Entry.shell(#"printf '\033[2J\n'; exit 1"#, id: "a"))]"
    ).run()
    #expect(!result.output.contains("\u{1B}") && !result.errors.contains("\u{1B}"))
    #expect(result.errors.contains("<U+001B>[2J"))
  }

  #if os(Linux)
  @Test("Steps wait for others to end if there are too few descriptors")
  func fewDescriptors() throws {
    let steps = (0..<60).map { number in
      #"{ "command": "RunProcess", "id": "s\#(number)", "after": [], "with": { "arguments": ["echo", "x"] } }"#
    }
    let tool = try ToolProcess("run", "--jobs", "60").manifest("[\(steps.joined(separator: ", "))]")
    let result = try tool.script(#"ulimit -n 40; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let logs = try FileSystem.list(tool.directory.log(""))
    #expect(logs.count { $0.hasSuffix(".log") } == 60)
  }
  #endif

  #if os(Linux)
  @Test("A step runs without its log rather than fail if there are too few descriptors", arguments: 16...20)
  func fewDescriptorsForLogs(count: Int) throws {
    let talk = #""with": { "arguments": ["sh", "-c", "echo 1; sleep 0.02; echo 2"] }"#
    let tool = try ToolProcess("run", "--then-stop").manifest(
      #"""
      [{ "command": "RunProcess", "id": "a", "after": [], \#(talk) },
        { "command": "RunProcess", "id": "b", "after": [], \#(talk) },
        { "command": "RunProcess", "id": "c", \#(talk) },
        { "command": "RunService", "id": "s", "after": [],
          "with": { "arguments": ["sh", "-c", "echo up; exec sleep 100"], "ready": { "output": "up" } } }]
      """#)
    // The tests pass descriptors on, which count too. `ls` has one more.
    let script = #"""
      exec 2>"$APPBOOT_TEST_ERRORS"; ulimit -n $(($(ls /proc/self/fd | wc -l) - 1 + \#(count))); exec "$0" "$@"
      """#
    let result = try tool.script(script).run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
  #endif

  #if os(Linux)
  @Test("Programs of \"unless\" and of CheckEnvironment wait for a process slot too")
  func fewDescriptorsForChecks() throws {
    var steps = (0..<40).map { number in
      #"{ "command": "RunProcess", "id": "s\#(number)", "after": [], "with": { "arguments": ["sleep", "0.05"] } }"#
    }
    for number in 0..<4 {
      steps.append(
        #"{ "command": "Say", "id": "say\#(number)", "after": [], "unless": { "command": ["false"] }, "#
          + #""with": { "text": "x" } }"#)
      let program = #"{ "name": "sh", "version": ">=1", "versionArguments": ["-c", "echo 1"] }"#
      steps.append(
        #"{ "command": "CheckEnvironment", "id": "c\#(number)", "after": [], "#
          + #""with": { "programs": [\#(program)] } }"#)
    }
    let tool = try ToolProcess("run", "--jobs", "60", "--no-state")
      .manifest("[\(steps.joined(separator: ", "))]")
    let result = try tool.script(#"ulimit -n 40; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
  #endif

  #if os(Linux)
  @Test("CheckEnvironment reports too few descriptors as the cause if a program cannot print its version")
  func fewDescriptorsForVersions() throws {
    let program =
      #"{ "name": "sh", "version": ">=1", "versionArguments": ["-c", "echo 1"], "hint": "install it" }"#
    let programs = [String](repeating: program, count: 80).joined(separator: ", ")
    let check = #"{ "command": "CheckEnvironment", "with": { "programs": [\#(programs)] } }"#
    let tool = try ToolProcess("run").manifest("[\(check)]")
    let result = try tool.script(#"ulimit -n 40; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(result.status == 4)
    let cause =
      /the version of "sh" is unknown: cannot [^:]+: too many open files: raise the limit \(`ulimit -n`/
    #expect(result.output.contains(cause) && !result.output.contains("install it"), "\(result.output)")
  }
  #endif

  @Test("A launch with too few descriptors for AppBoot itself is an error", arguments: 6...9)
  func tooFewDescriptors(count: Int) throws {
    let tool = try ToolProcess("run").manifest(good)
    let result = try tool.script(#"exec 2>"$APPBOOT_TEST_ERRORS"; ulimit -n \#(count); exec "$0" "$@""#).run()
    #expect(result.status == 4)
    #expect(result.errors.contains("too many open files"), "\(result.errors)")
  }

  @Test("--record writes the record to a file")
  func record() throws {
    let tool = try ToolProcess("run", "--record", "out.json").manifest(good)
    #expect(try tool.run().status == 0)
    let bytes = try FileSystem.readFile(tool.directory.file("out.json"))
    let root = try JSONDocument(parsing: SourceText(name: "out.json", bytes: bytes)).root
    #expect(root["outcome"]?.string == "succeeded")
  }

  @Test("A record that cannot be written exits with 4 before the launch")
  func unwritableRecord() throws {
    let tool = try ToolProcess("run", "--record", "missing/out.json")
      .manifest("[\(Entry.shell("touch made", id: "a"))]")
    let result = try tool.run()
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(result.errors.contains("missing/out.json"))
    #expect(!FileSystem.exists(tool.directory.file("made")))
  }

  @Test("The state directory is next to the manifest, elsewhere, or absent")
  func state() throws {
    let tool = try ToolProcess("run").manifest(good)
    _ = try tool.run()
    #expect(try FileSystem.permissions(tool.directory.file(".appboot")) == 0o700)
    let elsewhere = try ToolProcess("run", "--state", "kept").manifest(good)
    _ = try elsewhere.run()
    #expect(FileSystem.isDirectory(elsewhere.directory.file("kept")))
    let variable = try ToolProcess("run").environment("APPBOOT_STATE", "there").manifest(good)
    _ = try variable.run()
    #expect(FileSystem.isDirectory(variable.directory.file("there")))
    let none = try ToolProcess("run", "--no-state").manifest(good)
    _ = try none.run()
    #expect(!FileSystem.exists(none.directory.file(".appboot")))
  }

  @Test("A state directory that cannot be written causes one warning")
  func unwritableState() throws {
    let result = try ToolProcess("run", "--state", "commands.json/state").manifest(good).run()
    #expect(result.status == 0)
    #expect(result.errors.hasPrefix("appboot: warning: continuing without recording this launch: "))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("A user that the machine does not have prevents the first step with exit code 4, and is valid")
  func unknownUser() throws {
    let entry =
      #"{ "command": "RunProcess", "id": "b", "with": { "arguments": ["true"], "user": "no-such-user" } }"#
    let tool = try ToolProcess("run").manifest("[\(Entry.shell("touch ran", id: "a")), \(entry)]")
    let result = try tool.run()
    #expect(result.status == 4)
    #expect(result.errors.contains(#"b: there is no user "no-such-user" on this machine"#))
    #expect(!FileSystem.exists(tool.directory.file("ran")))
    #expect(try ToolProcess("validate").manifest("[\(entry)]").run().status == 0)
  }

  @Test(
    "A process of another user drops the rights of root before its directory, and starts only its program",
    .enabled(if: ProgramSearch.isPrivileged && FileSystem.exists("/usr/bin/strace")))
  func systemCalls() throws {
    let entry = Entry.program(
      ["/bin/true"], id: "a",
      with: #""user": "daemon", "directory": "/", "umask": "022", "limits": { "core": 0 }"#)
    let tool = try ToolProcess("run").manifest("[\(entry)]")
      .script(#"exec strace -ff -o trace "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#)
    #expect(try tool.run().status == 0)
    // One file for each thread, with a call on each line.
    let traces = try FileSystem.list(tool.directory.path).filter { $0.hasPrefix("trace.") }.map {
      String(decoding: try FileSystem.readFile(tool.directory.file($0)), as: UTF8.self)
    }
    let trace = try #require(traces.first { $0.contains(#"execve("/bin/true""#) })
    let calls = trace.split(separator: "\n").compactMap { $0.split(separator: "(").first.map(String.init) }
    let expected = [
      "setsid", "close_range", "prlimit64", "umask", "setgroups", "setresgid", "setresuid", "capset", "chdir",
      "execve",
    ]
    let seen = calls.prefix { $0 != "brk" }.filter(expected.contains)
    #expect(seen == expected)
  }

  @Test(
    "Descriptors that appboot inherited reach a program of its own user, but not one of another user",
    .enabled(if: ProgramSearch.isPrivileged))
  func inheritedDescriptors() throws {
    let own = try inheriting(with: #""umask": "022""#)
    #expect(own.status == 0)
    let other = try inheriting(with: #""user": "daemon", "directory": "/""#)
    #expect(other.status == 1 && other.output.contains("5: Bad file descriptor"))
  }

  private func inheriting(with parameters: String) throws -> ToolResult {
    try ToolProcess("run").manifest("[\(Entry.shell("cat <&5", id: "a", with: parameters))]")
      .script(#"exec 5<commands.json; exec "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
  }

  @Test(
    "An executable with the rights of another user reads no manifest",
    .enabled(if: ProgramSearch.isPrivileged && FileSystem.exists("/usr/bin/setpriv")))
  func setUserID() throws {
    let result = try ToolProcess("run").manifest(good)
      .script(#"exec setpriv --ruid 1 "$0" "$@" 2>"$APPBOOT_TEST_ERRORS""#).run()
    #expect(result.status == 4 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("appboot: error: this executable is set-user-ID or set-group-ID"))
  }

  @Test("A failed run of a shuffled plan names the seed of its order, which repeats it and is in the record")
  func shuffle() throws {
    let steps = ["a", "b", "c"].map {
      Entry.shell("echo \($0) >> order; test \($0) != c", id: $0, #""after": []"#)
    }
    let manifest = "[\(steps.joined(separator: ", "))]"
    let first = try ToolProcess("run", "--shuffle", "--record", "record.json").manifest(manifest)
    let result = try first.run()
    #expect(result.status == 1)
    let last = try #require(result.output.split(separator: "\n").last)
    let option = String(try #require(last.split(separator: " ").last))
    #expect(last.contains("; order: --shuffle="))
    let record = try FileSystem.readFile(first.directory.file("record.json"))
    #expect(String(decoding: record, as: UTF8.self).contains("\"order\": \"\(option)\""))
    let second = try ToolProcess("run", "--quiet", option).manifest(manifest)
    #expect(try second.run().errors.hasSuffix("; order: \(option)\n"))
    let orders = try [first, second].map { try FileSystem.readFile($0.directory.file("order")) }
    #expect(orders[0] == orders[1])
  }

  @Test("--shuffle takes no plan to show, and a seed of at least one")
  func shuffleUsage() throws {
    #expect(try ToolProcess("run", "--shuffle", "--dry-run").manifest(good).run().status == 2)
    let result = try ToolProcess("run", "--shuffle=0").manifest(good).run()
    #expect(result.status == 2)
    #expect(result.errors.contains("--shuffle needs a whole number from 1 to 1000000, not \"0\""))
  }
}
