import AppBoot
import AppBootReports
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("Secrets", .ownThread)
struct SecretTests {
  /// The values that no artefact may have, some of them in other forms.
  private static let needles = [
    "s3cr'et/k\u{E9}y-1", "s3cr'et/k\\u00e9y-1", "s3cr%27et%2Fk%C3%A9y-1", "czNjcidldC9rw6l5LTE",
    "u0027et/k", "s3cr%27et%2fk", "s3cr'et%2Fk", "#39;et/k", "\\'et/k",
    "tok-1234567890", "literal-secret-value", "second-line-of-the-key", "bearer-5678-abc",
  ]

  private static let members =
    #""name": "Test", "secrets": ["API_KEY", "DB_VALUE"], "secretPattern": "_TOKEN$""#

  private static let base64 = #"printf %s "$API_KEY" | base64"#

  private static var launch: String {
    let echo = #"echo "$API_KEY"; echo "$API_KEY" >&2; echo "$DEPLOY_TOKEN""#
    let bytes = #"printf '%s\n' "$API_KEY" | dd bs=1 2>/dev/null; printf '%s' "$API_KEY" | dd bs=1 >&2"#
    let border =
      #"head -c 65530 /dev/zero | tr '\0' x; printf %s "$API_KEY"; head -c 65525 /dev/zero | tr '\0' y; "#
      + #"printf %s "$API_KEY""#
    let literal =
      #"{ "command": "RunProcess", "id": "literal", "comment": "it is literal-secret-value", "#
      + #""with": { "arguments": ["sh", "-c", "echo $DB_VALUE"], "#
      + #""environment": { "DB_VALUE": "literal-secret-value" } } }"#
    let argument =
      #"{ "command": "RunProcess", "id": "argument", "onFailure": "continue", "#
      + #""with": { "arguments": ["sh", "-c", "exit 3", "{env.API_KEY}", "--token={env.DEPLOY_TOKEN}"] } }"#
    let skipped =
      #"{ "command": "RunProcess", "id": "skipped", "when": { "environment": { "DB_VALUE": "literal-secret-value" } }, "#
      + #""with": { "arguments": ["true"] } }"#
    let missing =
      #"{ "command": "RunService", "id": "missing", "onFailure": "continue", "#
      + #""with": { "arguments": ["{env.DEPLOY_TOKEN}"] } }"#
    let service =
      #"{ "command": "RunService", "id": "service", "with": { "ready": { "output": "^up" }, "#
      + #""arguments": ["sh", "-c", "echo up; echo \"$API_KEY\"; echo \"$API_KEY\" >&2; exec sleep 1000"] } }"#
    let probe =
      #"{ "command": "WaitFor", "id": "probe", "timeout": "100ms", "onFailure": "continue", "#
      + #""with": { "command": ["sh", "-c", "echo no $DEPLOY_TOKEN; exit 1"] } }"#
    return "["
      + [
        Entry.shell(echo, id: "echo"), Entry.shell(bytes, id: "bytes"), Entry.shell(border, id: "border"),
        Entry.shell("\(base64); echo s3cr%27et%2Fk%C3%A9y-1", id: "forms"),
        // As a Go program, JavaScript, other URLs, HTML and a shell write it.
        Entry.shell(
          #"printf '%s\n' 's3cr\u0027et/k\u00e9y-1' "s3cr'et%2Fk%C3%A9y-1" 's3cr%27et%2fk%c3%a9y-1' "#
            + #"'s3cr&#39;et/k&#233;y-1' "s3cr\\'et/kéy-1""#, id: "encoders"),
        Entry.shell(
          #"echo "$API_KEY" >&2; exit 3"#, id: "fails",
          #""onFailure": "continue", "retry": { "attempts": 2, "backoff": "1ms" }"#),
        literal, argument, skipped, missing, service, probe,
      ].joined(separator: ",\n") + "]"
  }

  private func tool(_ arguments: String...) throws -> ToolProcess {
    try ToolProcess().with(arguments)
      .environment("API_KEY", "s3cr'et/k\u{E9}y-1\nsecond-line-of-the-key\n")
      .environment("DEPLOY_TOKEN", "tok-1234567890")
  }

  private func expectNone(in text: String, _ artefact: String) {
    for needle in Self.needles {
      #expect(!text.contains(needle), "\(artefact) has \(needle)")
    }
  }

  /// Looks for the secrets in every file below a directory, except for the manifest.
  private func expectNone(below directory: String) throws {
    for name in try FileSystem.list(directory) where name != "commands.json" {
      let path = FileSystem.join(directory, name)
      if FileSystem.isDirectory(path) {
        try expectNone(below: path)
      } else if FileSystem.kind(of: path) == .regular {
        expectNone(in: String(decoding: try FileSystem.readFile(path), as: UTF8.self), path)
      }
    }
  }

  @Test("No artefact of a launch shows a secret", arguments: ["text", "json", "jsonl"])
  func everyArtefact(format: String) throws {
    let verbose = format == "text" ? ["--verbose"] : []
    let run = try tool(
      "run", "--then-stop", "--record", "r.json", "--junit", "j.xml", "--url", "app://a?key=tok-1234567890",
      "--format", format
    ).with(verbose).manifest(Self.launch, members: Self.members)
    let result = try run.run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains("***"))
    expectNone(in: result.output, "stdout")
    expectNone(in: result.errors, "stderr")
    try expectNone(below: run.directory.path)
    let state = run.directory.file(".appboot")
    let log = try FileSystem.readFile(run.directory.log("echo.log"))
    #expect(log.allSatisfy { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "\n") } && !log.isEmpty)
    for report in ReportFormat.allCases {
      let shown = try ToolProcess("report", "--state", state, "--format", report.rawValue).run()
      #expect(shown.status == 0)
      expectNone(in: shown.output + shown.errors, "report \(report)")
    }
    expectNone(in: try ToolProcess("logs", "--state", state).run().output, "logs")
  }

  @Test("The plan shows no secret", arguments: ["text", "json", "dot", "mermaid"])
  func plan(format: String) throws {
    let result = try tool("list", "--format", format, "--url", "app://a?key=tok-1234567890")
      .manifest(Self.launch, members: Self.members).run()
    #expect(result.status == 0)
    expectNone(in: result.output + result.errors, "list")
  }

  @Test("An error of the manifest shows no secret", arguments: ["text", "json", "github"])
  func mistakes(format: String) throws {
    let entry =
      #"{ "command": "RunProcess", "onFailure": "literal-secret-value", "with": { "arguments": "tok-1234567890", "#
      + #""environment": { "DB_VALUE": "literal-secret-value", "tok-1234567890": 5 } } }"#
    let validate = try tool("validate", "--format", format).manifest("[\(entry)]", members: Self.members)
    let shown = try validate.run()
    #expect(shown.status == 3 && shown.output.contains("***"))
    expectNone(in: shown.output + shown.errors, "validate")
    let run = try tool("run").manifest("[\(entry)]", members: Self.members).run()
    #expect(run.status == 3)
    expectNone(in: run.output + run.errors, "run")
  }

  @Test(
    "An error about an argument shows no secret of the manifest",
    arguments: ["--only", "--skip", "--to", "--record", "--junit"])
  func argumentErrors(option: String) throws {
    let secret = "hunter2 hunter2"
    let value = ["--record", "--junit"].contains(option) ? "no/\(secret)/file" : secret
    for subcommand in ["run", "check"] where subcommand == "run" || option != "--to" {
      let result = try ToolProcess(subcommand, option, value).environment("API_KEY", secret)
        .manifest(#"["Appearance"]"#, members: Self.members).run()
      #expect([2, 4].contains(result.status), "\(result.errors)")
      #expect(result.errors.contains("***") && !result.errors.contains(secret), "\(result.errors)")
      #expect(!result.output.contains(secret), "\(result.output)")
    }
  }

  @Test("A provider that echoes the request shows neither its key nor the device's token")
  func provider() throws {
    let server = try HTTPServer()
    defer { server.stop() }
    let entry =
      #"{ "command": "RegisterRemoteNotifications", "onFailure": "continue", "with": { "provider": "\#(server.url())", "#
      + #""headers": { "Authorization": "Bearer {env.PUSH}" } } }"#
    let before = Entry.shell(
      "mkdir .appboot; printf %064d 7 > .appboot/device-token; echo $PUSH", id: "before")
    let after = Entry.shell("cat .appboot/device-token", id: "after")
    server.enqueue(.status(500, body: String(repeating: "x", count: 180) + " Bearer bearer-5678-abc"))
    let run = try tool("run", "-v", "--record", "r.json", "--junit", "j.xml")
      .environment("PUSH", "bearer-5678-abc").manifest("[\(before), \(entry), \(after)]")
    let result = try run.run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(server.requests.first?.header("authorization") == "Bearer bearer-5678-abc")
    #expect(result.output.contains(" Bearer ***"))
    #expect(!(result.output + result.errors).contains("bearer-"))
    #expect(!(result.output + result.errors).contains("0000000007"))
    let logs = ["before.log", "after.log"].map(run.directory.log)
    for path in ["r.json", "j.xml"].map(run.directory.file) + logs {
      let text = String(decoding: try FileSystem.readFile(path), as: UTF8.self)
      #expect(!text.contains("bearer-5678") && !text.contains("0000000007"), "\(path)")
    }
  }

  @Test("No secret reaches a file or an output if a server echoes the request in an escaped form")
  func echo() throws {
    let key = "k<3y>&'1/2\"\\%\u{E9}~!"
    let forms = [
      key, #"k\u003c3y\u003e\u0026'1/2\"\\%\u00e9~!"#, "k%3C3y%3E%26'1%2F2%22%5C%25%C3%A9~!",
      "k%3c3y%3e%26%271%2f2%22%5c%25%c3%a9%7e%21",
      "k&lt;3y&gt;&amp;&#39;1/2&quot;\\%\u{E9}~!",
    ]
    let server = try HTTPServer(fallback: .echo(status: 500))
    defer { server.stop() }
    let headers = #""headers": { "X-Key": "Bearer {env.ECHO_KEY}", "X-Raw": "{env.ECHO_KEY}" }"#
    func entry(_ id: String, _ command: String, _ members: String) -> String {
      #"{ "command": "\#(command)", "id": "\#(id)", "onFailure": "continue", "with": { \#(members) } }"#
    }
    var entries = [
      entry(
        "echo", "HTTPRequest",
        #""url": "\#(server.url("/a"))", "body": { "key": "{env.ECHO_KEY}" }, \#(headers)"#),
      entry("token", "RegisterRemoteNotifications", #""provider": "\#(server.url("/b"))", \#(headers)"#),
    ]
    for index in forms.indices {
      entries.append(entry("form-\(index)", "HTTPRequest", #""url": "\#(server.url("/c"))", \#(headers)"#))
    }
    entries.append(
      entry(
        "json", "HTTPRequest",
        #""url": "\#(server.url("/d"))", \#(headers), "expect": { "json": { "key": 1 } }"#))
    entries.append(
      entry("refused", "HTTPRequest", #""url": "http://127.0.0.1:1/tok-1234567890", \#(headers)"#))
    // The requests run one after the other.
    server.enqueue(.echo(status: 500))
    server.enqueue(.echo(status: 500))
    for form in forms { server.enqueue(.status(500, body: "the key is \(form).")) }
    server.enqueue(.status(200, body: #"{ "key": "\#(forms[1])" }"#))
    let run = try tool("run", "--verbose", "--record", "r.json", "--junit", "j.xml").environment(
      "ECHO_KEY", key
    )
    .manifest("[\(entries.joined(separator: ",\n"))]", members: Self.members)
    let result = try run.run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(server.requests.first?.header("x-key") == "Bearer \(key)")
    let state = run.directory.file(".appboot")
    var artefacts = ["stdout": result.output, "stderr": result.errors]
    for format in ReportFormat.allCases {
      let report = try ToolProcess("report", "--state", state, "--format", format.rawValue).run()
      artefacts["report \(format)"] = report.output + report.errors
    }
    for name in ["r.json", "j.xml"] {
      artefacts[name] = String(decoding: try FileSystem.readFile(run.directory.file(name)), as: UTF8.self)
    }
    let record = artefacts["r.json"] ?? ""
    #expect(record.contains("X-Key: Bearer ***") && record.contains("the key is ***."))
    for (name, text) in artefacts {
      // The artefact may escape what is left, so a part without special characters must not be in it either.
      for part in ["k<3y", "3y>", "u003c3y", "%3C3y", "%3c3y", "lt;3y", "'1/2", "27;1/2", "1%2f2", "1%2F2"] {
        #expect(!text.contains(part), "\(name) has \(part)")
      }
    }
    try expectNone(below: run.directory.path)
  }

  #if os(Linux)
  @Test("No argument of a process has a secret while a request is sent")
  func arguments() throws {
    let server = try HTTPServer()
    defer { server.stop() }
    let gate = Gate()
    server.enqueue(.held(gate, status: 200))
    let entry =
      #"{ "command": "HTTPRequest", "with": { "url": "\#(server.url())?key={env.PUSH}", "body": "{env.PUSH}", "#
      + #""headers": { "Authorization": "Bearer {env.PUSH}" } } }"#
    let running = try tool("run").environment("PUSH", "bearer-90-arguments").manifest("[\(entry)]").start()
    #expect(server.waitForRequests(1).first?.header("authorization") == "Bearer bearer-90-arguments")
    for name in try FileSystem.list("/proc") where Int(name) != nil {
      // A process may end meanwhile.
      let line = (try? FileSystem.readFile("/proc/\(name)/cmdline")) ?? []
      #expect(!String(decoding: line, as: UTF8.self).contains("bearer-90-arguments"))
    }
    gate.open()
    #expect(try running.finish().status == 0)
  }
  #endif

  @Test(
    "The log of a process that a step left running shows no secret, even one that the launch's end splits")
  func leftover() throws {
    let child = #"read x < go; printf '%s\n' '567890'; echo "$API_KEY"; echo done > end"#
    let script = "mkfifo go end; printf tok-1234; (\(child)) & true"
    let run = try tool("run").manifest("[\(Entry.shell(script, id: "a"))]", members: Self.members)
    #expect(try run.run().status == 0)
    let directory = run.directory
    let asking = try ProcessRequest(
      ["sh", "-c", "echo x > go; cat end"], directory: directory.path, captureOutput: true
    ).start()
    #expect(asking.wait() == .exited(0))
    asking.finish()
    #expect(directory.waitForLog("a.log"))
    let logs = try ToolProcess("logs", "a", "--follow", "--state", directory.file(".appboot")).start()
    #expect(try logs.waitForOutput("***\n***\n"))
    logs.signal(Signals.terminate)
    #expect(logs.end() == .signalled(Signals.terminate))
    try expectNone(below: directory.file(".appboot"))
  }

  @Test("The status of an app that stays shows no secret")
  func status() throws {
    let failing = Entry.shell(#"echo "$DEPLOY_TOKEN"; exit 1"#, id: "fails")
    let stay = try tool("run", "--stay", "--format", "jsonl")
      .manifest("[]", members: Self.members + #", "on": { "openURL": [\#(failing)] }"#)
    let running = try stay.start()
    #expect(try running.waitForOutput(#""kind":"launchEnded""#))
    let state = stay.directory.file(".appboot")
    let emitted = try ToolProcess(
      "emit", "openURL", "--url", "app://tok-1234567890", "--state", state
    ).run()
    expectNone(in: emitted.output + emitted.errors, "emit")
    let refused = try ToolProcess(
      "emit", "openURL", "--url", "no scheme, but tok-1234567890", "--state", state
    ).run()
    #expect(refused.status == 2 && refused.errors.contains("\"no scheme, but ***\" is not a valid URL"))
    let status = try ToolProcess("status", "--format", "json", "--state", state).run()
    #expect(status.output.contains("***"))
    expectNone(in: status.output, "status")
    running.signal(Signals.terminate)
    let result = try running.finish()
    expectNone(in: result.output + result.errors, "jsonl")
    try expectNone(below: state)
  }

  @Test("A secret that is too short is shown, and a warning says so")
  func short() throws {
    let result = try tool("run").environment("SHORT", "abc")
      .manifest("[]", members: #""secrets": ["SHORT"]"#).run()
    #expect(result.status == 0)
    #expect(
      result.errors
        == "appboot: warning: the value of SHORT is not hidden, because it has fewer than 4 bytes: use a longer secret\n"
    )
  }

  /// For each key of an entry, a value with a secret; `nil` for a key that names a step or a command, and for one
  /// without text.
  private static let values: [String: String?] = [
    "command": nil, "id": nil, "after": nil, "timeout": nil, "retry": nil, "onFailure": nil, "budget": nil,
    "when": #"{ "not": { "environment": { "X": "tok-1234567890" } } }"#,
    "unless": #"{ "command": ["false", "tok-1234567890"] }"#,
    "environment": #"{ "files": ["tok-1234567890?"] }"#,
    "comment": #""about tok-1234567890""#,
    "with": #"{ "arguments": ["echo", "tok-1234567890"] }"#,
    "run": #""echo tok-1234567890""#,
  ]

  @Test("Every key of an entry hides a secret in its value", arguments: ManifestReader.entryKeys)
  func entryKey(key: String) throws {
    let known = try #require(Self.values[key], "give a value of \"\(key)\" with a secret, or nil")
    guard let value = known else { return }
    let command = ["run", "with"].contains(key) ? "" : #", "with": { "arguments": ["true"] }"#
    let name = key == "run" ? "" : #""command": "RunProcess", "#
    let commands = #"[{ \#(name)"id": "a", "\#(key)": \#(value)\#(command) }]"#
    let run = try tool("run", "--format", "json", "--junit", "j.xml")
      .manifest(commands, members: Self.members)
    let result = try run.run()
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    expectNone(in: result.output + result.errors, "run")
    try expectNone(below: run.directory.path)
    let page = try ToolProcess("report", "--format", "html", "--state", run.directory.file(".appboot")).run()
    expectNone(in: page.output, "page")
    for arguments in [["--all"], ["--format", "json"]] {
      let shown = try tool("list").with(arguments).manifest(commands, members: Self.members).run()
      #expect(shown.status == 0, "\(shown.errors)")
      expectNone(in: shown.output + shown.errors, "list")
    }
  }
}
