import AppBootLibC
import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

#if os(Linux)

@Suite("The user, the limits and the environment of a process", .ownThread)
struct ProcessTraitsTests {
  private static let isRoot = geteuid() == 0

  private func launch(_ script: String, _ parameters: String) -> TestLaunch {
    TestLaunch("[\(Entry.shell(script, id: "a", with: parameters))]")
  }

  private func lines(_ script: String, _ parameters: String) throws -> [String] {
    let log = LineLog()
    let record = try launch(script, parameters).run([log])
    return record.succeeded ? log.lines : [record.failures.first?.state.failure?.message ?? "no failure"]
  }

  @Test(
    "A program runs as another user, in the user's group and with the user's variables", .enabled(if: isRoot))
  func user() throws {
    let script = "id -u; id -g; id -G; echo $HOME $USER $LOGNAME"
    #expect(try lines(script, #""user": "daemon""#) == ["1", "1", "1", "/usr/sbin daemon daemon"])
    #expect(
      try lines(script, #""user": "1", "environment": { "HOME": "/srv" }"#).last == "/srv daemon daemon")
  }

  @Test("A group replaces the user's own, and a number needs no account", .enabled(if: isRoot))
  func group() throws {
    #expect(try lines("id -u; id -g", #""user": "daemon", "group": "nogroup""#) == ["1", "65534"])
    #expect(
      try lines("id -u; id -g; id -G", #""user": "4711", "group": "4712""#) == ["4711", "4712", "4712"])
    #expect(try lines("id -u; id -g", #""group": "daemon""#) == ["0", "1"])
  }

  @Test(
    "Only the program itself has the variables of its step, so no code of its user runs as root",
    .enabled(if: isRoot))
  func variables() throws {
    // The dynamic linker complains in each program that has the variable.
    let complaints = try lines(
      "",
      #""user": "daemon", "umask": "022", "limits": { "core": 0 }, "environment": { "LD_PRELOAD": "/none" }"#)
    #expect(complaints.count == 1 && complaints[0].contains("/none"), "\(complaints)")
  }

  @Test("A program of another user has no capability, and can get none", .enabled(if: isRoot))
  func privileges() throws {
    let script = "grep -E '^(NoNewPrivs|Cap(Inh|Prm|Eff|Bnd|Amb)):' /proc/self/status | tr -d '\\t'"
    let none = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map { "\($0):0000000000000000" }
    #expect(try lines(script, #""user": "daemon""#) == none + ["NoNewPrivs:1"])
    #expect(try lines(script, #""group": "daemon""#).last == "NoNewPrivs:0")
  }

  @Test(
    "A program of another user leads a session and inherits only the standard streams", .enabled(if: isRoot))
  func session() throws {
    // A descriptor without close-on-exec, as a shell passes it.
    let file = open("/etc/passwd", O_RDONLY)
    defer { close(file) }
    let script = "cut -d' ' -f5,6 /proc/$$/stat | grep -c \"^$$ $$\\$\"; ls /proc/$$/fd"
    #expect(try lines(script, #""user": "daemon""#) == ["1", "0", "1", "2"])
  }

  @Test("A user needs no program in PATH, and must be able to enter the directory", .enabled(if: isRoot))
  func directory() throws {
    let directory = try TemporaryDirectory()
    var launch = TestLaunch(
      #"[ { "command": "RunProcess", "with": { "arguments": ["/bin/true"], "user": "daemon" } } ]"#)
    launch.environment = ["PATH": "/nowhere"]
    #expect(try launch.run().succeeded)
    let message = try lines("true", #""user": "daemon", "directory": "\#(directory.path)""#)[0]
    #expect(
      message.hasPrefix(#"cannot start in the directory "\#(directory.path)": permission denied"#),
      "\(message)")
  }

  @Test("The programs of unless and undo run as the user of their step", .enabled(if: isRoot))
  func otherPrograms() throws {
    let isDaemon = #"["sh", "-c", "test $(id -u) = 1"]"#
    let unless = #""unless": { "command": \#(isDaemon) }"#
    let step = Entry.shell("exit 3", id: "a", unless, with: #""user": "daemon""#)
    #expect(try TestLaunch("[\(step)]").run().succeeded)
    let undone = Entry.shell(
      "true", id: "a", with: #""user": "daemon", "undo": { "arguments": \#(isDaemon) }"#)
    let failing = Entry.shell("exit 3", id: "b", #""onFailure": "rollback""#)
    let undo = try TestLaunch("[\(undone), \(failing)]").run()["a"]?.details.undo
    #expect(undo != nil && undo?.failure == nil)
  }

  @Test("Another user may send to the socket of sd_notify that it is given", .enabled(if: isRoot))
  func notification() throws {
    let socket = try NotificationSocket()
    defer { socket.close() }
    try NotificationSocket.give(socket.path, to: UserIdentity(user: 1, group: 1))
    #expect(try lines("test -O \(socket.path) -a -w \(socket.path); echo $?", #""user": "daemon""#) == ["0"])
  }

  @Test("Umask and limits are those of the manifest")
  func limits() throws {
    let limits = #""umask": "027", "limits": { "openFiles": 99, "processes": 4000, "core": 0 }"#
    #expect(try lines("umask; ulimit -n; ulimit -c", limits) == ["0027", "99", "0"])
  }

  @Test("A program has the process identifier of the programs that prepared it", .enabled(if: isRoot))
  func identifier() throws {
    let log = EventLog()
    let lines = LineLog()
    let launch = launch("echo $$", #""user": "daemon", "umask": "022", "limits": { "core": 0 }"#)
    #expect(try launch.run([log, lines]).succeeded)
    let started = log.kinds.compactMap { if case .processStarted(let start) = $0 { start.pid } else { nil } }
    #expect(started.map { "\($0)" } == lines.lines)
  }

  @Test("Without an inherited environment a program has PATH and the variables of its step")
  func environment() throws {
    let names = try lines(
      "env | cut -d= -f1 | sort", #""inheritEnvironment": false, "environment": { "MODE": "test" }"#)
    let expected = ["APPBOOT_ATTEMPT", "APPBOOT_LAUNCH", "APPBOOT_STEP", "MODE", "PATH"]
    // Shells set the others.
    #expect(names.filter { !["PWD", "OLDPWD", "SHLVL", "_"].contains($0) } == expected)
  }

  @Test("A program that cannot start fails with the same message as without a user or limits")
  func errors() throws {
    let directory = try TemporaryDirectory()
    try directory.write("plain", "text")
    try directory.write("script", "#!/no/such/interpreter\n", mode: 0o755)
    let files = [directory.file("plain"), directory.file("script"), directory.path]
    for program in ["no-such-program", "/no/such/program"] + files {
      let messages = try ["", #", "limits": { "core": 0 }"#].map { more in
        let launch = TestLaunch(
          #"[ { "command": "RunProcess", "with": { "arguments": ["\#(program)"]\#(more) } } ]"#)
        return try launch.run().failures.first?.state.failure?.message
      }
      #expect(messages[0] == messages[1] && messages[0] != nil)
    }
  }

  @Test(
    "An unknown user or group is a missing precondition before the launch, and no mistake of the manifest")
  func unknown() throws {
    let unknownUser = launch("true", #""user": "no-such-user""#)
    #expect(throws: MissingStepPrecondition.self) { try unknownUser.plan().checkPreconditions() }
    #expect(
      try lines("true", #""user": "no-such-user""#)
        == [#"there is no user "no-such-user" on this machine: create it, or correct "user""#])
    #expect(
      try lines("true", #""group": "no-such-group""#)
        == [#"there is no group "no-such-group" on this machine: create it, or correct "group""#])
    // The system would take this number for "no change".
    let none = "4294967295"
    #expect(
      try lines("true", #""user": "\#(none)", "group": "1""#)
        == [#"there is no user "\#(none)" on this machine: create it, or correct "user""#])
    #expect(
      try lines("true", #""group": "\#(none)""#)
        == [#"there is no group "\#(none)" on this machine: create it, or correct "group""#])
    for number in ["+0", "+5"] {
      #expect(
        try lines("true", #""user": "\#(number)", "group": "1""#)[0].hasPrefix(
          #"there is no user "\#(number)""#))
      #expect(try lines("true", #""group": "\#(number)""#)[0].hasPrefix(#"there is no group "\#(number)""#))
    }
    #expect(
      try lines("true", #""user": "4711""#) == [#"user 4711 has no account on this machine: set "group" too"#]
    )
  }

  @Test("Steps that may be unnecessary or may fail do not prevent the launch")
  func uncertain() throws {
    let uncertain = [
      #""unless": { "file": "/" }"#, #""onFailure": "continue""#, #""when": { "platform": "macos" }"#,
    ]
    for more in uncertain {
      let launch = TestLaunch(
        #"[ { "command": "RunProcess", "with": { "arguments": ["true"], "user": "no-such-user" }, \#(more) } ]"#
      )
      try launch.plan().checkPreconditions()
    }
  }

  @Test("A limit that the system refuses is a missing precondition")
  func refused() throws {
    let plan = try launch("true", #""limits": { "openFiles": "unlimited" }"#).plan()
    let error = #expect(throws: MissingStepPrecondition.self) { try plan.checkPreconditions() }
    let limit = try #require(OpenFiles.hardLimit)
    #expect(error.map { "\($0)" }?.contains("; the hard limit of this process is \(limit) files") == true)
    try launch("true", #""limits": { "openFiles": 64, "core": 0 }"#).plan().checkPreconditions()
  }

  @Test("Wrong users, umasks and limits are mistakes of the manifest")
  func mistakes() throws {
    for (parameters, problem) in [
      (#""umask": "9""#, "umask"), (#""umask": 27"#, "umask"), (#""umask": "1777""#, "umask"),
      (#""user": 0"#, #"; write "0""#), (#""limits": { "openFiles": "64" }"#, "; write 64"),
      (#""limits": { "openFiles": 3 }"#, "at least 4"), (#""directory": """#, "must not be empty"),
      (#""user": """#, "name or a number"),
      (#""limits": { "openFiles": -1 }"#, "openFiles"), (#""limits": { "core": "none" }"#, "limits.core"),
      (#""limits": { "files": 1 }"#, "files"),
    ] {
      let problems = try launch("true", parameters).problems(withHelp: true)
      #expect(problems.count == 1 && problems[0].contains(problem), "\(problems)")
    }
  }

  @Test("A plan in code sets the user and limits as properties")
  func code() throws {
    var command = RunProcess("sh", ["-c", "umask; ulimit -c"])
    command.umask = "077"
    command.limits.core = 0
    let log = LineLog()
    let plan = try LaunchPlan { Step("a", command) }
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [log]
    #expect(LaunchRunner(plan, configuration: configuration).runBlocking().succeeded)
    #expect(log.lines == ["0077", "0"])
  }
}

#endif
